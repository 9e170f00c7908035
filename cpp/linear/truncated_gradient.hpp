// Truncated gradient (Langford, Li, Zhang 2009): gradient steps, and every K steps small weights shrink.
//
// At step t, w <- w - eta * subgradient; if K divides t, then all weights with |w| <= theta shrink towards 0
// by l1 (the gravity) times the sum of the last K learning rates eta: K l1 eta if they are all the same.
#pragma once

#include <cmath>
#include <type_traits>

#include "linear/shrinking_rule.hpp"

namespace hedgerow::linear {

struct TruncatedGradientOptions : GradientOptions {
  bool constant_rate = true;  // else eta = r / sqrt(t)
  double truncate_every = 1;  // K
  double theta = 0;
};

template <bool averages>
struct TruncatedCell : ShrunkCell<averages> {
  double beyond;  // a weight above theta, which does not shrink; the value is 0 then
};
struct TruncatedClock {
  double gain = 1, threshold = 0;
  double steps = 0, rates = 0;  // since weights shrank: their number, and the sum of their learning rates
  double t = 0;
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

  bool update(const models::Entries& x, double score, double y, double weight) {
    const double eta =
        schedule_.constant_rate ? options_.learning_rate : options_.learning_rate / std::sqrt(clock_.t + 1);
    const double step = eta * *descent(score, y, weight);
    if (step != 0) {
      if (!in_range(x, step, 1e280)) return false;
      change_cells(x, [=, this, clock = clock_, theta = schedule_.theta](Cell& cell, double value)
                          HEDGEROW_INLINE_BODY {
                            const double w = this->weight(cell, clock) + step * value;
                            cell.value = w + std::copysign(clock.threshold, w);
                            if constexpr (has_theta) {
                              const bool shrinks = std::abs(w) <= theta;
                              cell.value = shrinks ? cell.value : 0;
                              cell.beyond = shrinks ? 0 : w;
                            }
                          });
    }
    const bool shrank = count_step(eta);
    return step != 0 || shrank;
  }

 private:
  using Shrinking::change_cells, Shrinking::clock_, Shrinking::descent, Shrinking::in_range,
      Shrinking::options_, Shrinking::threshold_rose;

  bool count_step(double eta) {
    clock_.t += 1;
    clock_.steps += 1;
    clock_.rates += eta;
    if (clock_.steps < schedule_.truncate_every) return false;
    const double gravity = options_.l1 * clock_.rates;
    clock_.steps = clock_.rates = 0;
    clock_.threshold += gravity;
    threshold_rose();
    return gravity > 0;
  }

  const TruncatedGradientOptions schedule_;
};

inline std::unique_ptr<LinearRule> make_truncated_gradient(const TruncatedGradientOptions& options) {
  const bool averages = options.averaging == models::Averaging::average;
  if (std::isfinite(options.theta)) {
    if (averages) return std::make_unique<TruncatedGradient<true, true>>(options);
    return std::make_unique<TruncatedGradient<false, true>>(options);
  }
  if (averages) return std::make_unique<TruncatedGradient<true, false>>(options);
  return std::make_unique<TruncatedGradient<false, false>>(options);
}

}  // namespace hedgerow::linear
