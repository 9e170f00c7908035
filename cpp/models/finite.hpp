// Numbers that became too large.
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace hedgerow {

// Throws overflow_error when a score is infinite or undefined.
inline void check_scores(const double* scores, std::int32_t n) {
  for (std::int32_t c = 0; c < n; ++c)
    if (!std::isfinite(scores[c]))
      throw std::overflow_error(
          "a score is too large for float64; use Normalized(kernel), smaller parameters (decay, degree) or "
          "smaller features");
}

}  // namespace hedgerow
