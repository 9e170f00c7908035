// ShrinkingRule: what learners share whose weights all shrink towards 0, at every step or now and then.
//
// A cell has a `value` and, for averages, an `offset`, a clock a `gain` and a `threshold`, and a weight is
//   gain * shrink(value, threshold),
// so shrinking all weights costs as much as changing two numbers. Averages are exact: the offset is what the
// sum of all weights of a feature has beyond its total, the sum that its present value would have had all the
// time, see ShrinkageSums. (The total is 0 if the value's weight has always been 0.)
//
// Derived may have its own weight(cell, clock) and total(cell, totals); for mixing, settle_clock() gives the
// numbers of the clock that follow from others.
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
  Averaging averaging = Averaging::none;
  bool bias = false;
  std::int64_t table_size = 1 << 12;  // moments that sums keep at least before they start anew
};

// Cells are as small as possible: how many of them fit into the processor's caches decides the speed.
template <bool averages>
struct ShrunkCell {
  double value;
  double offset;
  double born;  // the threshold when the value came

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    each(Field{"value"}, self.value);
    each(Field{"offset"}, self.offset);
    each(Field{"born", models::at_least_0}, self.born);
  }
};
template <>
struct ShrunkCell<false> {
  double value;

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    each(Field{"value"}, self.value);
  }
};
struct ShrinkingNumbers {
  double examples = 0;
  double reach = 0;  // all steps together have moved no value further than that

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    each(Field{"examples", models::at_least_0, Mix::sum}, self.examples);
    each(Field{"reach", models::at_least_0, Mix::sum}, self.reach);
  }
};

template <class Derived, class Cell_, class Clock_>
class ShrinkingRule : public CellRule<Derived, Cell_, Clock_, ShrinkingNumbers> {
  using Base = CellRule<Derived, Cell_, Clock_, ShrinkingNumbers>;

 public:
  static constexpr bool has_total = requires(Cell_ cell) { cell.offset; };
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
  double average(const Cell& cell) const {
    return numbers_.examples > 0 ? sum(cell, Totals(sums_)) / numbers_.examples : self().weight(cell, clock_);
  }
  struct Averager {
    const Derived& rule;
    const Clock clock;
    const double examples;
    const Totals totals;
    HEDGEROW_INLINE double part(const Cell& cell) const {
      return examples != 0 ? rule.ShrinkingRule::sum(cell, totals) : rule.weight(cell, clock);
    }
    double finish(double sum) const { return examples != 0 ? sum / examples : sum; }
  };
  auto averager() const { return Averager{self(), clock_, numbers_.examples, Totals(sums_)}; }

  void count(double count) {
    numbers_.examples += count;
    if (has_total) sums_.add(count * clock_.gain);
  }
  void scale_counts(double factor) override {
    settle();
    if constexpr (has_total) this->each_cell([=](Cell& cell) { cell.offset *= factor; });
    numbers_.examples *= factor;
  }

  void save_rest(State& state, const std::string& prefix) const {
    if (has_total) sums_.save(state, prefix);
  }
  void load_rest(const State& state, const std::string& prefix) {
    if (has_total) sums_.load(state, prefix, clock_.threshold);
  }

  // ---- mixing

  double total_of(const Cell& cell) const { return sum(cell, Totals(sums_)); }
  void put_total(Cell& cell, double total) const {
    cell.offset = total;
    cell.born = clock_.threshold;
  }
  bool moved_all(const Derived&) const { return true; }  // they shrink together
  void before_mixed_cells() {
    self().settle_clock();
    sums_.restart(clock_.threshold);
  }
  void begin_average() override {
    if constexpr (has_total) this->each_cell([](Cell& cell) { cell.offset = 0; });
    numbers_.examples = 0;
  }

 protected:
  static constexpr double above_all_values = 1e290;  // see in_range

  using Base::cells_;
  using Base::clock_;
  using Base::numbers_;

  // Minus the slope of the loss, times the label and weight of the example: minus the gradient is that times
  // x. Nothing if no step is to be taken.
  std::optional<double> descent(double score, double y, double weight) const {
    const double margin = y * score;
    if (options_.update == UpdateOn::mistakes && margin > 0) return std::nullopt;
    return -slope(options_.loss, margin) * weight * y;
  }

  // Whether no value can leave the range up to `limit` when step * x is added; if it could, the example is to
  // be left out.
  bool in_range(const Entries& x, double step, double limit) {
    double low = -1, high = 1;  // that of the bias
    for (const double value : x.value) {
      low = low < value ? low : value;
      high = high > value ? high : value;
    }
    const double reach = numbers_.reach + std::abs(step) * std::max(-low, high);
    if (!(reach < limit)) return false;
    numbers_.reach = reach;
    return true;
  }

  // Calls change(cell, value) for the features of an example; offsets are kept.
  template <class Change>
  HEDGEROW_INLINE void change_cells(const Entries& x, Change&& change) {
    if constexpr (has_total) {
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

  // The clock has gone on. The threshold never falls, whatever a file said of it.
  void raise_threshold(double to) {
    clock_.threshold = std::max(clock_.threshold, std::min(to, above_all_values));
    if (!has_total) return;
    sums_.rise(clock_.threshold);
    // Few enough to be searched quickly, and enough for the settlement of all cells to take no time a step.
    const auto most = std::max(options_.table_size, cells_.size() / 16);
    if (sums_.moments() > most) settle();
  }

  // Puts all totals into the offsets, so that sums start anew.
  void settle() {
    if constexpr (has_total) {
      const Totals totals(sums_);
      this->each_cell([&](Cell& cell) { cell.offset = sum(cell, totals); });
      sums_.restart(clock_.threshold);
    }
  }

  const GradientOptions options_;
  ShrinkageSums sums_;  // for averages

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }
  Derived& self() { return static_cast<Derived&>(*this); }

  // The sum of all weights that a feature has had.
  HEDGEROW_INLINE double sum(const Cell& cell, const Totals& totals) const {
    if constexpr (has_total)
      return cell.offset + self().total(cell, totals);
    else
      return 0;
  }
};

inline GradientOptions gradient_options(Parameters& p, Averaging averaging) {
  const auto update =
      p.choice<UpdateOn>("update", {{"all", UpdateOn::all}, {"mistakes", UpdateOn::mistakes}});
  return {loss_of(p), p.number("l1"), p.number("l2"), p.number("learning_rate"),
          update,     averaging,      p.flag("bias"), p.whole("table_size", GradientOptions().table_size)};
}

// A learner with the cells that its options ask for.
template <template <bool averages> class Learner, class Options>
std::unique_ptr<LinearRule> make_shrinking_rule(const Options& options) {
  if (options.averaging == Averaging::average) return std::make_unique<Learner<true>>(options);
  return std::make_unique<Learner<false>>(options);
}

}  // namespace hedgerow::linear
