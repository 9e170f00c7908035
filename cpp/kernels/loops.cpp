#include "kernels/loops.hpp"

#include <algorithm>

#include "kernels/lanes.hpp"
#include "parallel.hpp"

namespace hedgerow::kernels {
namespace {

// Four sums of some lanes each, so that an addition need not wait for the one before. read(i, x) sets x to
// the left factors from i on; at(i) is one of them.
template <class Real, class Read, class At>
HEDGEROW_INLINE double lanes_sum(const Read& read, const At& at, const Real* b, std::int32_t n) {
  using Vector = typename Lanes<Real>::Vector;
  constexpr std::int32_t width = Lanes<Real>::width;
  Vector sums[4] = {};
  std::int32_t i = 0;
  for (; i + 4 * width <= n; i += 4 * width)
    for (std::int32_t k = 0; k < 4; ++k) {
      Vector x, y;
      read(i + k * width, x);
      load(b + i + k * width, y);
      sums[k] += x * y;
    }
  const Vector lanes = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  double sum = 0;
  for (std::int32_t w = 0; w < width; ++w) sum += lanes[w];
  for (; i < n; ++i) sum += static_cast<double>(at(i)) * b[i];
  return sum;
}

template <class Real>
HEDGEROW_INLINE double lanes_dot(const Real* a, const Real* b, std::int32_t n) {
  return lanes_sum([a](std::int32_t i, auto& x) HEDGEROW_INLINE_BODY { load(a + i, x); },
                   [a](std::int32_t i) HEDGEROW_INLINE_BODY { return a[i]; }, b, n);
}

template <class Real>
HEDGEROW_INLINE void multiply_all(Real* __restrict values, std::int32_t n, const Real* __restrict others,
                                  const std::int32_t* __restrict position) {
  for (std::int32_t i = 0; i < n; ++i) values[i] *= Real(1) + others[position[i]];
}

}  // namespace

HEDGEROW_CLONES(void, fill_long, (float* values, std::int32_t n, float value), (values, n, value)) {
  for (std::int32_t i = 0; i < n; ++i) values[i] = value;
}

HEDGEROW_CLONES(void, fill_long, (double* values, std::int32_t n, double value), (values, n, value)) {
  for (std::int32_t i = 0; i < n; ++i) values[i] = value;
}

HEDGEROW_CLONES(void, multiply_gathered,
                (float* values, std::int32_t n, const float* others, const std::int32_t* position),
                (values, n, others, position)) {
  multiply_all(values, n, others, position);
}

HEDGEROW_CLONES(void, multiply_gathered,
                (double* values, std::int32_t n, const double* others, const std::int32_t* position),
                (values, n, others, position)) {
  multiply_all(values, n, others, position);
}

HEDGEROW_CLONES(double, dot_long, (const double* a, const double* b, std::int32_t n), (a, b, n)) {
  return lanes_dot(a, b, n);
}

HEDGEROW_CLONES(double, gathered_dot_long,
                (const double* values, const std::int32_t* position, const double* factors, std::int32_t n),
                (values, position, factors, n)) {
  return lanes_sum([=](std::int32_t i, auto& x) HEDGEROW_INLINE_BODY { gather(x, values, position + i); },
                   [=](std::int32_t i) HEDGEROW_INLINE_BODY { return values[position[i]]; }, factors, n);
}

HEDGEROW_CLONES(double, dot_long, (const float* a, const float* b, std::int32_t n), (a, b, n)) {
  constexpr std::int32_t block = 512;
  double sum = 0;
  for (std::int32_t i = 0; i < n; i += block) sum += lanes_dot(a + i, b + i, std::min(block, n - i));
  return sum;
}

}  // namespace hedgerow::kernels
