// FOBOS, forward-backward splitting (Duchi, Singer 2009): a gradient step, then a step towards small weights.
//
// At step t, with eta = r / sqrt(t):
//   w' = w - eta * subgradient,  w <- sign(w') max(|w'| - eta l1, 0) / (1 + eta l2).
// With D the product of all (1 + eta l2) and H the sum of all eta l1 D, D from before the step, a weight that
// the gradients leave alone is  sign(v) max(|v| - H, 0) / D  for a value v that stays.
#include <cmath>

#include "linear/shrinking_rule.hpp"

namespace hedgerow::linear {
namespace {

struct FobosClock {
  double gain = 1, threshold = 0;  // 1 / D, H
  double growth = 1;               // D
  double t = 0;

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    each(Field{"gain", models::at_least_0}, self.gain);
    each(Field{"threshold", models::at_least_0}, self.threshold);
    each(Field{"growth", models::above_0}, self.growth);
    each(Field{"t", models::at_least_0, Mix::mean}, self.t);
  }
};

template <bool averages>
class Fobos final : public ShrinkingRule<Fobos<averages>, ShrunkCell<averages>, FobosClock> {
  using Shrinking = ShrinkingRule<Fobos, ShrunkCell<averages>, FobosClock>;

 public:
  using Shrinking::Shrinking;
  using typename Shrinking::Cell;

  std::unique_ptr<LinearRule> fresh() const override { return std::make_unique<Fobos>(options_); }

  bool update(const Entries& x, double score, double y, double weight) {
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
    raise_threshold(clock_.threshold + eta * options_.l1 * clock_.growth);
    clock_.growth *= 1 + eta * options_.l2;
    clock_.gain = 1 / clock_.growth;
    // Sums of small gains would lose their digits beside those of large ones.
    if (clock_.growth > (averages ? 1e5 : 1e100)) rescale();
    return true;
  }

  // Shards mix weights, and the number of steps that step sizes follow: the mean of several paths of so many
  // steps is a path of so many.
  struct Coordinates {
    double weight;

    template <class Self, class Each>
    static void fields(Self& self, Each&& each) {
      each(Field{"weight", models::finite, Mix::mean}, self.weight);
    }
  };
  Coordinates coordinates(const Cell& cell) const { return {this->weight(cell, clock_)}; }
  Cell cell_at(const Coordinates& at) const {
    Cell cell{};
    cell.value = at.weight;
    return cell;
  }
  void settle_clock() {
    clock_.gain = clock_.growth = 1;
    clock_.threshold = 0;
  }

 private:
  using Shrinking::change_cells, Shrinking::clock_, Shrinking::descent, Shrinking::each_cell,
      Shrinking::in_range, Shrinking::options_, Shrinking::raise_threshold, Shrinking::rewrote_all_,
      Shrinking::settle, Shrinking::sums_;

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

NewRule make(Parameters& p, Averaging averaging) {
  return make_shrinking_rule<Fobos>(gradient_options(p, averaging));
}
const LinearRules::Entry entry{"fobos", make};

}  // namespace
}  // namespace hedgerow::linear
