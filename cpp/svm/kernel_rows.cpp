#include "svm/kernel_rows.hpp"

#include <algorithm>

#include "parallel.hpp"

namespace hedgerow::svm {
namespace {

template <class Real>
HEDGEROW_INLINE void add_to(const Real* __restrict row, double factor, std::int64_t n,
                            double* __restrict sum) {
  for (std::int64_t i = 0; i < n; ++i) sum[i] += factor * static_cast<double>(row[i]);
}

HEDGEROW_CLONES(void, add_row, (const float* row, double factor, std::int64_t n, double* sum),
                (row, factor, n, sum)) {
  add_to(row, factor, n, sum);
}
HEDGEROW_CLONES(void, add_row, (const double* row, double factor, std::int64_t n, double* sum),
                (row, factor, n, sum)) {
  add_to(row, factor, n, sum);
}

}  // namespace

template <class Real>
void combine_rows(std::span<const Real* const> rows, std::span<const double> coefficients, std::int64_t size,
                  std::span<const std::int32_t> targets, int threads, double* out) {
  constexpr std::int64_t block = 2048;  // columns whose sums stay in the first-level cache
  std::vector<double> sum(size, 0.0);
  parallel_rows(0, (size + block - 1) / block, threads, [&](std::int64_t b, int) {
    const std::int64_t begin = b * block, n = std::min(block, size - begin);
    for (std::size_t k = 0; k < rows.size(); ++k)
      add_row(rows[k] + begin, coefficients[k], n, sum.data() + begin);
  });
  for (std::size_t t = 0; t < targets.size(); ++t) out[t] = sum[targets[t]];
}

template void combine_rows(std::span<const float* const>, std::span<const double>, std::int64_t,
                           std::span<const std::int32_t>, int, double*);
template void combine_rows(std::span<const double* const>, std::span<const double>, std::int64_t,
                           std::span<const std::int32_t>, int, double*);

}  // namespace hedgerow::svm
