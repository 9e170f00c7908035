// Small loops over rows and lists of columns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hedgerow::svm {

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

bool all_finite(const float* values, std::int64_t n);
bool all_finite(const double* values, std::int64_t n);

void convert(const double* from, std::int64_t n, float* to);
void convert(const double* from, std::int64_t n, double* to);

}  // namespace hedgerow::svm
