// Every predictor that a linear function went through, for majority votes.
//
// Kept are the cells that each update touched, and the clock of each predictor: memory grows with the number
// of entries of all examples that were learned from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/fields.hpp"

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
    const auto event = static_cast<std::int64_t>(cells_.size());
    const auto [place, is_new] = last_.try_emplace(feature, event);
    earlier_.push_back(is_new ? -1 : place->second);
    place->second = event;
    features_.push_back(feature);
    predictors_.push_back(static_cast<std::int64_t>(clocks_.size()) - 1);
    cells_.push_back(cell);
  }
  void survive() { ++counts_.back(); }
  bool empty() const { return clocks_.empty(); }

  std::size_t size() const { return clocks_.size(); }
  const Clock& clock(std::size_t predictor) const { return clocks_[predictor]; }

  // Adds to the score of every predictor what a feature contributes: value * weight(cell, clock).
  template <class Weight>
  void add_scores(std::int32_t feature, double value, Weight&& weight, std::vector<double>& scores) const {
    auto end = static_cast<std::int64_t>(clocks_.size());
    const auto place = last_.find(feature);
    for (std::int64_t event = place == last_.end() ? -1 : place->second; event >= 0;
         event = earlier_[event]) {
      for (std::int64_t k = predictors_[event]; k < end; ++k)
        scores[k] += value * weight(cells_[event], clocks_[k]);
      end = predictors_[event];
    }
    const Cell untouched{};
    for (std::int64_t k = 0; k < end; ++k) scores[k] += value * weight(untouched, clocks_[k]);
  }
  // (votes for positive - votes for negative) / votes.
  double vote(const std::vector<double>& scores) const {
    double votes = 0, total = 0;
    for (std::size_t k = 0; k < scores.size(); ++k) {
      const auto count = static_cast<double>(counts_[k]);
      votes += scores[k] > 0 ? count : scores[k] < 0 ? -count : 0;
      total += count;
    }
    return total > 0 ? votes / total : 0;
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
  // Of each predictor.
  std::vector<Clock> clocks_;
  std::vector<std::int64_t> counts_;  // examples that it lived for
  // Of each touch.
  std::vector<std::int32_t> features_;
  std::vector<std::int64_t> predictors_;  // the first that has this cell
  std::vector<Cell> cells_;
  std::vector<std::int64_t> earlier_;  // the touch of the same feature before it
  std::unordered_map<std::int32_t, std::int64_t> last_;
};

}  // namespace hedgerow::linear
