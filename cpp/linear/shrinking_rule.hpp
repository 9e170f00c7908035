// ShrinkingRule: what learners share whose weights all shrink towards 0, at every step or now and then.
//
// A cell has a `value` and, for averages, an `offset`, a clock a `gain` and a `threshold`, and a weight is
//   gain * shrink(value, threshold),
// so shrinking all weights costs as much as changing two numbers. Averages are exact: the offset is what the
// sum of all weights of a feature has beyond its total, the sum that its present value would have had all the
// time, see ShrinkageSums. (The total is 0 if the value's weight has always been 0.)
//
// Derived may have its own weight(cell, clock) and total(cell, totals).
#pragma once

#include "linear/cell_rule.hpp"
#include "linear/losses.hpp"
#include "linear/shrinkage_sums.hpp"

namespace hedgerow::linear {

// When a learner takes a step.
enum class UpdateOn { all, mistakes };

// What learners of this kind have in common.
struct GradientOptions {
  Loss loss = Loss::hinge;
  double l1 = 0, l2 = 0;
  double learning_rate = 1;
  UpdateOn update = UpdateOn::all;
  models::Averaging averaging = models::Averaging::none;
  bool bias = false;
  std::int64_t table_size = 1 << 12;  // moments that sums keep at least before they start anew
};

// Cells are as small as possible: how many of them fit into the processor's caches decides the speed.
template <bool averages>
struct ShrunkCell {
  double value;
  double offset;
  double born;  // the threshold when the value came
};
template <>
struct ShrunkCell<false> {
  double value;
};

template <class Derived, class Cell_, class Clock_>
class ShrinkingRule : public CellRule<Derived, Cell_, Clock_> {
  using Base = CellRule<Derived, Cell_, Clock_>;

 public:
  using Cell = Cell_;
  using Clock = Clock_;
  using Totals = ShrinkageSums::Totals;

  explicit ShrinkingRule(const GradientOptions& options)
      : Base(options.averaging, options.bias), options_(options) {}

  double weight(const Cell& cell, const Clock& clock) const {
    return clock.gain * shrink(cell.value, clock.threshold);
  }
  // The sum of the weights that a feature would have had if its cell had always been this one.
  HEDGEROW_INLINE double total(const Cell& cell, const Totals& totals) const {
    return totals.of(cell.value, cell.born);
  }
  double average(const Cell& cell) const { return examples_ > 0 ? sum(cell, Totals(sums_)) / examples_ : 0; }
  double predict(const models::Entries& x) const override {
    if (!has_sums) return Base::predict(x);
    const Totals totals(sums_);
    const double sums = this->dot(x, [&](const Cell& cell) { return sum(cell, totals); });
    return examples_ > 0 ? sums / examples_ : 0;
  }

  void survive() {
    examples_ += 1;
    if (has_sums) sums_.add(clock_.gain);
  }

  void save_rest(models::State& state, const std::string& prefix) const {
    sums_.save(state, prefix);
    state.set(prefix + "examples_and_reach", std::vector<double>{examples_, reach_});
  }
  void load_rest(const models::State& state, const std::string& prefix) {
    sums_.load(state, prefix);
    const auto& numbers = state.get<double>(prefix + "examples_and_reach", 2);
    examples_ = numbers[0];
    reach_ = numbers[1];
  }

 protected:
  using Base::cells_;
  using Base::clock_;
  static constexpr bool has_sums = requires(Cell cell) { cell.offset; };

  // Minus the slope of the loss, times the label and weight of the example: minus the gradient is that times
  // x. Nothing if no step is to be taken.
  std::optional<double> descent(double score, double y, double weight) const {
    const double margin = y * score;
    if (options_.update == UpdateOn::mistakes && margin > 0) return std::nullopt;
    return -slope(options_.loss, margin) * weight * y;
  }

  // Whether no value can leave the range up to `limit` when step * x is added; if it could, the example is to
  // be left out.
  bool in_range(const models::Entries& x, double step, double limit) {
    double low = -1, high = 1;  // that of the bias
    for (const double value : x.value) {
      low = low < value ? low : value;
      high = high > value ? high : value;
    }
    const double reach = reach_ + std::abs(step) * std::max(-low, high);
    if (!(reach < limit)) return false;
    reach_ = reach;
    return true;
  }

  // Calls change(cell, value) for the features of an example; offsets are kept.
  template <class Change>
  HEDGEROW_INLINE void change_cells(const models::Entries& x, Change&& change) {
    if constexpr (has_sums) {
      const Totals totals(sums_);
      this->each(x, [&](Cell& cell, double value) HEDGEROW_INLINE_BODY {
        const double before = sum(cell, totals);  // exactly 0 if the weight never was another
        change(cell, value);
        cell.born = totals.threshold();
        cell.offset = before - self().total(cell, totals);
      });
    } else {
      this->each(x, change);
    }
  }

  // The clock has gone on.
  void threshold_rose() {
    if (!has_sums) return;
    sums_.rise(clock_.threshold);
    // Few enough to be searched quickly, and enough for the settlement of all cells to take no time a step.
    const auto most = std::max(options_.table_size, cells_.size() / 16);
    if (sums_.moments() > most) settle();
  }

  // Puts all totals into the offsets, so that sums start anew.
  void settle() {
    if constexpr (has_sums) {
      const Totals totals(sums_);
      each_cell([&](Cell& cell) { cell.offset = sum(cell, totals); });
      sums_.restart(clock_.threshold);
    }
  }

  // Calls body(cell) for all features so far, and for the bias.
  template <class Body>
  void each_cell(Body&& body) {
    for (std::int64_t j = 0; j < cells_.size(); ++j)
      if (!Cells<Cell>::is_untouched(cells_[j])) body(cells_[j]);
    body(this->bias_cell_);
  }

  const GradientOptions options_;
  ShrinkageSums sums_;  // for averages

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }

  // The sum of all weights that a feature has had.
  HEDGEROW_INLINE double sum(const Cell& cell, const Totals& totals) const {
    if constexpr (has_sums)
      return cell.offset + self().total(cell, totals);
    else
      return 0;
  }

  double examples_ = 0;
  double reach_ = 0;  // all steps together have moved no value further than that
};

// A learner with the cells that its options ask for.
template <template <bool averages> class Learner, class Options>
std::unique_ptr<LinearRule> make_shrinking_rule(const Options& options) {
  if (options.averaging == models::Averaging::average) return std::make_unique<Learner<true>>(options);
  return std::make_unique<Learner<false>>(options);
}

}  // namespace hedgerow::linear
