// ConfidenceRule: learners that keep a mean and a variance of every weight and change uncertain weights more.
#pragma once

#include <algorithm>
#include <cmath>

#include "linear/steady_rule.hpp"

namespace hedgerow {

struct ConfidenceCell {
  double weight, offset;
  double variance_kept;  // 0: never touched, the variance is 1
  double variance() const { return variance_kept > 0 ? variance_kept : 1; }
};

template <class Derived>
class ConfidenceRule : public SteadyRule<Derived, ConfidenceCell> {
  using Base = SteadyRule<Derived, ConfidenceCell>;

 public:
  using Base::Base;

 protected:
  // The variance of the score of x.
  double uncertainty(const Entries& x) const {
    double sum = this->has_bias_ ? this->bias_cell_.variance() : 0;
    for (std::size_t i = 0; i < x.feature.size(); ++i)
      sum += this->cells_[x.feature[i]].variance() * x.value[i] * x.value[i];
    return sum;
  }
  // mean += step * S x, S -= shrinkage * diag(S x x' S), S the diagonal matrix of variances.
  void move(const Entries& x, double step, double shrinkage) {
    this->each(x, [&](ConfidenceCell& cell, double value) {
      const double variance = cell.variance(), direction = variance * value;
      this->change(cell, step * direction);
      cell.variance_kept = std::max(variance - shrinkage * direction * direction, smallest);
    });
  }

 private:
  static constexpr double smallest = 1e-300;  // so that no feature looks untouched again
};

}  // namespace hedgerow
