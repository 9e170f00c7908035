// Rows of sparse matrices: products and differences.
#pragma once

#include <cstdint>
#include <span>

#include "models/items.hpp"

namespace hedgerow::structured::classes {

struct SparseRow {
  std::span<const std::int32_t> index;  // increasing
  std::span<const double> value;
};

inline SparseRow row_of(const models::SparseItems& rows, std::int64_t i) {
  const std::int64_t begin = rows.begin[i], size = rows.begin[i + 1] - begin;
  return {rows.index.subspan(begin, size), rows.value.subspan(begin, size)};
}

inline double dot(const SparseRow& row, std::span<const double> weights) {
  double sum = 0;
  for (std::size_t k = 0; k < row.index.size(); ++k) sum += row.value[k] * weights[row.index[k]];
  return sum;
}

// Calls use(index, value) for what is not zero of left - right, with increasing indices.
template <class Use>
void subtract(const SparseRow& left, const SparseRow& right, Use&& use) {
  std::size_t i = 0, j = 0;
  while (i < left.index.size() || j < right.index.size()) {
    if (j == right.index.size() || (i < left.index.size() && left.index[i] < right.index[j])) {
      use(left.index[i], left.value[i]);
      ++i;
    } else if (i == left.index.size() || right.index[j] < left.index[i]) {
      use(right.index[j], -right.value[j]);
      ++j;
    } else {
      if (const double value = left.value[i] - right.value[j]; value != 0) use(left.index[i], value);
      ++i, ++j;
    }
  }
}

}  // namespace hedgerow::structured::classes
