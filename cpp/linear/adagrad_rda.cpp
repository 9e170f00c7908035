// AdaGrad in its dual averaging form (Duchi, Hazan, Singer 2011, section 5.1): every feature has its own
// steps.
//
// With s_j the sum and q_j the sum of squares of the k subgradients so far, and h_j = delta + sqrt(q_j), the
// next predictor minimises  s.w / k + l1 |w|_1 + l2/2 |w|^2 + sum_j h_j w_j^2 / (2 r k),  which is
//   w_j = -shrink(s_j, l1 k) / (h_j / r + l2 k).
#include <cmath>
#include <stdexcept>

#include "linear/shrinking_rule.hpp"

namespace hedgerow::linear {
namespace {

template <bool averages>
struct AdagradCell : ShrunkCell<averages> {  // the value is -s
  double rate;                               // r / h: what scores need
  double squares;                            // q

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    ShrunkCell<averages>::fields(self, each);
    each(Field{"rate", models::at_least_0}, self.rate);
    each(Field{"squares", models::at_least_0}, self.squares);
  }
};
struct AdagradClock {
  double gain = 1, threshold = 0;
  double ridge = 0;  // l2 k
  double k = 0;

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    each(Field{"gain", models::at_least_0}, self.gain);
    each(Field{"threshold", models::at_least_0}, self.threshold);
    each(Field{"ridge", models::at_least_0}, self.ridge);
    each(Field{"k", models::at_least_0, Mix::mean}, self.k);
  }
};

template <bool averages>
class AdagradRda final : public ShrinkingRule<AdagradRda<averages>, AdagradCell<averages>, AdagradClock> {
  using Shrinking = ShrinkingRule<AdagradRda, AdagradCell<averages>, AdagradClock>;

 public:
  static constexpr double delta = 1e-8;
  using typename Shrinking::Cell, typename Shrinking::Clock, typename Shrinking::Totals;

  explicit AdagradRda(const GradientOptions& options) : Shrinking(options) {
    // Then weights of different features shrink differently, and no sum over time fits them all.
    if (averages && options.l2 > 0)
      throw std::invalid_argument("averages of adaptive learners need an l2 of 0");
  }

  std::unique_ptr<LinearRule> fresh() const override { return std::make_unique<AdagradRda>(options_); }

  double weight(const Cell& cell, const Clock& clock) const {
    const double weight = cell.rate * shrink(cell.value, clock.threshold);
    return clock.ridge == 0 ? weight : weight / (1 + cell.rate * clock.ridge);
  }
  HEDGEROW_INLINE double total(const Cell& cell, const Totals& totals) const {
    return cell.rate * totals.of(cell.value, cell.born);
  }

  bool update(const Entries& x, double score, double y, double weight) {
    const auto descends = descent(score, y, weight);
    if (!descends) return false;
    if (const double step = *descends; step != 0) {
      if (!in_range(x, step, 1e154)) return false;  // squares must stay in range
      change_cells(x, [=, rate = options_.learning_rate](Cell& cell, double value) HEDGEROW_INLINE_BODY {
        const double change = step * value;
        cell.value += change;
        cell.squares += change * change;
        cell.rate = rate / (delta + std::sqrt(cell.squares));
      });
    }
    clock_.k += 1;
    clock_.ridge = std::min(options_.l2 * clock_.k, models::largest);
    raise_threshold(options_.l1 * clock_.k);
    return true;
  }

  // Shards mix sums of subgradients as in rda.cpp, and with them the squares that make their steps.
  struct Coordinates {
    double value, squares;

    template <class Self, class Each>
    static void fields(Self& self, Each&& each) {
      each(Field{"value", models::finite, Mix::mean}, self.value);
      each(Field{"squares", models::at_least_0, Mix::mean}, self.squares);
    }
  };
  Coordinates coordinates(const Cell& cell) const { return {cell.value, cell.squares}; }
  Cell cell_at(const Coordinates& at) const {
    Cell cell{};
    cell.value = at.value;
    cell.squares = at.squares;
    cell.rate = at.squares > 0 ? options_.learning_rate / (delta + std::sqrt(at.squares)) : 0;
    return cell;
  }
  void settle_clock() {
    clock_.threshold = options_.l1 * clock_.k;
    clock_.ridge = options_.l2 * clock_.k;
  }

 private:
  using Shrinking::change_cells, Shrinking::clock_, Shrinking::descent, Shrinking::in_range,
      Shrinking::options_, Shrinking::raise_threshold;
};

NewRule make(Parameters& p, Averaging averaging) {
  return make_shrinking_rule<AdagradRda>(gradient_options(p, averaging));
}
const LinearRules::Entry entry{"adagrad-rda", make};

}  // namespace
}  // namespace hedgerow::linear
