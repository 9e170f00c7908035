#include "structured/sequence/feature_rows.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

#include "data/sequence_table.hpp"

namespace hedgerow::structured::sequence {

void FeatureRowsView::check() const {
  if (row_begin.empty() || row_begin.front() != 0 ||
      row_begin.back() != static_cast<std::int64_t>(feature.size()) || !std::ranges::is_sorted(row_begin) ||
      (!value.empty() && value.size() != feature.size()))
    throw std::invalid_argument("the arrays of the features do not fit together");
}

FeatureRows with_neighbours(FeatureRowsView rows, std::span<const std::int64_t> sequence_begin,
                            std::int32_t radius) {
  rows.check();
  if (sequence_begin.empty() || sequence_begin.front() != 0 || sequence_begin.back() != rows.rows() ||
      !std::ranges::is_sorted(sequence_begin))
    throw std::invalid_argument("the arrays of the sequences do not fit together");
  const std::int64_t offsets = 2 * std::int64_t{radius} + 1;
  for (const std::int32_t feature : rows.feature)
    if (feature < 0 || (feature + 1) * offsets > std::numeric_limits<std::int32_t>::max())
      throw std::invalid_argument("there are too many features for windows of this width");
  FeatureRows wide;
  for (std::size_t s = 0; s + 1 < sequence_begin.size(); ++s)
    for (std::int64_t t = sequence_begin[s]; t < sequence_begin[s + 1]; ++t) {
      const std::int64_t first = std::max(t - radius, sequence_begin[s]);
      const std::int64_t last = std::min(t + radius, sequence_begin[s + 1] - 1);
      for (std::int64_t u = first; u <= last; ++u)
        for (std::int64_t k = rows.row_begin[u]; k < rows.row_begin[u + 1]; ++k)
          wide.add(static_cast<std::int32_t>(rows.feature[k] * offsets + (u - t) + radius), rows.value_at(k));
      wide.end_row();
    }
  return wide;
}

DistinctRows distinct_rows(FeatureRowsView rows) {
  rows.check();
  data::SequenceTable<std::int64_t> table;
  DistinctRows result;
  std::vector<std::int64_t> key;
  for (std::int64_t row = 0; row < rows.rows(); ++row) {
    key.clear();
    for (std::int64_t k = rows.row_begin[row]; k < rows.row_begin[row + 1]; ++k) {
      key.push_back(rows.feature[k]);
      key.push_back(std::bit_cast<std::int64_t>(rows.value_at(k)));
    }
    const std::int32_t number = table.intern(key);
    if (number == static_cast<std::int32_t>(result.first.size())) result.first.push_back(row);
    result.number.push_back(number);
  }
  return result;
}

}  // namespace hedgerow::structured::sequence
