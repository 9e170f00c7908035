// ConfidenceRule: learners that keep a mean and a variance of every weight and change uncertain weights more.
#pragma once

#include <algorithm>
#include <cmath>

#include "linear/steady_rule.hpp"

namespace hedgerow::linear {

template <bool averages>
struct ConfidenceCell : SteadyCell<averages> {
  double variance_kept;  // 0: never touched, the variance is 1
  double variance() const { return variance_kept > 0 ? variance_kept : 1; }
};

template <class Derived, class Cell>
class ConfidenceRule : public SteadyRule<Derived, Cell> {
  using Steady = SteadyRule<Derived, Cell>;

 public:
  using Steady::Steady;

 protected:
  // The variance of the score of x.
  double uncertainty(const models::Entries& x) const {
    return this->sum(x, [](const Cell& cell, double value)
                            HEDGEROW_INLINE_BODY { return cell.variance() * value * value; });
  }
  // mean += step * S x, S -= shrinkage * diag(S x x' S), S the diagonal matrix of variances.
  void move(const models::Entries& x, double step, double shrinkage) {
    this->each(x, [=, steps = this->clock_.steps](Cell& cell, double value) HEDGEROW_INLINE_BODY {
      const double variance = cell.variance(), direction = variance * value;
      Steady::change(cell, step * direction, steps);
      cell.variance_kept = std::max(variance - shrinkage * direction * direction, smallest);
    });
  }

 private:
  static constexpr double smallest = 1e-300;  // so that no feature looks untouched again
};

}  // namespace hedgerow::linear
