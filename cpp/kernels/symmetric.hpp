// Filling the upper triangle of a symmetric matrix from its lower one.
#pragma once

#include <algorithm>
#include <cstdint>

#include "parallel.hpp"

namespace hedgerow::kernels {

// Copies rows [top, bottom) of the lower triangle into the columns of the upper one; few rows at a time, so
// that what is read stays in the cache.
template <class Real>
void mirror_rows(Real* matrix, std::int64_t n, std::int64_t top, std::int64_t bottom) {
  for (std::int64_t j = 0; j < bottom; ++j)
    for (std::int64_t i = std::max(top, j + 1); i < bottom; ++i) matrix[j * n + i] = matrix[i * n + j];
}

template <class Real>
void mirror_lower(Real* matrix, std::int64_t n, int threads) {
  constexpr std::int64_t strip = 32;
  parallel_rows(0, (n + strip - 1) / strip, threads, [&](std::int64_t s, int) {
    mirror_rows(matrix, n, s * strip, std::min(n, (s + 1) * strip));
  });
}

}  // namespace hedgerow::kernels
