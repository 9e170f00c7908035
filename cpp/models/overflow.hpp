// Kernel values that no double can hold.
#pragma once

#include <cmath>
#include <stdexcept>

namespace hedgerow {

inline double finite(double value) {
  if (!std::isfinite(value))
    throw std::overflow_error(
        "a kernel value is too large for float64; use Normalized(kernel) or smaller parameters (decay)");
  return value;
}

}  // namespace hedgerow
