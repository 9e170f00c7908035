// Features of tokens by number, as readers of tokens write them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hedgerow::structured::sequence {

struct FeatureRows {
  std::vector<std::int64_t> row_begin{0};  // of each token
  std::vector<std::int32_t> feature;
  std::vector<double> value;  // empty: all are 1

  void add(std::int32_t number, double number_of_times) {
    if (number_of_times != 1 && value.empty()) value.assign(feature.size(), 1.0);
    feature.push_back(number);
    if (!value.empty() || number_of_times != 1) value.push_back(number_of_times);
  }
  void end_row() { row_begin.push_back(static_cast<std::int64_t>(feature.size())); }
};

// The same for what exists already.
struct FeatureRowsView {
  std::span<const std::int64_t> row_begin;
  std::span<const std::int32_t> feature;
  std::span<const double> value;

  std::int64_t rows() const { return static_cast<std::int64_t>(row_begin.size()) - 1; }
  double value_at(std::int64_t k) const { return value.empty() ? 1.0 : value[k]; }
  void check() const;
};

// Each token also has the features of its neighbours up to `radius` away: feature f of the neighbour at
// `offset` has the number f * (2 radius + 1) + offset + radius, so that further features get further numbers.
FeatureRows with_neighbours(FeatureRowsView rows, std::span<const std::int64_t> sequence_begin,
                            std::int32_t radius);

// Numbers equal rows alike, in order of arrival: the number of each row, and the first row of each number.
struct DistinctRows {
  std::vector<std::int32_t> number;
  std::vector<std::int64_t> first;
};
DistinctRows distinct_rows(FeatureRowsView rows);

}  // namespace hedgerow::structured::sequence
