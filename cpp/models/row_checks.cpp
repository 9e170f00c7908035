#include "models/row_checks.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "parallel.hpp"

namespace hedgerow::models {
namespace {

// Loops without branches over all entries: streams of rows should not wait for their checks.

struct IndexSummary {
  std::int64_t steps_down = 0;
  bool outside = false;
};

HEDGEROW_CLONES(IndexSummary, summarize, (const std::int32_t* index, std::int64_t n, std::int32_t limit),
                (index, n, limit)) {
  IndexSummary summary;
  if (n > 0) summary.outside = index[0] < 0 || index[0] > limit;
  for (std::int64_t begin = 1; begin < n; begin += 1 << 20) {  // in counts that lanes of 32 bits can hold
    std::int32_t down = 0, outside = 0;
    const std::int64_t end = std::min<std::int64_t>(n, begin + (1 << 20));
    for (std::int64_t i = begin; i < end; ++i) {
      down += index[i] <= index[i - 1] ? 1 : 0;
      outside |= (index[i] < 0) | (index[i] > limit);
    }
    summary.steps_down += down;
    summary.outside |= outside != 0;
  }
  return summary;
}

HEDGEROW_CLONES(bool, finite, (const double* values, std::int64_t n), (values, n)) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000;
  std::uint64_t infinite = 0;
  for (std::int64_t i = 0; i < n; ++i)
    infinite |= (std::bit_cast<std::uint64_t>(values[i]) & exponent) == exponent ? 1 : 0;
  return infinite == 0;
}

// Sizes are compared as whole numbers, of which the bits of a double without its sign are in the same order.
HEDGEROW_CLONES(bool, at_most, (const double* values, std::int64_t n, double largest), (values, n, largest)) {
  const auto high = std::bit_cast<std::int64_t>(largest);
  constexpr std::int64_t size = 0x7fffffffffffffff;
  std::int64_t outside = 0;  // negative where a size is too large
  for (std::int64_t i = 0; i < n; ++i) outside |= high - (std::bit_cast<std::int64_t>(values[i]) & size);
  return outside >= 0;
}

}  // namespace

void check_rows(std::span<const std::int64_t> begin, std::size_t indices, std::size_t values,
                std::int64_t width) {
  if (width < 0 || width > std::int64_t{1} << 31)
    throw std::invalid_argument("vectors have at most 2147483648 features, got " + std::to_string(width));
  if (indices != values || !rows_follow(begin, indices))
    throw std::invalid_argument("the arrays of the sparse matrix do not fit together");
}

bool indices_in_order(std::span<const std::int32_t> begin, std::span<const std::int32_t> index,
                      std::int64_t width) {
  const auto n = static_cast<std::int64_t>(index.size());
  if (n > 0 && width < 1) return false;
  const auto limit = static_cast<std::int32_t>(std::min<std::int64_t>(width - 1, 0x7fffffff));
  const IndexSummary summary = summarize(index.data(), n, limit);
  if (summary.outside) return false;
  // Steps down are allowed where a row begins.
  std::int64_t allowed = 0;
  for (std::size_t row = 1; row + 1 < begin.size(); ++row) {
    const std::int64_t first = begin[row];
    if (first == begin[row + 1] || first == 0) continue;  // an empty row, or only such before
    allowed += index[first] <= index[first - 1];
  }
  return summary.steps_down == allowed;
}

bool all_finite(std::span<const double> values) {
  return finite(values.data(), static_cast<std::int64_t>(values.size()));
}

bool all_at_most(std::span<const double> values, double largest) {
  return at_most(values.data(), static_cast<std::int64_t>(values.size()), largest);
}

}  // namespace hedgerow::models
