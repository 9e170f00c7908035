// Every predictor that a linear function went through, for majority votes.
//
// Kept are the cells that each update touched, and the clock of each predictor: memory grows with the number
// of entries of all examples that were learned from.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "linear/cells.hpp"
#include "models/vector_batch.hpp"

namespace hedgerow::linear {

// What a rule says about predictors that it went through, whose clocks and cells it gets as numbers.
class PastPredictors {
 public:
  virtual ~PastPredictors() = default;
  virtual bool looks_at(std::int32_t feature) const = 0;
  // A score is factor * sum + constant.
  virtual double factor(const double* clock) const = 0;
  virtual double constant(const double* clock) const = 0;
  // The weights, before factors, that a cell stands for with each of n clocks; null: a cell never touched.
  virtual void weights(const double* cell, const double* clocks, std::size_t n, double* out) const = 0;
};

class CellHistory {
 public:
  static constexpr std::int32_t bias = -1;  // the feature that stands for the bias

  CellHistory(models::Layout cell, models::Layout clock) : cell_(std::move(cell)), clock_(std::move(clock)) {}

  // A new predictor comes, of which the following changes are told.
  void begin(const void* clock);
  void touch(std::int32_t feature, const double* cell);
  // An update came: of the features of an example, or of all.
  void touch(std::span<const std::int32_t> features, const CellColumn& cells);
  void touch_all(const CellColumn& cells);
  void survive() { models::count_up(counts_.back()); }
  bool empty() const { return counts_.empty(); }
  std::size_t growth() const;

  // (votes for positive - votes for negative) / votes of each row, one number every `stride` of out; a score
  // of 0 is a vote for neither. If no predictor has counted yet, the last one votes.
  void vote(const PastPredictors& rule, std::span<const models::Entries> rows, bool has_bias, double* out,
            std::size_t stride) const;

  // Predictors as they had been without all features but these, which increase, and the bias.
  void keep_only(std::span<const std::int32_t> features);

  void save(models::State& state, const std::string& prefix) const;
  // size: features are below it.
  void load(const models::State& state, const std::string& prefix, std::int64_t size);

 private:
  // The touches of a feature, and how many of them have been passed.
  struct Line {
    std::span<const std::int64_t> touches;
    std::size_t passed = 0;
  };

  const double* clock(std::size_t predictor) const { return clocks_.data() + predictor * clock_width(); }
  const double* cell(std::size_t touch) const { return cells_.data() + touch * cell_width(); }
  std::size_t cell_width() const { return cell_.size / sizeof(double); }
  std::size_t clock_width() const { return clock_.size / sizeof(double); }  // 0: there is none
  void fill(const PastPredictors& rule, Line& line, std::size_t first, std::size_t n, double* weights) const;

  models::Layout cell_, clock_;
  // Of each predictor.
  std::vector<double> clocks_;
  std::vector<std::int64_t> counts_;  // examples that it lived for
  // Of each touch.
  std::vector<std::int32_t> features_;
  std::vector<std::int64_t> predictors_;  // the first that has this cell
  std::vector<double> cells_;
  std::unordered_map<std::int32_t, std::vector<std::int64_t>> touches_;  // of each feature
};

}  // namespace hedgerow::linear
