#include "models/whole_numbers.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/lanes.hpp"
#include "parallel.hpp"

namespace hedgerow::models {
namespace {

constexpr std::int64_t width = 16;
using Bytes = VectorOf<std::int8_t, 16>;
using Shorts = VectorOf<std::int16_t, 32>;

HEDGEROW_INLINE void add_product(const std::int8_t* column, std::int16_t factor, Shorts& sum) {
  Bytes bytes;
  kernels::load(column, bytes);
  Shorts shorts;
  convert_each(bytes, shorts);
  sum += factor * shorts;
}

// sum[s] += sum over j of factor[j] * column[j][s] for s in [begin, end)
HEDGEROW_CLONES(void, add_columns,
                (const std::int8_t* const* column, const std::int16_t* factor, std::int64_t columns,
                 std::int64_t begin, std::int64_t end, std::int16_t* sum),
                (column, factor, columns, begin, end, sum)) {
  std::int64_t s = begin;
  for (; s + 2 * width <= end; s += 2 * width) {
    Shorts a, b;
    kernels::load(sum + s, a);
    kernels::load(sum + s + width, b);
    for (std::int64_t j = 0; j < columns; ++j) {
      add_product(column[j] + s, factor[j], a);
      add_product(column[j] + s + width, factor[j], b);
    }
    kernels::store(a, sum + s);
    kernels::store(b, sum + s + width);
  }
  for (; s < end; ++s)
    for (std::int64_t j = 0; j < columns; ++j)
      sum[s] = static_cast<std::int16_t>(sum[s] + factor[j] * column[j][s]);
}

HEDGEROW_CLONES(void, to_doubles, (const std::int16_t* from, std::int64_t n, double* to), (from, n, to)) {
  for (std::int64_t s = 0; s < n; ++s) to[s] = from[s];
}

}  // namespace

bool are_small_and_whole(std::span<const double> values) {
  double square = 0;
  for (double value : values) {
    if (!(std::abs(value) <= 127) || value != std::trunc(value)) return false;
    square += value * value;
  }
  return square <= 32767;
}

void add_whole_columns(std::span<const std::int8_t* const> column, const std::int16_t* factor, std::int64_t n,
                       std::int16_t* start, double* out) {
  constexpr std::int64_t tile = 4096;
  for (std::int64_t begin = 0; begin < n; begin += tile) {
    const std::int64_t end = std::min(begin + tile, n);
    add_columns(column.data(), factor, static_cast<std::int64_t>(column.size()), begin, end, start);
    to_doubles(start + begin, end - begin, out + begin);
  }
}

}  // namespace hedgerow::models
