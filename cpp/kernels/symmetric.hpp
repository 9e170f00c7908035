// Filling the upper triangle of a symmetric matrix from its lower one.
#pragma once

#include <algorithm>
#include <cstdint>

#include "parallel.hpp"

namespace hedgerow {

// In square tiles, so that both the rows read and the rows written stay in the cache.
template <class Real>
void mirror_lower(Real* matrix, std::int64_t n, int threads) {
  constexpr std::int64_t tile = 32;
  parallel_rows(0, (n + tile - 1) / tile, threads, [&](std::int64_t block, int) {
    const std::int64_t top = block * tile, bottom = std::min(n, top + tile);
    for (std::int64_t left = 0; left < bottom; left += tile)
      for (std::int64_t i = top; i < bottom; ++i)
        for (std::int64_t j = left; j < std::min(i, left + tile); ++j) matrix[j * n + i] = matrix[i * n + j];
  });
}

}  // namespace hedgerow
