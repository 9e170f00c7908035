// Every predictor that a linear function went through, for majority votes.
//
// Kept are the cells that each update touched, and the clock of each predictor: memory grows with the number
// of entries of all examples that were learned from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "linear/vote_loops.hpp"
#include "models/fields.hpp"
#include "models/vector_batch.hpp"

namespace hedgerow::linear {

template <class Cell, class Clock>
class CellHistory {
 public:
  static constexpr std::int32_t bias = -1;  // the feature that stands for the bias

  // A new predictor comes, of which the following changes are told.
  void begin(const Clock& clock) {
    clocks_.push_back(clock);
    counts_.push_back(0);
  }
  void touch(std::int32_t feature, const Cell& cell) {
    touches_[feature].push_back(static_cast<std::int64_t>(cells_.size()));
    features_.push_back(feature);
    predictors_.push_back(static_cast<std::int64_t>(clocks_.size()) - 1);
    cells_.push_back(cell);
  }
  void survive() { models::count_up(counts_.back()); }
  bool empty() const { return clocks_.empty(); }
  std::size_t growth() const {
    return 2 * (clocks_.capacity() * (sizeof(Clock) + 8) + cells_.capacity() * (sizeof(Cell) + 12)) +
           64 * touches_.size();
  }

  // (votes for positive - votes for negative) / votes of each row, one number every `stride` of out; a score
  // of 0 is a vote for neither. If no predictor has counted yet, the last one votes.
  //
  // A few predictors at a time, and all rows: the weights that these predictors have for a feature stand
  // beside each other in a table, made from the touches of the feature, and are added to the scores of all
  // these predictors at once. Sums are those of each predictor alone, to the last bit.
  template <class Rule>
  void vote(const Rule& rule, std::span<const models::Entries> rows, bool has_bias, double* out,
            std::size_t stride) const {
    std::vector<std::int32_t> features;
    for (const models::Entries& x : rows)
      std::ranges::copy_if(x.feature, std::back_inserter(features),
                           [&](std::int32_t feature) { return rule.looks_at(feature); });
    if (has_bias) features.push_back(bias);
    std::ranges::sort(features);
    features.erase(std::unique(features.begin(), features.end()), features.end());
    std::vector<Line> lines;
    for (const std::int32_t feature : features)
      if (const auto found = touches_.find(feature); found != touches_.end())
        lines.push_back({found->second});
      else
        lines.push_back({});

    // The entries of all rows, the bias last.
    std::vector<VoteEntry> entries;
    std::vector<std::size_t> ends;
    for (const models::Entries& x : rows) {
      for (std::size_t i = 0; i < x.feature.size(); ++i) {
        if (!rule.looks_at(x.feature[i])) continue;
        const std::size_t line = std::ranges::lower_bound(features, x.feature[i]) - features.begin();
        entries.push_back({line * voters, x.value[i]});
      }
      if (has_bias) entries.push_back({0, 1.0});
      ends.push_back(entries.size());
    }

    const double total = std::accumulate(counts_.begin(), counts_.end(), 0.0);
    std::vector<double> table(lines.size() * voters), votes(rows.size(), 0.0);
    for (std::size_t first = 0; first < clocks_.size(); first += voters) {
      const std::size_t n = std::min(voters, clocks_.size() - first);
      for (std::size_t line = 0; line < lines.size(); ++line)
        fill(rule, lines[line], first, n, table.data() + line * voters);
      Voters group;
      for (std::size_t k = 0; k < n; ++k) {
        group.factors[k] = rule.common_factor(clocks_[first + k]);
        group.constants[k] = rule.constant(clocks_[first + k]);
        group.counts[k] =
            total > 0 ? static_cast<double>(counts_[first + k]) : first + k + 1 == clocks_.size();
      }
      add_votes(table.data(), group, entries, ends, votes.data());
    }
    for (std::size_t row = 0; row < rows.size(); ++row)
      out[row * stride] = total > 0 ? votes[row] / total : votes[row];
  }

  // Predictors as they had been without all features but these, which increase, and the bias.
  void keep_only(std::span<const std::int32_t> features) {
    CellHistory kept;
    std::size_t event = 0;
    for (std::size_t k = 0; k < clocks_.size(); ++k) {
      kept.begin(clocks_[k]);
      kept.counts_.back() = counts_[k];
      for (; event < cells_.size() && predictors_[event] == static_cast<std::int64_t>(k); ++event)
        if (features_[event] == bias || std::ranges::binary_search(features, features_[event]))
          kept.touch(features_[event], cells_[event]);
    }
    *this = std::move(kept);
  }

  void save(models::State& state, const std::string& prefix) const {
    state.set(prefix + "features", features_);
    state.set(prefix + "predictors", predictors_);
    state.set(prefix + "counts", counts_);
    models::save_fields<Cell>(state, prefix, cells_);
    models::save_fields<Clock>(state, prefix, clocks_);
  }
  // size: features are below it.
  void load(const models::State& state, const std::string& prefix, std::int64_t size) {
    const auto last = static_cast<std::int32_t>(std::min<std::int64_t>(size - 1, INT32_MAX));
    const auto& features = models::whole_numbers_in<std::int32_t>(bias, last, state, prefix + "features");
    const auto& predictors = state.get<std::int64_t>(prefix + "predictors", features.size());
    const auto& counts =
        models::whole_numbers_in<std::int64_t>(0, models::most_counted, state, prefix + "counts");
    const auto cells = models::load_fields<Cell>(state, prefix, features.size());
    const auto clocks = models::load_fields<Clock>(state, prefix, counts.size());
    *this = CellHistory();
    std::size_t event = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      begin(clocks[k]);
      counts_.back() = counts[k];
      for (; event < features.size() && predictors[event] == static_cast<std::int64_t>(k); ++event)
        touch(features[event], cells[event]);
    }
    if (event != features.size()) throw std::invalid_argument(prefix + "predictors are out of order");
  }

 private:
  // The touches of a feature, and how many of them have been passed.
  struct Line {
    std::span<const std::int64_t> touches;
    std::size_t passed = 0;
  };

  // The weights, before common factors, that n predictors from `first` on have for a feature.
  template <class Rule>
  void fill(const Rule& rule, Line& line, std::size_t first, std::size_t n, double* weights) const {
    const std::size_t last = first + n;
    for (std::size_t k = first; k < last;) {
      std::size_t end = last;
      for (; line.passed < line.touches.size(); ++line.passed)
        if (const auto at = static_cast<std::size_t>(predictors_[line.touches[line.passed]]); at > k) {
          end = std::min(end, at);
          break;
        }
      const Cell cell = line.passed > 0 ? cells_[line.touches[line.passed - 1]] : Cell{};
      for (; k < end; ++k) weights[k - first] = rule.share(cell, clocks_[k]);
    }
  }

  // Of each predictor.
  std::vector<Clock> clocks_;
  std::vector<std::int64_t> counts_;  // examples that it lived for
  // Of each touch.
  std::vector<std::int32_t> features_;
  std::vector<std::int64_t> predictors_;  // the first that has this cell
  std::vector<Cell> cells_;
  std::unordered_map<std::int32_t, std::vector<std::int64_t>> touches_;  // of each feature
};

}  // namespace hedgerow::linear
