// Truncated gradient (Langford, Li, Zhang 2009): gradient steps, and every K steps small weights shrink.
//
// At step t, w <- w - eta * subgradient; if K divides t, then all weights with |w| <= theta shrink towards 0
// by l1 (the gravity) times the sum of the last K learning rates eta: K l1 eta if they are all the same.
#include <cmath>
#include <type_traits>

#include "linear/shrinking_rule.hpp"

namespace hedgerow::linear {
namespace {

struct TruncatedGradientOptions : GradientOptions {
  bool constant_rate = true;  // else eta = r / sqrt(t)
  double truncate_every = 1;  // K
  double theta = 0;
};

template <bool averages>
struct TruncatedCell : ShrunkCell<averages> {
  double beyond;  // a weight above theta, which does not shrink; the value is 0 then

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    ShrunkCell<averages>::fields(self, each);
    each(Field{"beyond"}, self.beyond);
  }
};
struct TruncatedClock {
  double gain = 1, threshold = 0;
  double steps = 0, rates = 0;  // since weights shrank: their number, and the sum of their learning rates
  double t = 0;

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    each(Field{"gain", models::at_least_0}, self.gain);
    each(Field{"threshold", models::at_least_0}, self.threshold);
    each(Field{"steps", models::at_least_0, Mix::mean}, self.steps);
    each(Field{"rates", models::at_least_0, Mix::mean}, self.rates);
    each(Field{"t", models::at_least_0, Mix::mean}, self.t);
  }
};

// has_theta: whether there are weights that do not shrink.
template <bool averages, bool has_theta>
using CellOfTruncated = std::conditional_t<has_theta, TruncatedCell<averages>, ShrunkCell<averages>>;

template <bool averages, bool has_theta>
class TruncatedGradient final : public ShrinkingRule<TruncatedGradient<averages, has_theta>,
                                                     CellOfTruncated<averages, has_theta>, TruncatedClock> {
  using Shrinking = ShrinkingRule<TruncatedGradient, CellOfTruncated<averages, has_theta>, TruncatedClock>;

 public:
  using typename Shrinking::Cell, typename Shrinking::Clock, typename Shrinking::Totals;

  explicit TruncatedGradient(const TruncatedGradientOptions& options)
      : Shrinking(options), schedule_(options) {}

  std::unique_ptr<LinearRule> fresh() const override {
    return std::make_unique<TruncatedGradient>(schedule_);
  }

  double weight(const Cell& cell, const Clock& clock) const {
    const double weight = shrink(cell.value, clock.threshold);
    if constexpr (has_theta)
      return cell.beyond + weight;
    else
      return weight;
  }
  HEDGEROW_INLINE double total(const Cell& cell, const Totals& totals) const {
    const double total = totals.of(cell.value, cell.born);
    if constexpr (has_theta)
      return cell.beyond * totals.gains() + total;
    else
      return total;
  }

  bool update(const Entries& x, double score, double y, double weight) {
    const double eta =
        schedule_.constant_rate ? options_.learning_rate : options_.learning_rate / std::sqrt(clock_.t + 1);
    const double step = eta * *descent(score, y, weight);
    if (step != 0) {
      if (!in_range(x, step, 1e280)) return false;
      change_cells(x, [=, this, clock = clock_](Cell& cell, double value) HEDGEROW_INLINE_BODY {
        const double w = this->weight(cell, clock) + step * value;
        cell.value = w + std::copysign(clock.threshold, w);
        if constexpr (has_theta) {
          const bool shrinks = std::abs(w) <= schedule_.theta;
          cell.value = shrinks ? cell.value : 0;
          cell.beyond = shrinks ? 0 : w;
        }
      });
    }
    const bool shrank = count_step(eta);
    return step != 0 || shrank;
  }

  // Shards mix weights, and the number of steps that step sizes follow, as in fobos.cpp.
  struct Coordinates {
    double weight;

    template <class Self, class Each>
    static void fields(Self& self, Each&& each) {
      each(Field{"weight", models::finite, Mix::mean}, self.weight);
    }
  };
  Coordinates coordinates(const Cell& cell) const { return {this->weight(cell, clock_)}; }
  Cell cell_at(const Coordinates& at) const {
    const bool shrinks = std::abs(at.weight) <= schedule_.theta;
    Cell cell{};
    cell.value = shrinks ? at.weight : 0;
    if constexpr (has_theta) cell.beyond = shrinks ? 0 : at.weight;
    return cell;
  }
  void settle_clock() { clock_.threshold = 0; }

 private:
  using Shrinking::change_cells, Shrinking::clock_, Shrinking::descent, Shrinking::in_range,
      Shrinking::options_, Shrinking::raise_threshold;

  bool count_step(double eta) {
    clock_.t += 1;
    clock_.steps += 1;
    clock_.rates += eta;
    if (clock_.steps < schedule_.truncate_every) return false;
    const double gravity = options_.l1 * clock_.rates;
    clock_.steps = clock_.rates = 0;
    raise_threshold(clock_.threshold + gravity);
    return gravity > 0;
  }

  const TruncatedGradientOptions schedule_;
};

template <bool has_theta>
std::unique_ptr<LinearRule> with_theta(const TruncatedGradientOptions& options) {
  if (options.averaging == Averaging::average)
    return std::make_unique<TruncatedGradient<true, has_theta>>(options);
  return std::make_unique<TruncatedGradient<false, has_theta>>(options);
}

NewRule make(Parameters& p, Averaging averaging) {
  TruncatedGradientOptions options;
  options.loss = loss_of(p);
  options.l1 = p.number("l1");
  options.learning_rate = p.number("learning_rate");
  options.averaging = averaging;
  options.bias = p.flag("bias");
  options.table_size = p.whole("table_size", options.table_size);
  options.constant_rate = p.choice<bool>("schedule", {{"constant", true}, {"decaying", false}});
  options.truncate_every = p.number("truncate_every");
  options.theta = p.number("threshold");
  return std::isfinite(options.theta) ? with_theta<true>(options) : with_theta<false>(options);
}
const LinearRules::Entry entry{"truncated-gradient", make};

}  // namespace
}  // namespace hedgerow::linear
