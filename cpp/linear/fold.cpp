#include "linear/fold.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/row_checks.hpp"

namespace hedgerow::linear {

FoldedRows fold_rows(std::span<const std::int64_t> begin, std::span<const std::int64_t> index,
                     std::span<const double> value, std::int64_t width) {
  if (width < 1 || (width & (width - 1)) != 0 || width > std::int64_t{1} << 31)
    throw std::invalid_argument("the width must be a power of two, at most 2^31");
  if (index.size() != value.size() || !models::rows_follow(begin, index.size()))
    throw std::invalid_argument("rows must follow each other");
  FoldedRows rows;
  rows.begin.reserve(begin.size());
  rows.begin.push_back(0);
  std::vector<std::pair<std::int32_t, double>> entries;
  for (std::size_t i = 0; i + 1 < begin.size(); ++i) {
    entries.clear();
    for (std::int64_t k = begin[i]; k < begin[i + 1]; ++k) {
      if (index[k] < 0) throw std::invalid_argument("indices must be at least 0");
      entries.emplace_back(static_cast<std::int32_t>(index[k] & (width - 1)), value[k]);
    }
    // Stable, so that sums are always made in the same order.
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [feature, v] : entries) {
      if (static_cast<std::int64_t>(rows.index.size()) > rows.begin.back() && rows.index.back() == feature) {
        rows.value.back() += v;
      } else {
        rows.index.push_back(feature);
        rows.value.push_back(v);
      }
    }
    rows.begin.push_back(static_cast<std::int64_t>(rows.index.size()));
  }
  return rows;
}

}  // namespace hedgerow::linear
