#include "kernels/dot.hpp"

#include "kernels/lanes.hpp"
#include "parallel.hpp"

namespace hedgerow {

HEDGEROW_CLONES double long_dot(const double* a, const double* b, std::int32_t n) {
  // Four sums of four lanes each, so that an addition need not wait for the one before.
  using Vector = Lanes<double>::Vector;
  constexpr std::int32_t width = Lanes<double>::width;
  Vector sum0{}, sum1{}, sum2{}, sum3{};
  std::int32_t i = 0;
  for (; i + 4 * width <= n; i += 4 * width) {
    Vector x, y;
    load(a + i, x), load(b + i, y), sum0 += x * y;
    load(a + i + width, x), load(b + i + width, y), sum1 += x * y;
    load(a + i + 2 * width, x), load(b + i + 2 * width, y), sum2 += x * y;
    load(a + i + 3 * width, x), load(b + i + 3 * width, y), sum3 += x * y;
  }
  sum0 = (sum0 + sum1) + (sum2 + sum3);
  double sum = (sum0[0] + sum0[1]) + (sum0[2] + sum0[3]);
  for (; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace hedgerow
