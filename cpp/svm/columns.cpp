#include "svm/columns.hpp"

#include <algorithm>

#include "kernels/lanes.hpp"
#include "parallel.hpp"

namespace hedgerow::svm {
namespace {

// x - x is 0 for finite numbers, else undefined.
template <class Real>
HEDGEROW_INLINE bool finite_lanes(const Real* values, std::int64_t n) {
  typename kernels::Lanes<Real>::Vector sums = {};
  std::int64_t i = 0;
  for (; i + kernels::Lanes<Real>::width <= n; i += kernels::Lanes<Real>::width) {
    typename kernels::Lanes<Real>::Vector x;
    kernels::load(values + i, x);
    sums += x - x;
  }
  Real total = 0;
  for (std::int32_t w = 0; w < kernels::Lanes<Real>::width; ++w) total += sums[w];
  for (; i < n; ++i) total += values[i] - values[i];
  return total == 0;
}

}  // namespace

HEDGEROW_CLONES(bool, all_finite, (const float* values, std::int64_t n), (values, n)) {
  return finite_lanes(values, n);
}
HEDGEROW_CLONES(bool, all_finite, (const double* values, std::int64_t n), (values, n)) {
  return finite_lanes(values, n);
}

HEDGEROW_CLONES(void, convert, (const double* from, std::int64_t n, float* to), (from, n, to)) {
  for (std::int64_t i = 0; i < n; ++i) to[i] = static_cast<float>(from[i]);
}
void convert(const double* from, std::int64_t n, double* to) { std::copy(from, from + n, to); }

}  // namespace hedgerow::svm
