// Kernel values and scores that no double can hold.
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace hedgerow::models {

[[noreturn]] inline void reject_overflow() {
  throw std::overflow_error(
      "a kernel value or score is too large for float64; use Normalized(kernel), smaller parameters (decay, "
      "degree, scale, offset) or smaller features");
}

inline double require_finite(double value) {
  if (!std::isfinite(value)) reject_overflow();
  return value;
}

inline void check_scores(const double* scores, std::int32_t n) {
  for (std::int32_t c = 0; c < n; ++c) require_finite(scores[c]);
}

}  // namespace hedgerow::models
