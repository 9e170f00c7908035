// SteadyRule: learners whose weights change only when an example has the feature.
//
// The sum of a weight over all predictors is weight * T + offset, T what they count together, when every
// change of the weight by delta at step a adds -delta * a to the offset. So averages cost one more number.
#pragma once

#include "linear/cell_rule.hpp"

namespace hedgerow::linear {

// Cells are as small as possible: how many of them fit into the processor's caches decides the speed.
template <bool averages>
struct SteadyCell {
  double weight;
  double offset;

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    each(Field{"weight"}, self.weight);
    each(Field{"offset"}, self.offset);
  }
};
template <>
struct SteadyCell<false> {
  double weight;

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    each(Field{"weight"}, self.weight);
  }
};

struct StepClock {
  double steps = 0;

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    each(Field{"steps", models::at_least_0, Mix::sum}, self.steps);
  }
};

// Cell is a SteadyCell, and what the learner keeps beside.
template <class Derived, class Cell>
class SteadyRule : public CellRule<Derived, Cell, StepClock> {
  using Base = CellRule<Derived, Cell, StepClock>;

 public:
  static constexpr bool has_total = requires(Cell cell) { cell.offset; };
  using Base::Base;

  static constexpr bool scores_are_weights = true;
  double weight(const Cell& cell, const StepClock&) const { return cell.weight; }
  double average(const Cell& cell) const {
    const double steps = this->clock_.steps;
    if constexpr (has_total)
      return steps > 0 ? cell.weight + cell.offset / steps : cell.weight;
    else
      return cell.weight;
  }
  void count(double count) { this->clock_.steps += count; }
  void scale_counts(double factor) override {
    if constexpr (has_total) this->each_cell([=](Cell& cell) { cell.offset *= factor; });
    this->clock_.steps *= factor;
  }

  double total_of(const Cell& cell) const { return cell.offset + this->clock_.steps * cell.weight; }
  void put_total(Cell& cell, double total) const { cell.offset = total - this->clock_.steps * cell.weight; }
  double life() const { return this->clock_.steps; }
  void begin_average() override {
    if constexpr (has_total) this->each_cell([](Cell& cell) { cell.offset = 0; });
    this->clock_.steps = 0;
  }

 protected:
  HEDGEROW_INLINE static void shift(Cell& cell, double delta, double steps) {
    cell.weight += delta;
    if constexpr (has_total) cell.offset -= delta * steps;
  }
};

// A learner with the cells that averaging asks for.
template <template <bool averages> class Learner, class... Options>
std::unique_ptr<LinearRule> make_steady_rule(Averaging averaging, const Options&... options) {
  if (averaging == Averaging::average) return std::make_unique<Learner<true>>(averaging, options...);
  return std::make_unique<Learner<false>>(averaging, options...);
}

}  // namespace hedgerow::linear
