// Sums of weights over all predictors so far, for weights that shrink together.
//
// The weight of a feature with a given value is, in the predictor of time t,
//   gain(t) * shrink(value, threshold(t)),  shrink(v, c) = sign(v) max(|v| - c, 0),
// and the threshold never falls: a weight that has reached 0 stays there until its value changes. While the
// value stays, the sum of these weights over all times is
//   value * G - sign(value) * C,  G = sum of gain(t),  C = sum of gain(t) threshold(t),
// both up to now or, if the threshold has reached |value|, up to the moment before. So a learner keeps the
// sums at all moments when the threshold rose, and looks there for weights that have become 0 since their
// values last changed.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/fields.hpp"
#include "platform.hpp"

namespace hedgerow::linear {

// sign(value) max(|value| - threshold, 0), without a branch.
HEDGEROW_INLINE double shrink(double value, double threshold) {
  const double above = value > -threshold ? value : -threshold;
  return value - (above < threshold ? above : threshold);
}

class ShrinkageSums {
  struct Sums {
    double gains = 0, cuts = 0;  // G and C

    template <class Self, class Each>
    static void fields(Self& self, Each&& each) {
      each(models::Field{"gains"}, self.gains);
      each(models::Field{"cuts"}, self.cuts);
    }
  };

 public:
  // A predictor has lived for one more example.
  void add(double gain) {
    Sums& now = sums_.back();
    now.gains += gain;
    now.cuts += gain * threshold();
  }
  // The threshold rises for the predictors to come.
  void rise(double to) {
    if (to == threshold()) return;
    bounds_.back() = to;
    bounds_.push_back(infinity);
    sums_.push_back(sums_.back());
  }
  // Forgets all predictors so far, after their totals were put elsewhere.
  void restart(double threshold) {
    bounds_ = {-1, threshold, infinity};
    sums_.assign(2, {});
  }
  std::int64_t moments() const { return static_cast<std::int64_t>(sums_.size()) - 1; }

  // Totals at the present moment. A copy of what loops need, so that they keep it in registers.
  class Totals {
   public:
    explicit Totals(const ShrinkageSums& sums)
        : bounds_(sums.bounds_.data()),
          sums_(sums.sums_.data()),
          last_(sums.moments()),
          first_threshold_(bounds_[1]),
          threshold_(bounds_[last_]),
          now_(sums_[last_]) {
      if (last_ == 1) return;
      const std::int64_t middle = (1 + last_) / 2;
      half_ = bounds_[middle] - first_threshold_;
      slope_ = middle > 1 ? static_cast<double>(middle - 1) / half_ : 0;
      const double all = threshold_ - first_threshold_;
      bend_ = (static_cast<double>(last_ - middle) / (all - half_) - slope_) / all;
    }

    // The sum of gain * shrink(value, threshold) over all predictors since the last restart, for a value that
    // came when the threshold was `born`; 0 if its weight has been 0 since then. So most weights that are 0
    // need not be looked for, and whether a weight is 0, which nobody can foresee, is no branch.
    HEDGEROW_INLINE double of(double value, double born) const {
      const double size = std::abs(value);
      if ((size <= threshold_) & (size > born) & (size > first_threshold_)) [[unlikely]]
        return total(value, sums_[last_below(size)]);
      return of_new(value);
    }
    // The same for a value that has just come.
    HEDGEROW_INLINE double of_new(double value) const {
      const std::uint64_t all = std::abs(value) > threshold_ ? ~std::uint64_t{0} : 0;
      return std::bit_cast<double>(std::bit_cast<std::uint64_t>(total(value, now_)) & all);
    }
    double threshold() const { return threshold_; }
    // The number of these predictors, if all gains are 1.
    double gains() const { return now_.gains; }

   private:
    static double total(double value, const Sums& sums) {
      return value * sums.gains - std::copysign(sums.cuts, value);
    }
    // The last moment with a threshold below a size between the first and the present threshold. Thresholds
    // rise smoothly: a parabola through three of them mostly leads there, or beside it.
    std::int64_t last_below(double size) const {
      const double beyond = size - first_threshold_;
      const double guess = 1 + beyond * (slope_ + bend_ * (beyond - half_));
      const auto end = static_cast<double>(last_);
      auto i = static_cast<std::int64_t>(guess > 1 ? guess < end ? guess : end : 1);
      i -= size <= bounds_[i];
      i += size > bounds_[i + 1];
      if (bounds_[i] < size && size <= bounds_[i + 1]) return i;
      return std::lower_bound(bounds_, bounds_ + last_ + 1, size) - bounds_ - 1;
    }

    const double* bounds_;
    const Sums* sums_;
    std::int64_t last_;
    double first_threshold_, threshold_;
    Sums now_;
    double half_ = 0, slope_ = 0, bend_ = 0;
  };

  void save(models::State& state, const std::string& prefix) const {
    state.set(prefix + "thresholds", std::vector<double>(bounds_.begin() + 1, bounds_.end() - 1));
    models::save_fields<Sums>(state, prefix, sums_);
  }
  // Thresholds rise from the present one on, that of the clock: any other would be out of order later.
  void load(const models::State& state, const std::string& prefix, double present) {
    const auto& thresholds = state.get<double>(prefix + "thresholds");
    models::check_range(prefix + "thresholds", models::at_least_0, thresholds);
    if (thresholds.empty() || thresholds.back() != present ||
        std::ranges::adjacent_find(thresholds, std::greater_equal()) != thresholds.end())
      throw std::invalid_argument(prefix + "thresholds must increase up to " + prefix + "threshold");
    sums_ = models::load_fields<Sums>(state, prefix, thresholds.size() + 1);
    bounds_ = {-1};
    bounds_.insert(bounds_.end(), thresholds.begin(), thresholds.end());
    bounds_.push_back(infinity);
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  double threshold() const { return bounds_[bounds_.size() - 2]; }

  // Moments are numbered from 1, by the thresholds since the restart, the present one being the last; 0 is
  // the time before.
  std::vector<double> bounds_ = {-1, 0, infinity};  // thresholds, between two that hold all sizes
  std::vector<Sums> sums_ = {{}, {}};               // up to the last example that lived in each moment
};

}  // namespace hedgerow::linear
