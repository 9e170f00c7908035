#include "linear/class_loops.hpp"

#include "parallel.hpp"

namespace hedgerow::linear {
namespace {

// Eight entries in one go over the sums, which are read and written less often so.
template <std::size_t width>
HEDGEROW_INLINE void add(const double* table, std::int64_t stride, const std::int32_t* feature,
                         const double* value, std::size_t entries, std::size_t n, double* __restrict sums) {
  const std::int64_t numbers = stride * static_cast<std::int64_t>(width);
  std::size_t i = 0;
  for (; i + 8 <= entries; i += 8) {
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const double* a = table + feature[i + lane] * numbers;
      const double* b = table + feature[i + lane + 4] * numbers;
      const double x = value[i + lane], y = value[i + lane + 4];
      double* __restrict to = sums + lane * n;
      for (std::size_t k = 0; k < n; ++k) to[k] = (to[k] + x * a[k * width]) + y * b[k * width];
    }
  }
  for (std::size_t whole = entries / 4 * 4; i < entries; ++i) {
    const double* a = table + feature[i] * numbers;
    const double x = value[i];
    double* __restrict to = sums + (i < whole ? i % 4 * n : 0);
    for (std::size_t k = 0; k < n; ++k) to[k] += x * a[k * width];
  }
}

HEDGEROW_CLONES(void, add_weights,
                (const double* table, std::int64_t stride, const std::int32_t* feature, const double* value,
                 std::size_t entries, std::size_t n, double* sums),
                (table, stride, feature, value, entries, n, sums)) {
  add<1>(table, stride, feature, value, entries, n, sums);
}
HEDGEROW_CLONES(void, add_pairs,
                (const double* table, std::int64_t stride, const std::int32_t* feature, const double* value,
                 std::size_t entries, std::size_t n, double* sums),
                (table, stride, feature, value, entries, n, sums)) {
  add<2>(table, stride, feature, value, entries, n, sums);
}

}  // namespace

void add_entries(const double* table, std::int64_t stride, std::size_t width, const std::int32_t* feature,
                 const double* value, std::size_t entries, std::size_t n, double* sums) {
  switch (width) {
    case 1:
      return add_weights(table, stride, feature, value, entries, n, sums);
    case 2:
      return add_pairs(table, stride, feature, value, entries, n, sums);
    case 3:
      return add<3>(table, stride, feature, value, entries, n, sums);
    default:
      return add<4>(table, stride, feature, value, entries, n, sums);
  }
}

}  // namespace hedgerow::linear
