// Regularised dual averaging (Xiao 2010) and voted RDA (Xu, Gao, Xiao, Regan, algorithm 1).
//
// With s the sum of the k subgradients so far, the next predictor minimises
//   s.w / k + l1 |w|_1 + l2/2 |w|^2 + |w|^2 / (2 r sqrt(k)),
// which is w = -gain * shrink(s, l1 k), gain = 1 / (k (l2 + 1 / (r sqrt(k)))).
#include <algorithm>
#include <cmath>

#include "linear/shrinking_rule.hpp"

namespace hedgerow::linear {
namespace {

struct RdaClock {
  double gain = 0, threshold = 0;
  double k = 0;

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    each(Field{"gain", models::at_least_0}, self.gain);
    each(Field{"threshold", models::at_least_0}, self.threshold);
    each(Field{"k", models::at_least_0, Mix::mean}, self.k);
  }
};

template <bool averages>
class Rda final
    : public ShrinkingRule<Rda<averages>, ShrunkCell<averages>, RdaClock> {  // a cell's value is -s
  using Shrinking = ShrinkingRule<Rda, ShrunkCell<averages>, RdaClock>;

 public:
  using Shrinking::Shrinking;
  using typename Shrinking::Cell;

  std::unique_ptr<LinearRule> fresh() const override { return std::make_unique<Rda>(options_); }

  // Without l1 and with hinge losses on mistakes it is the perceptron over a positive number, and makes its
  // mistakes.
  double share(const Cell& cell, const RdaClock& clock) const { return shrink(cell.value, clock.threshold); }
  double common_factor(const RdaClock& clock) const { return clock.gain; }

  bool update(const Entries& x, double score, double y, double weight) {
    const auto descends = descent(score, y, weight);
    if (!descends) return false;
    if (const double step = *descends; step != 0) {
      if (!in_range(x, step, 1e280)) return false;
      change_cells(x, [=](Cell& cell, double value) HEDGEROW_INLINE_BODY { cell.value += step * value; });
    }
    clock_.k += 1;
    clock_.gain = gain(clock_.k);
    raise_threshold(options_.l1 * clock_.k);
    return true;
  }

  // Shards mix the sum of subgradients and their number, from which weights follow. Their quotient, the mean
  // gradient that l1 is compared with, is that of all examples of shards of one size, whether both are added
  // up or averaged. But steps grow with the root of the number: added up, the corrections of K shards, each
  // enough by itself, come K times with steps sqrt(K) times too large, and weights swing ever further (20
  // newsgroups: 6% right). Averaged, K gradients are one step, as in the distributed dual averaging of Duchi,
  // Agarwal and Wainwright (2012).
  struct Coordinates {
    double value;

    template <class Self, class Each>
    static void fields(Self& self, Each&& each) {
      each(Field{"value", models::finite, Mix::mean}, self.value);
    }
  };
  Coordinates coordinates(const Cell& cell) const { return {cell.value}; }
  Cell cell_at(const Coordinates& at) const {
    Cell cell{};
    cell.value = at.value;
    return cell;
  }
  void settle_clock() {
    clock_.gain = clock_.k > 0 ? gain(std::max(clock_.k, 1.0)) : 0;
    clock_.threshold = options_.l1 * clock_.k;
  }

 private:
  double gain(double k) const {
    return 1 / (k * (options_.l2 + 1 / (options_.learning_rate * std::sqrt(k))));
  }

  using Shrinking::change_cells, Shrinking::clock_, Shrinking::descent, Shrinking::in_range,
      Shrinking::options_, Shrinking::raise_threshold;
};

NewRule make(Parameters& p, Averaging averaging) {
  return make_shrinking_rule<Rda>(gradient_options(p, averaging));
}
const LinearRules::Entry entry{"rda", make};

}  // namespace
}  // namespace hedgerow::linear
