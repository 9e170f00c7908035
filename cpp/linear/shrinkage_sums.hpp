// Sums of weights over all predictors so far, for weights that shrink together.
//
// The weight of a feature with a given value is, in the predictor of time t,
//   gain(t) * shrink(value, threshold(t)),  shrink(v, c) = sign(v) max(|v| - c, 0),
// and the threshold never falls: a weight that has reached 0 stays there until its value changes. While the
// value stays, the sum of these weights over all times is
//   value * G - sign(value) * C,  G = sum of gain(t),  C = sum of gain(t) threshold(t),
// both up to now or, if the threshold has reached |value|, up to the moment before. So a learner keeps the
// sums at all moments when the threshold rose, and looks there for weights that have become 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/state.hpp"
#include "parallel.hpp"

namespace hedgerow {

// sign(value) max(|value| - threshold, 0), without a branch.
HEDGEROW_INLINE double shrink(double value, double threshold) {
  const double above = value > -threshold ? value : -threshold;
  return value - (above < threshold ? above : threshold);
}

class ShrinkageSums {
 public:
  // A predictor has lived for one more example.
  void add(double gain) {
    now_.gains += gain;
    now_.cuts += gain * threshold_;
  }
  // The threshold rises for the predictors to come.
  void rise(double threshold) {
    if (threshold == threshold_) return;
    thresholds_.push_back(threshold_);
    sums_.push_back(now_);
    threshold_ = threshold;
  }
  // The sum of gain * shrink(value, threshold) over all predictors since the last restart.
  HEDGEROW_INLINE double total(double value) const {
    const double size = std::abs(value);
    if (size > threshold_) return total(value, now_);
    // Most weights that are 0 were so already then.
    if (thresholds_.empty() || size <= thresholds_.front()) return 0;
    return total(value, sums_[last_below(size)]);
  }
  double gains() const { return now_.gains; }
  std::size_t moments() const { return thresholds_.size(); }
  // Forgets all predictors so far, after their totals were put elsewhere.
  void restart(double threshold) {
    thresholds_.clear();
    sums_.clear();
    threshold_ = threshold;
    now_ = {};
  }

  void save(State& state, const std::string& prefix) const {
    std::vector<double> numbers;
    numbers.reserve(3 * moments() + 3);
    for (std::size_t i = 0; i < moments(); ++i)
      numbers.insert(numbers.end(), {thresholds_[i], sums_[i].gains, sums_[i].cuts});
    numbers.insert(numbers.end(), {threshold_, now_.gains, now_.cuts});
    state.set(prefix + "shrinkage", std::move(numbers));
  }
  void load(const State& state, const std::string& prefix) {
    const auto& numbers = state.get<double>(prefix + "shrinkage");
    if (numbers.empty() || numbers.size() % 3 != 0)
      throw std::invalid_argument(prefix + "shrinkage has the wrong length");
    restart(numbers[numbers.size() - 3]);
    now_ = {numbers[numbers.size() - 2], numbers[numbers.size() - 1]};
    for (std::size_t i = 0; i + 3 < numbers.size(); i += 3) {
      thresholds_.push_back(numbers[i]);
      sums_.push_back({numbers[i + 1], numbers[i + 2]});
    }
  }

 private:
  struct Sums {
    double gains = 0, cuts = 0;  // G and C
  };

  static double total(double value, const Sums& sums) {
    return value * sums.gains - std::copysign(sums.cuts, value);
  }
  // The last moment with a threshold below the size, which the first one is. A search without branches: those
  // for the features of an example then overlap.
  std::size_t last_below(double size) const {
    const double* thresholds = thresholds_.data();
    std::size_t found = 0;
    for (std::size_t n = thresholds_.size(); n > 1;) {
      const std::size_t half = n / 2;
      found += half * static_cast<std::size_t>(thresholds[found + half] < size);
      n -= half;
    }
    return found;
  }

  double threshold_ = 0;
  Sums now_;
  // At all moments since the restart when the threshold rose: that which it had had, and the sums so far.
  std::vector<double> thresholds_;
  std::vector<Sums> sums_;
};

}  // namespace hedgerow
