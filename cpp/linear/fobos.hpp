// FOBOS, forward-backward splitting (Duchi, Singer 2009): a gradient step, then a step towards small weights.
//
// At step t, with eta = r / sqrt(t):
//   w' = w - eta * subgradient,  w <- sign(w') max(|w'| - eta l1, 0) / (1 + eta l2).
// With D the product of all (1 + eta l2) and H the sum of all eta l1 D, D from before the step, a weight that
// the gradients leave alone is  sign(v) max(|v| - H, 0) / D  for a value v that stays.
#pragma once

#include <cmath>

#include "linear/shrinking_rule.hpp"

namespace hedgerow::linear {

struct FobosClock {
  double gain = 1, threshold = 0;  // 1 / D, H
  double growth = 1;               // D
  double t = 0;
};

template <bool averages>
class Fobos final : public ShrinkingRule<Fobos<averages>, ShrunkCell<averages>, FobosClock> {
  using Shrinking = ShrinkingRule<Fobos, ShrunkCell<averages>, FobosClock>;

 public:
  using Shrinking::Shrinking;
  using typename Shrinking::Cell;

  std::unique_ptr<LinearRule> fresh() const override { return std::make_unique<Fobos>(options_); }

  bool update(const models::Entries& x, double score, double y, double weight) {
    const auto descends = descent(score, y, weight);
    if (!descends) return false;
    const double eta = options_.learning_rate / std::sqrt(clock_.t + 1);
    if (const double step = eta * *descends; step != 0) {
      if (!in_range(x, step, 1e180)) return false;
      change_cells(x, [=, this, clock = clock_](Cell& cell, double value) HEDGEROW_INLINE_BODY {
        const double w = this->weight(cell, clock) + step * value;
        cell.value = w * clock.growth + std::copysign(clock.threshold, w);
      });
    }
    clock_.t += 1;
    clock_.threshold += eta * options_.l1 * clock_.growth;
    clock_.growth *= 1 + eta * options_.l2;
    clock_.gain = 1 / clock_.growth;
    threshold_rose();
    // Sums of small gains would lose their digits beside those of large ones.
    if (clock_.growth > (averages ? 1e5 : 1e100)) rescale();
    return true;
  }

 private:
  using Shrinking::change_cells, Shrinking::clock_, Shrinking::descent, Shrinking::each_cell,
      Shrinking::in_range, Shrinking::options_, Shrinking::rewrote_all_, Shrinking::settle, Shrinking::sums_,
      Shrinking::threshold_rose;

  // Divides D, H and all values by a power of two, which changes no weight.
  void rescale() {
    settle();
    const double factor = std::ldexp(1.0, -std::ilogb(clock_.growth));
    each_cell([&](Cell& cell) {
      cell.value *= factor;
      if constexpr (averages) cell.born *= factor;
    });
    clock_.threshold *= factor;
    clock_.growth *= factor;
    clock_.gain = 1 / clock_.growth;
    sums_.restart(clock_.threshold);
    rewrote_all_ = true;
  }
};

}  // namespace hedgerow::linear
