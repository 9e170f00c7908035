// Small loops over rows and lists of columns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hedgerow {

// out[k] = row[column[k]]
template <class From, class To>
void pick(const From* row, std::span<const std::int32_t> column, To* out) {
  for (std::size_t k = 0; k < column.size(); ++k) out[k] = static_cast<To>(row[column[k]]);
}

// Where the items stand in a list that has all of them; both increase.
inline std::vector<std::int32_t> positions(std::span<const std::int32_t> items,
                                           std::span<const std::int32_t> list) {
  std::vector<std::int32_t> result;
  result.reserve(items.size());
  std::size_t at = 0;
  for (std::int32_t item : items) {
    while (list[at] != item) ++at;
    result.push_back(static_cast<std::int32_t>(at));
  }
  return result;
}

template <class Real>
bool all_finite(const Real* values, std::int64_t n) {
  // x - x is 0 for finite numbers, else undefined. Eight sums, so that none waits for the one before.
  Real sums[8] = {};
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int k = 0; k < 8; ++k) sums[k] += values[i + k] - values[i + k];
  for (; i < n; ++i) sums[0] += values[i] - values[i];
  Real total = 0;
  for (Real sum : sums) total += sum;
  return total == 0;
}

}  // namespace hedgerow
