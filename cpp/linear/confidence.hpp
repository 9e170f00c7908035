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

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    SteadyCell<averages>::fields(self, each);
    each(Field{"variance", models::at_least_0}, self.variance_kept);
  }
};

template <class Derived, class Cell>
class ConfidenceRule : public SteadyRule<Derived, Cell> {
  using Steady = SteadyRule<Derived, Cell>;

 public:
  using Steady::Steady;

  // Shards mix precisions, and precisions times weights, so that the shard that is surest of a weight counts
  // most. Precisions are not added up: the corrections of K shards, each enough by itself, would come K times
  // (20 newsgroups: 16% right; see the dual averages of rda.cpp).
  struct Coordinates {
    double precision, pull;

    template <class Self, class Each>
    static void fields(Self& self, Each&& each) {
      each(Field{"precision", models::above_0, Mix::mean}, self.precision);
      each(Field{"pull", models::finite, Mix::mean}, self.pull);
    }
  };
  Coordinates coordinates(const Cell& cell) const {
    const double precision = 1 / cell.variance();
    return {precision, precision * cell.weight};
  }
  Cell cell_at(const Coordinates& at) const {
    Cell cell{};
    cell.weight = at.pull / at.precision;
    cell.variance_kept = std::max(1 / at.precision, smallest);
    return cell;
  }

 protected:
  // The variance of the score of x.
  double uncertainty(const Entries& x) const {
    return this->sum(x, [](const Cell& cell, double value)
                            HEDGEROW_INLINE_BODY { return cell.variance() * value * value; });
  }
  // mean += step * S x, S -= shrinkage * diag(S x x' S), S the diagonal matrix of variances.
  void move(const Entries& x, double step, double shrinkage) {
    this->each(x, [=, steps = this->clock_.steps](Cell& cell, double value) HEDGEROW_INLINE_BODY {
      const double variance = cell.variance(), direction = variance * value;
      Steady::shift(cell, step * direction, steps);
      cell.variance_kept = std::max(variance - shrinkage * direction * direction, smallest);
    });
  }

 private:
  static constexpr double smallest = 1e-300;  // so that no feature looks untouched again
};

}  // namespace hedgerow::linear
