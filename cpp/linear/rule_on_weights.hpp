// RuleOnWeights: the rules of kernel learners on plain weights, the linear form of a function.
//
// f(x) = scale * w.x + bias. As in an expansion, averages need no second model: with S(t) the sum of the
// scales up to step t, what came into a weight at step a contributes weight * (S(t) - S(a)) to the sum of
// predictors.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <type_traits>

#include "linear/cell_rule.hpp"
#include "models/function.hpp"
#include "online/rule.hpp"

namespace hedgerow::linear {

// A weight, before scaling.
struct PlainWeight {
  double weight;
};
struct AveragedWeight {
  double weight;
  double offset;  // the sum of -delta * S(a) over its changes
};
struct WeightClock {
  double scale = 1, bias = 0;
};

template <class Cell>
class RuleOnWeights final : public CellRule<RuleOnWeights<Cell>, Cell, WeightClock>,
                            private models::Function {
  using Base = CellRule<RuleOnWeights<Cell>, Cell, WeightClock>;
  using Base::averaging_, Base::cells_, Base::clock_, Base::each, Base::rewrote_all_;
  static constexpr bool keeps_offsets = std::is_same_v<Cell, AveragedWeight>;

 public:
  // largest_scale: beyond it, the scale is multiplied into the weights.
  RuleOnWeights(std::unique_ptr<online::Rule> rule, models::Averaging averaging, double largest_scale)
      : Base(averaging, false),
        rule_(std::move(rule)),
        largest_scale_(largest_scale),
        keeps_norm_(rule_->needs_norm() || averaging == models::Averaging::normalized) {}

  std::unique_ptr<LinearRule> fresh() const override {
    return std::make_unique<RuleOnWeights>(rule_->fresh(), averaging_, largest_scale_);
  }

  double weight(const Cell& cell, const WeightClock& clock) const { return clock.scale * cell.weight; }
  double constant(const WeightClock& clock) const { return clock.bias; }
  double average(const Cell& cell) const {
    if constexpr (keeps_offsets)
      return steps_ > 0 ? (cell.offset + scale_sum_ * cell.weight) / steps_ : 0;
    else
      return this->weight(cell, clock_);
  }
  double score(const models::Entries& x) const override {
    return clock_.scale * this->dot(x, [](const Cell& cell) { return cell.weight; }) + clock_.bias;
  }
  double average_constant() const { return steps_ > 0 ? bias_sum_ / steps_ : 0; }

  bool update(const models::Entries& x, double score, double y, double weight) {
    example_ = x;
    score_ = score;
    value_ = score - clock_.bias;
    self_kernel_ = -1;
    changed_ = false;
    rule_->update(*this, y, weight);
    return changed_;
  }

  void survive() {
    steps_ += 1;
    double weight = averaging_ == models::Averaging::average ? 1 : 0;
    if (averaging_ == models::Averaging::normalized && squared_norm_ > 0)
      weight = 1 / std::sqrt(squared_norm_);
    scale_sum_ += weight * clock_.scale;
    bias_sum_ += weight * clock_.bias;
  }

  void save_rest(models::State& state, const std::string& prefix) const {
    state.set(prefix + "sums", std::vector<double>{squared_norm_, scale_sum_, bias_sum_, steps_});
    rule_->save(state, prefix + "rule.");
  }
  void load_rest(const models::State& state, const std::string& prefix) {
    const auto& sums = state.get<double>(prefix + "sums", 4);
    squared_norm_ = sums[0];
    scale_sum_ = sums[1];
    bias_sum_ = sums[2];
    steps_ = sums[3];
    rule_->load(state, prefix + "rule.");
  }

 private:
  // ---- the function that the rule sees, at the current example

  double score() const override { return score_; }
  double self_kernel() override {
    if (self_kernel_ < 0) self_kernel_ = this->squared_length(example_);
    if (!std::isfinite(self_kernel_))
      throw std::overflow_error(
          "feature values are so large that their squares overflow; they must be scaled");
    return self_kernel_;
  }
  void add(double coefficient) override {
    if (coefficient == 0) return;
    const double squared_length = keeps_norm_ ? self_kernel() : 0;
    changed_ = true;
    const double delta = coefficient / clock_.scale;
    if constexpr (keeps_offsets) {
      const double offset = -delta * scale_sum_;
      each(example_, [&](Cell& cell, double x) {
        cell.weight += delta * x;
        cell.offset += offset * x;
      });
    } else {
      each(example_, [&](Cell& cell, double x) { cell.weight += delta * x; });
    }
    if (!keeps_norm_) return;
    squared_norm_ = std::max(0.0, squared_norm_ + coefficient * (2 * value_ + coefficient * squared_length));
    value_ += coefficient * squared_length;
  }
  void scale(double factor) override {
    if (factor == 1) return;
    changed_ = true;
    clock_.scale *= factor;
    squared_norm_ *= factor * factor;
    value_ *= factor;
    if (std::abs(clock_.scale) < 1e-3 || std::abs(clock_.scale) > largest_scale_) settle_scale();
  }
  double squared_norm() const override { return squared_norm_; }
  double bias() const override { return clock_.bias; }
  void add_bias(double delta) override {
    if (delta == 0) return;
    changed_ = true;
    clock_.bias += delta;
  }

  // Multiplies the scale into the weights: before sums of small scales would lose their digits beside those
  // of large ones, or numbers overflow.
  void settle_scale() {
    for (std::int64_t j = 0; j < cells_.size(); ++j) {
      Cell& cell = cells_[j];
      if (cell.weight == 0) continue;
      if constexpr (keeps_offsets) cell.offset += scale_sum_ * cell.weight;
      cell.weight *= clock_.scale;
    }
    clock_.scale = 1;
    scale_sum_ = 0;
    rewrote_all_ = true;
  }

  std::unique_ptr<online::Rule> rule_;
  double largest_scale_;
  bool keeps_norm_;
  models::Entries example_;
  double score_ = 0, value_ = 0;  // f(x) as it was; f(x) as it is, without the bias
  double self_kernel_ = -1;       // negative: not asked for yet
  bool changed_ = false;
  double squared_norm_ = 0;                          // of f without its bias
  double scale_sum_ = 0, bias_sum_ = 0, steps_ = 0;  // over predictors, weighted as the average weights them
};

inline std::unique_ptr<LinearRule> rule_on_weights(std::unique_ptr<online::Rule> rule,
                                                   models::Averaging averaging, double largest_scale) {
  if (averaging == models::Averaging::average || averaging == models::Averaging::normalized)
    return std::make_unique<RuleOnWeights<AveragedWeight>>(std::move(rule), averaging, largest_scale);
  return std::make_unique<RuleOnWeights<PlainWeight>>(std::move(rule), averaging, largest_scale);
}

}  // namespace hedgerow::linear
