// FTRL-proximal (McMahan and others 2013): follow the leader of linearised losses, regularised towards the
// weights of the past, with steps of its own for every feature.
#pragma once

#include <algorithm>
#include <cmath>

#include "linear/losses.hpp"
#include "linear/steady_rule.hpp"

namespace hedgerow::linear {

struct FtrlOptions {
  Loss loss;
  double alpha, beta, l1, l2;
};

template <bool averages>
struct FtrlCell : SteadyCell<averages> {
  double z;     // sum of gradients, less the steps that the proximal terms make
  double root;  // of the sum of squared gradients
};

template <bool averages>
class Ftrl final : public SteadyRule<Ftrl<averages>, FtrlCell<averages>> {
  using Steady = SteadyRule<Ftrl, FtrlCell<averages>>;

 public:
  Ftrl(models::Averaging averaging, FtrlOptions options, bool bias)
      : Steady(averaging, bias), options_(options) {}

  std::unique_ptr<LinearRule> fresh() const override {
    return std::make_unique<Ftrl>(this->averaging_, options_, this->has_bias_);
  }

  bool update(const models::Entries& x, double score, double y, double weight) {
    const double scale = weight * y * slope(options_.loss, y * score);
    if (scale == 0) return false;
    for (const double value : x.value)
      if (!(std::abs(scale * value) < 1e150)) return false;  // its square would overflow
    const double per_alpha = 1 / options_.alpha, l1 = options_.l1;
    const double curvature = options_.beta * per_alpha + options_.l2, steps = this->clock_.steps;
    this->each(x, [=](FtrlCell<averages>& cell, double value) HEDGEROW_INLINE_BODY {
      const double gradient = scale * value;
      const double root = std::sqrt(cell.root * cell.root + gradient * gradient);
      const double z = cell.z + gradient - (root - cell.root) * per_alpha * cell.weight;
      const double step = std::max(std::abs(z) - l1, 0.0) / std::max(curvature + root * per_alpha, smallest);
      cell.z = z;
      cell.root = root;
      Steady::change(cell, -std::copysign(step, z) - cell.weight, steps);
    });
    return true;
  }

 private:
  static constexpr double smallest = 1e-300;  // of divisors: there may be no regularisation and no gradient

  FtrlOptions options_;
};

}  // namespace hedgerow::linear
