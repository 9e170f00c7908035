// SteadyRule: learners whose weights change only when an example has the feature.
//
// The sum of a weight over all predictors is weight * T + offset, T the number of examples so far, when every
// change of the weight by delta at step a adds -delta * a to the offset. So averages cost one more number.
#pragma once

#include "linear/cell_rule.hpp"

namespace hedgerow {

struct StepClock {
  double steps = 0;
};

// Cell has the members `weight` and `offset`.
template <class Derived, class Cell>
class SteadyRule : public CellRule<Derived, Cell, StepClock> {
  using Base = CellRule<Derived, Cell, StepClock>;

 public:
  using Base::Base;

  double weight(const Cell& cell, const StepClock&) const { return cell.weight; }
  double average(const Cell& cell) const {
    const double steps = this->clock_.steps;
    return steps > 0 ? cell.weight + cell.offset / steps : 0;
  }
  void survive() { this->clock_.steps += 1; }

 protected:
  HEDGEROW_INLINE void change(Cell& cell, double delta) const {
    cell.weight += delta;
    cell.offset -= delta * this->clock_.steps;
  }
};

}  // namespace hedgerow
