// Regularised dual averaging (Xiao 2010) and voted RDA (Xu, Gao, Xiao, Regan, algorithm 1).
//
// With s the sum of the k subgradients so far, the next predictor minimises
//   s.w / k + l1 |w|_1 + l2/2 |w|^2 + |w|^2 / (2 r sqrt(k)),
// which is w = -gain * shrink(s, l1 k), gain = 1 / (k (l2 + 1 / (r sqrt(k)))).
#pragma once

#include <cmath>

#include "linear/shrinking_rule.hpp"

namespace hedgerow::linear {

struct RdaClock {
  double gain = 0, threshold = 0;
  double k = 0;
};

template <bool averages>
class Rda final
    : public ShrinkingRule<Rda<averages>, ShrunkCell<averages>, RdaClock> {  // a cell's value is -s
  using Shrinking = ShrinkingRule<Rda, ShrunkCell<averages>, RdaClock>;

 public:
  using Shrinking::Shrinking;
  using typename Shrinking::Cell;

  std::unique_ptr<LinearRule> fresh() const override { return std::make_unique<Rda>(options_); }

  bool update(const models::Entries& x, double score, double y, double weight) {
    const auto descends = descent(score, y, weight);
    if (!descends) return false;
    if (const double step = *descends; step != 0) {
      if (!in_range(x, step, 1e280)) return false;
      change_cells(x, [=](Cell& cell, double value) HEDGEROW_INLINE_BODY { cell.value += step * value; });
    }
    clock_.k += 1;
    clock_.gain = 1 / (clock_.k * (options_.l2 + 1 / (options_.learning_rate * std::sqrt(clock_.k))));
    clock_.threshold = options_.l1 * clock_.k;
    threshold_rose();
    return true;
  }

 private:
  using Shrinking::change_cells, Shrinking::clock_, Shrinking::descent, Shrinking::in_range,
      Shrinking::options_, Shrinking::threshold_rose;
};

}  // namespace hedgerow::linear
