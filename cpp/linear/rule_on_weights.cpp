// RuleOnWeights: the rules of kernel learners on plain weights, the linear form of a function.
//
// f(x) = scale * w.x + bias. As in an expansion, averages need no second model: with S(t) the sum of the
// scales up to step t, what came into a weight at step a contributes weight * (S(t) - S(a)) to the sum of
// predictors.
#include "linear/rule_on_weights.hpp"

#include <algorithm>
#include <cmath>

#include "linear/cell_rule.hpp"
#include "models/function.hpp"

namespace hedgerow::linear {
namespace {

using models::at_least_0;
using models::finite;

constexpr double least_scale = 1e-3;

// A weight, before scaling.
struct PlainWeight {
  double weight;

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    each(Field{"weight"}, self.weight);
  }
};
struct AveragedWeight {
  double weight;
  double offset;  // the sum of -delta * S(a) over its changes

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    each(Field{"weight"}, self.weight);
    each(Field{"offset"}, self.offset);
  }
};
struct WeightClock {
  double scale = 1, bias = 0;

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    each(Field{"scale"}, self.scale);
    each(Field{"bias", finite, Mix::mean}, self.bias);
  }
};
struct WeightNumbers {
  double squared_norm = 0;                        // of f without its bias
  double scale_sum = 0, bias_sum = 0, steps = 0;  // over predictors, weighted as the average weights them

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    each(Field{"squared_norm", at_least_0}, self.squared_norm);
    each(Field{"scale_sum", finite, Mix::sum}, self.scale_sum);
    each(Field{"bias_sum", finite, Mix::sum}, self.bias_sum);
    each(Field{"steps", at_least_0, Mix::sum}, self.steps);
  }
};

template <class Cell>
class RuleOnWeights final : public CellRule<RuleOnWeights<Cell>, Cell, WeightClock, WeightNumbers>,
                            private models::Function {
  using Base = CellRule<RuleOnWeights<Cell>, Cell, WeightClock, WeightNumbers>;
  using Base::averaging_, Base::cells_, Base::clock_, Base::each, Base::numbers_, Base::rewrote_all_;

 public:
  using Base::score;  // beside that of the function
  static constexpr bool has_total = requires(Cell cell) { cell.offset; };

  RuleOnWeights(std::unique_ptr<online::Rule> rule, Averaging averaging, double largest_scale)
      : Base(averaging, false),
        rule_(std::move(rule)),
        largest_scale_(largest_scale),
        keeps_norm_(rule_->needs_norm() || averaging == Averaging::normalized) {}

  std::unique_ptr<LinearRule> fresh() const override {
    return std::make_unique<RuleOnWeights>(rule_->fresh(), averaging_, largest_scale_);
  }

  double weight(const Cell& cell, const WeightClock& clock) const { return clock.scale * cell.weight; }
  double constant(const WeightClock& clock) const { return clock.bias; }
  double average(const Cell& cell) const {
    if constexpr (has_total)
      if (numbers_.steps > 0) return (cell.offset + numbers_.scale_sum * cell.weight) / numbers_.steps;
    return this->weight(cell, clock_);
  }
  static constexpr bool scores_are_weights = true;
  double share_of_score(const Cell& cell, const WeightClock&) const { return cell.weight; }
  double factor_of_score(const WeightClock& clock) const { return clock.scale; }
  double average_constant() const {
    return numbers_.steps > 0 ? numbers_.bias_sum / numbers_.steps : clock_.bias;
  }

  bool update(const Entries& x, double score, double y, double weight) {
    stand_at(x, score);
    rule_->update(*this, y, weight);
    return changed_;
  }
  bool update_against(RuleOnWeights& rival, RuleOnWeights& keeper, const Entries& x, double score,
                      double rival_score, double weight) {
    stand_at(x, score);
    rival.stand_at(x, rival_score);
    keeper.rule_->update_against(*this, rival, weight);
    return changed_ || rival.changed_;
  }

  void count(double count) {
    numbers_.steps += count;
    double weight = averaging_ == Averaging::average ? count : 0;
    if (averaging_ == Averaging::normalized && numbers_.squared_norm > 0)
      weight = count / std::sqrt(numbers_.squared_norm);
    numbers_.scale_sum += weight * clock_.scale;
    numbers_.bias_sum += weight * clock_.bias;
  }

  void scale_counts(double factor) override {
    if constexpr (has_total) this->each_cell([=](Cell& cell) { cell.offset *= factor; });
    numbers_.scale_sum *= factor;
    numbers_.bias_sum *= factor;
    numbers_.steps *= factor;
  }

  void save_rest(State& state, const std::string& prefix) const {
    rule_->save_numbers(state, prefix + "rule.");
  }
  void load_rest(const State& state, const std::string& prefix) {
    rule_->load_numbers(state, prefix + "rule.");
    if (!(std::abs(clock_.scale) >= least_scale && std::abs(clock_.scale) <= largest_scale_))
      throw std::invalid_argument(prefix + "scale is out of range");
  }

  // ---- mixing: weights themselves are averaged; the scale, by which all weights change together, becomes 1

  struct Coordinates {
    double weight;

    template <class Self, class Each>
    static void fields(Self& self, Each&& each) {
      each(Field{"weight", finite, Mix::mean}, self.weight);
    }
  };
  Coordinates coordinates(const Cell& cell) const { return {clock_.scale * cell.weight}; }
  Cell cell_at(const Coordinates& at) const {
    Cell cell{};
    cell.weight = at.weight;
    return cell;
  }
  double total_of(const Cell& cell) const { return cell.offset + numbers_.scale_sum * cell.weight; }
  void put_total(Cell& cell, double total) const { cell.offset = total; }
  double life() const { return numbers_.scale_sum; }
  bool moved_all(const RuleOnWeights& start) const { return clock_.scale != start.clock_.scale; }
  void more_numbers(const models::EachNumber& each_number) { rule_->numbers(each_number); }
  void before_mixed_cells() {
    clock_.scale = 1;
    numbers_.scale_sum = 0;
  }
  void after_new_cells() {
    numbers_.squared_norm = 0;
    for (std::int64_t j = 0; j < cells_.size(); ++j)
      numbers_.squared_norm += cells_[j].weight * cells_[j].weight;
    numbers_.squared_norm *= clock_.scale * clock_.scale;
  }
  void begin_average() override {
    if constexpr (has_total) this->each_cell([](Cell& cell) { cell.offset = 0; });
    numbers_.bias_sum = numbers_.steps = 0;
  }

 private:
  // ---- the function that the rule sees, at the current example

  void stand_at(const Entries& x, double score) {
    example_ = x;
    score_ = score;
    value_ = score - clock_.bias;
    self_kernel_ = -1;
    changed_ = false;
  }
  double score() const override { return score_; }
  double self_kernel() override {
    if (self_kernel_ < 0) self_kernel_ = this->squared_length(example_);
    return self_kernel_;
  }
  void begin() override {}  // the learner has looked at x
  void add(double coefficient) override {
    if (coefficient == 0) return;
    const double squared_length = keeps_norm_ ? self_kernel() : 0;
    changed_ = true;
    const double delta = coefficient / clock_.scale;
    if constexpr (has_total) {
      const double offset = -delta * numbers_.scale_sum;
      each(example_, [&](Cell& cell, double x) {
        cell.weight += delta * x;
        cell.offset += offset * x;
      });
    } else {
      each(example_, [&](Cell& cell, double x) { cell.weight += delta * x; });
    }
    if (!keeps_norm_) return;
    numbers_.squared_norm =
        std::max(0.0, numbers_.squared_norm + coefficient * (2 * value_ + coefficient * squared_length));
    value_ += coefficient * squared_length;
  }
  void scale(double factor) override {
    if (factor == 1) return;
    changed_ = true;
    clock_.scale *= factor;
    numbers_.squared_norm *= factor * factor;
    value_ *= factor;
    if (std::abs(clock_.scale) < least_scale || std::abs(clock_.scale) > largest_scale_) settle_scale();
  }
  double squared_norm() const override { return numbers_.squared_norm; }
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
      if constexpr (has_total) cell.offset += numbers_.scale_sum * cell.weight;
      cell.weight *= clock_.scale;
    }
    clock_.scale = 1;
    numbers_.scale_sum = 0;
    rewrote_all_ = true;
  }

  std::unique_ptr<online::Rule> rule_;
  double largest_scale_;
  bool keeps_norm_;
  Entries example_;
  double score_ = 0, value_ = 0;  // f(x) as it was; f(x) as it is, without the bias
  double self_kernel_ = -1;       // negative: not asked for yet
  bool changed_ = false;
};

}  // namespace

std::unique_ptr<LinearRule> rule_on_weights(std::unique_ptr<online::Rule> rule, Averaging averaging,
                                            double largest_scale) {
  if (averaging == Averaging::average || averaging == Averaging::normalized)
    return std::make_unique<RuleOnWeights<AveragedWeight>>(std::move(rule), averaging, largest_scale);
  return std::make_unique<RuleOnWeights<PlainWeight>>(std::move(rule), averaging, largest_scale);
}

}  // namespace hedgerow::linear
