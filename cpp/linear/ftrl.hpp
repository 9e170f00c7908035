// FTRL-proximal (McMahan and others 2013): follow the leader of linearised losses, regularised towards the
// weights of the past, with steps of its own for every feature.
#pragma once

#include <cmath>

#include "linear/losses.hpp"
#include "linear/steady_rule.hpp"

namespace hedgerow {

struct FtrlOptions {
  Loss loss;
  double alpha, beta, l1, l2;
};

struct FtrlCell {
  double weight, offset;
  double z;     // sum of gradients, less the steps that the proximal terms make
  double root;  // of the sum of squared gradients
};

class Ftrl final : public SteadyRule<Ftrl, FtrlCell> {
 public:
  Ftrl(FtrlOptions options, Averaging averaging, bool bias) : SteadyRule(averaging, bias), o_(options) {}

  std::unique_ptr<LinearRule> fresh() const override {
    return std::make_unique<Ftrl>(o_, averaging_, has_bias_);
  }

  bool update(const Entries& x, double score, double y, double weight) {
    const double scale = weight * y * slope(o_.loss, y * score);
    if (scale == 0) return false;
    each(x, [&](FtrlCell& cell, double value) {
      const double gradient = scale * value;
      const double root = std::sqrt(cell.root * cell.root + gradient * gradient);
      if (!std::isfinite(root)) return;
      const double z = cell.z + gradient - (root - cell.root) / o_.alpha * cell.weight;
      cell.z = z;
      cell.root = root;
      const double beyond = std::abs(z) - o_.l1;
      const double step = beyond > 0 ? beyond / ((o_.beta + root) / o_.alpha + o_.l2) : 0;
      change(cell, (z > 0 ? -step : step) - cell.weight);
    });
    return true;
  }

 private:
  FtrlOptions o_;
};

}  // namespace hedgerow
