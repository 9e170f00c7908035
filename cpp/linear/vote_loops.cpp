#include "linear/vote_loops.hpp"

#include "parallel.hpp"

namespace hedgerow::linear {

// Four entries in one go over the sums, which are read and written less often so. Each sum is rounded as
// before.
HEDGEROW_CLONES void add_rows(const double* table, std::size_t width, const std::size_t* row,
                              const double* value, std::size_t entries, std::size_t n,
                              double* __restrict sums) {
  for (std::size_t k = 0; k < n; ++k) sums[k] = 0;
  std::size_t i = 0;
  for (; i + 4 <= entries; i += 4) {
    const double *a = table + row[i] * width, *b = table + row[i + 1] * width;
    const double *c = table + row[i + 2] * width, *d = table + row[i + 3] * width;
    const double x = value[i], y = value[i + 1], z = value[i + 2], w = value[i + 3];
    for (std::size_t k = 0; k < n; ++k) sums[k] = (((sums[k] + x * a[k]) + y * b[k]) + z * c[k]) + w * d[k];
  }
  for (; i < entries; ++i) {
    const double* a = table + row[i] * width;
    const double x = value[i];
    for (std::size_t k = 0; k < n; ++k) sums[k] += x * a[k];
  }
}

// Counts are whole numbers, whose sum does not depend on the order.
HEDGEROW_CLONES double count_votes(const double* sums, const double* factors, const double* constants,
                                   const double* counts, std::size_t n) {
  double votes[4] = {0, 0, 0, 0};
  const auto vote = [&](std::size_t k) HEDGEROW_INLINE_BODY {
    const double score = factors[k] * sums[k] + constants[k];
    return (score > 0 ? counts[k] : 0) - (score < 0 ? counts[k] : 0);
  };
  std::size_t k = 0;
  for (; k + 4 <= n; k += 4)
    for (int lane = 0; lane < 4; ++lane) votes[lane] += vote(k + lane);
  for (; k < n; ++k) votes[0] += vote(k);
  return (votes[0] + votes[1]) + (votes[2] + votes[3]);
}

}  // namespace hedgerow::linear
