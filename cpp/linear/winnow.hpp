// The Winnows: weights are positive, and change by factors.
//
// An example x >= 0 gets one more feature, which is always 1, and is then scaled to sum 1. It is a mistake
// when y * score <= margin.
//   positive   score w.x - threshold         w_j *= promotion (y = +1), demotion (y = -1)
//   balanced   score (u - v).x - threshold   y = +1: u_j *= promotion, v_j *= demotion; y = -1: the reverse
//   modified   as balanced, with a margin    promotion * (1 + x_j) and demotion * (1 - x_j) are the factors
// Littlestone: Learning quickly when irrelevant attributes abound, Machine Learning 2, 1988. Carvalho, Cohen:
// Notes on single-pass online learning algorithms, 2006, sect. 2.2 and table 2.
//
// In the model are the features of all examples learned from. Others have the initial weights while learning,
// and are left out of x, before it is scaled, in predictions.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <type_traits>
#include <vector>

#include "linear/cell_rule.hpp"

namespace hedgerow::linear {

// plain: positive or balanced. regret: see `lower_regret`.
enum class WinnowKind { plain, modified, regret };

struct WinnowParameters {
  WinnowKind kind;
  double promotion, demotion, threshold, margin;
  double initial_up, initial_down;  // u and v; for the positive Winnow w and 0
  bool only_mistakes = true;        // whether a Winnow of regret learns from them only
};

// Weights never leave this range, however often they are promoted or demoted: no sum or product overflows,
// and none becomes 0, which would be a feature that is not in the model.
inline constexpr double smallest_weight = 1e-100, largest_weight = 1e100;
inline constexpr models::Range in_model{0, largest_weight, "0 or a weight up to 1e100"};

// Of a feature, as cells: all zeros when it is not in the model.
struct PositiveWeights {
  double w;

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    each(Field{"up", in_model}, self.w);
  }
  bool known() const { return w > 0; }
  double value() const { return w; }
  void change(bool up, double promotion, double demotion) {
    w = std::clamp(w * (up ? promotion : demotion), smallest_weight, largest_weight);
  }
  void multiply(double more_up, double) { w = std::clamp(w * more_up, smallest_weight, largest_weight); }
  void start(const WinnowParameters& p) { w = p.initial_up; }
  double up() const { return w; }
  double down() const { return 0; }
};

struct BalancedWeights {
  double both[2];  // v, u: in this order, because `up` is the place of the one to promote

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    each(Field{"down", in_model}, self.both[0]);
    each(Field{"up", in_model}, self.both[1]);
  }
  bool known() const { return both[1] > 0; }
  double value() const { return both[1] - both[0]; }
  void change(bool up, double promotion, double demotion) {
    double &promoted = both[up], &demoted = both[!up];
    promoted = std::min(promoted * promotion, largest_weight);
    demoted = std::max(demoted * demotion, smallest_weight);
  }
  void multiply(double more_up, double more_down) {
    both[0] = std::clamp(both[0] * more_down, smallest_weight, largest_weight);
    both[1] = std::clamp(both[1] * more_up, smallest_weight, largest_weight);
  }
  void start(const WinnowParameters& p) {
    both[0] = p.initial_down;
    both[1] = p.initial_up;
  }
  double up() const { return both[1]; }
  double down() const { return both[0]; }
};

// For averages: the sum of the values after each of the first `until` examples.
template <class Weights>
struct SummedWeights : Weights {
  double sum, until;

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    Weights::fields(self, each);
    each(Field{"sum"}, self.sum);
    each(Field{"until", models::at_least_0}, self.until);
  }
};

struct WinnowNumbers {
  double steps = 0;  // examples that predictors lived for

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    each(Field{"steps", models::at_least_0, Mix::sum}, self.steps);
  }
};

// What both kinds of cells and all variants look like from outside.
class WinnowRule {
 public:
  virtual ~WinnowRule() = default;
  // Features in the model, in increasing order, with the weights of the last predictor.
  virtual void weights(std::vector<std::int32_t>& features, std::vector<double>& up,
                       std::vector<double>& down) const = 0;
};

template <class Weights, bool averaged>
using WinnowCell = std::conditional_t<averaged, SummedWeights<Weights>, Weights>;

template <class Weights, bool averaged>
class Winnow final : public CellRule<Winnow<Weights, averaged>, WinnowCell<Weights, averaged>,
                                     models::NoFields, WinnowNumbers>,
                     public WinnowRule {
 public:
  using Base = CellRule<Winnow, WinnowCell<Weights, averaged>, models::NoFields, WinnowNumbers>;
  using typename Base::Cell, typename Base::Clock;

  Winnow(const WinnowParameters& parameters, Averaging averaging)
      : Base(averaging, true), parameters_(parameters) {
    start_.start(parameters);
  }

  static constexpr bool scores_are_sums = false;  // but quotients of sums

  std::unique_ptr<LinearRule> fresh() const override {
    return std::make_unique<Winnow>(parameters_, this->averaging_);
  }

  // Features that are not in the model have their initial weights.
  double score(const Entries& x) const override {
    return scaled_score(x, [&](const Cell& cell) { return Term{weight(cell, this->clock_), 1.0}; });
  }
  // Features that are not in the model are dropped.
  double predict(const Entries& x) const override {
    if (this->averaging_ == Averaging::vote) return Base::predict(x);
    return score_of_known(x, [&](const Cell& cell) { return final_value(cell); });
  }
  double predict_last(const Entries& x, double) const override {
    return score_of_known(x, [](const Cell& cell) { return cell.value(); });
  }
  bool looks_at(std::int32_t feature) const {  // votes, whose signs need no scale
    return feature < this->cells_.size() && this->cells_[feature].known();
  }

  // Because x has the sum 1, the threshold can be taken from every weight: with the usual parameters the
  // score of an example without any known feature is then 0 exactly, not a rounding error of either sign.
  double weight(const Cell& cell, const Clock&) const {
    return (cell.known() ? cell.value() : start_.value()) - parameters_.threshold;
  }

  double average(const Cell& cell) const {
    if constexpr (averaged) {
      if (numbers_.steps > 0)
        return (cell.sum + (numbers_.steps - cell.until) * cell.value()) / numbers_.steps;
    }
    return cell.value();
  }

  // An example of weight c has the factors to the power of c.
  bool update(const Entries& x, double score, double y, double weight) {
    if (parameters_.kind == WinnowKind::regret) return lower_regret(x, score, y, weight);
    if (y * score > parameters_.margin) {
      enter(x);
      return false;
    }
    const bool up = y > 0;
    if (parameters_.kind == WinnowKind::modified) {
      change_by_values(x, up, weight);
      return true;
    }
    const double promotion = std::pow(parameters_.promotion, weight);
    const double demotion = std::pow(parameters_.demotion, weight);
    this->each(x, [&](Cell& cell, double) HEDGEROW_INLINE_BODY {
      before_change(cell);
      cell.change(up, promotion, demotion);
    });
    return true;
  }

  void count(double count) { numbers_.steps += count; }
  void scale_counts(double factor) override {
    if constexpr (averaged)
      this->each_cell([=](Cell& cell) {
        cell.sum *= factor;
        cell.until *= factor;
      });
    numbers_.steps *= factor;
  }

  // Shown are the weights of features in the model, without the threshold.
  void nonzeros(std::vector<std::int32_t>& features, std::vector<double>& weights) const override {
    each_known([&](std::int64_t j, const Cell& cell) {
      const double value = final_value(cell);
      if (value == 0) return;
      features.push_back(static_cast<std::int32_t>(j));
      weights.push_back(value);
    });
  }
  std::int64_t nonzero_count() const override {
    std::int64_t count = 0;
    each_known([&](std::int64_t, const Cell& cell) { count += final_value(cell) != 0; });
    return count;
  }
  double intercept() const override {
    return final_value(this->bias_cell_.known() ? this->bias_cell_ : start_);
  }
  // Those of weight 0 too: they count when an example is scaled.
  void in_model(std::vector<std::int32_t>& features, std::vector<double>& weights) const override {
    each_known([&](std::int64_t j, const Cell& cell) {
      features.push_back(static_cast<std::int32_t>(j));
      weights.push_back(final_value(cell));
    });
  }
  void weights(std::vector<std::int32_t>& features, std::vector<double>& up,
               std::vector<double>& down) const override {
    each_known([&](std::int64_t j, const Cell& cell) {
      features.push_back(static_cast<std::int32_t>(j));
      up.push_back(cell.up());
      down.push_back(cell.down());
    });
  }

  // ---- mixing: weights change by factors, so their logarithms are averaged. Features that a shard has not
  // met have their initial weights there.

  static constexpr bool has_total = averaged;
  struct Coordinates {
    double log_up, log_down;

    template <class Self, class Each>
    static void fields(Self& self, Each&& each) {
      each(Field{"log_up", models::finite, Mix::mean}, self.log_up);
      each(Field{"log_down", models::finite, Mix::mean}, self.log_down);
    }
  };
  Coordinates coordinates(const Cell& cell) const {
    const Cell& now = cell.known() ? cell : start_;
    return {std::log(now.up()), now.down() > 0 ? std::log(now.down()) : 0};
  }
  // By factors, so that what nobody has changed stays as it was, to the last digit.
  Cell changed(const Winnow&, const Cell& before, const Coordinates& added) const {
    Cell cell = before.known() ? before : start_;
    cell.multiply(std::exp(added.log_up), std::exp(added.log_down));
    return cell;
  }
  double weight_in_total(const Cell& cell) const { return cell.known() ? cell.value() : start_.value(); }
  double total_of(const Cell& cell) const {
    return cell.sum + (numbers_.steps - cell.until) * weight_in_total(cell);
  }
  void put_total(Cell& cell, double total) const {
    cell.sum = total;
    cell.until = numbers_.steps;
  }
  double life() const { return numbers_.steps; }
  void begin_average() override {
    if constexpr (averaged) this->each_cell([](Cell& cell) { cell.sum = cell.until = 0; });
    numbers_.steps = 0;
  }

  double final_value(const Cell& cell) const { return this->averages() ? average(cell) : cell.value(); }

  // For models of bounded size: feature `to` takes over what `from` has, which leaves the model.
  void move(std::int32_t from, std::int32_t to) {
    if (from == to) return;
    this->cells_[to] = this->cells_[from];
    forget(from);
  }
  void forget(std::int32_t feature) { this->cells_[feature] = Cell{}; }
  const Cell& cell(std::int32_t feature) const { return this->cells_[feature]; }

 private:
  // What an entry adds to the sum of products and to that of values, for each unit of its value.
  struct Term {
    double product, mass;
  };

  // x.weights / (1 + the sum of x), with the always-on feature, in one go over x.
  template <class Of>
  HEDGEROW_INLINE double scaled_score(const Entries& x, Of&& of) const {
    const Cell* cells = this->cells_.data();
    const std::int64_t stride = this->cells_.stride();
    const std::int32_t* feature = x.feature.data();
    const double* value = x.value.data();
    std::size_t n = x.feature.size();
    double products[4] = {0, of(this->bias_cell_.known() ? this->bias_cell_ : start_).product, 0, 0};
    double masses[4] = {0, 1, 0, 0};
    const auto add = [&](int lane, std::size_t i, const Cell& cell) {
      const Term term = of(cell);
      products[lane] += value[i] * term.product;
      masses[lane] += value[i] * term.mass;
    };
    for (; n > 0 && feature[n - 1] >= this->cells_.size(); --n) add(0, n - 1, Cell{});  // never learned from
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4)
      for (int lane = 0; lane < 4; ++lane) add(lane, i + lane, cells[feature[i + lane] * stride]);
    for (; i < n; ++i) add(0, i, cells[feature[i] * stride]);
    const double product = (products[0] + products[1]) + (products[2] + products[3]);
    const double mass = (masses[0] + masses[1]) + (masses[2] + masses[3]);
    if (!std::isfinite(product) || !std::isfinite(mass))
      throw std::overflow_error("feature values are too large to be added up; they must be scaled");
    return product / mass;
  }

  template <class Value>
  HEDGEROW_INLINE double score_of_known(const Entries& x, Value&& value) const {
    return scaled_score(x, [&](const Cell& cell) HEDGEROW_INLINE_BODY {
      const bool known = cell.known();
      return Term{known ? value(cell) - parameters_.threshold : 0.0, known ? 1.0 : 0.0};
    });
  }

  static double mass(const Entries& x) {
    double sums[4] = {0, 0, 0, 0};
    std::size_t i = 0;
    for (; i + 4 <= x.value.size(); i += 4)
      for (int lane = 0; lane < 4; ++lane) sums[lane] += x.value[i + lane];
    for (; i < x.value.size(); ++i) sums[0] += x.value[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  void before_change(Cell& cell) const {
    if (!cell.known()) cell = start_;
    if constexpr (averaged) {
      cell.sum += (numbers_.steps - cell.until) * cell.value();
      cell.until = numbers_.steps;
    }
  }

  void change_by_values(const Entries& x, bool up, double weight) {
    const double scale = 1 / (1 + mass(x));
    const double promotion = parameters_.promotion, demotion = parameters_.demotion;
    this->each(x, [&](Cell& cell, double value) HEDGEROW_INLINE_BODY {
      before_change(cell);
      double more = promotion * (1 + value * scale), less = demotion * (1 - value * scale);
      if (weight != 1) {
        more = std::pow(more, weight);
        less = std::pow(less, weight);
      }
      cell.change(up, more, less);
    });
  }

  // With l_j the loss of the features, 1 if y = -1, and l that of the learner, 1 for a mistake, all weights
  // of features of x are multiplied by demotion^(l_j - demotion l).
  bool lower_regret(const Entries& x, double score, double y, double weight) {
    const bool mistake = y * score <= 0;
    const double exponent = (y < 0) - parameters_.demotion * mistake;
    if (exponent == 0 || (parameters_.only_mistakes && !mistake)) {
      enter(x);
      return false;
    }
    const double factor = std::pow(parameters_.demotion, weight * exponent);
    this->each(x, [&](Cell& cell, double) {
      before_change(cell);
      cell.multiply(factor, factor);
    });
    return true;
  }

  // Features of an example that changes nothing come into the model too.
  void enter(const Entries& x) {
    this->each(x, [&](Cell& cell, double) HEDGEROW_INLINE_BODY {
      if (!cell.known()) cell = start_;
    });
  }

  template <class Body>
  void each_known(Body&& body) const {
    for (std::int64_t j = 0; j < this->cells_.size(); ++j)
      if (this->cells_[j].known()) body(j, this->cells_[j]);
  }

  using Base::numbers_;
  const WinnowParameters parameters_;
  Cell start_{};  // a feature that has just come into the model
};

}  // namespace hedgerow::linear
