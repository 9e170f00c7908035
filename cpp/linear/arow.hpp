// AROW, adaptive regularisation of weights (Crammer, Kulesza, Dredze 2009), with a diagonal covariance.
#pragma once

#include "linear/confidence.hpp"

namespace hedgerow {

class Arow final : public ConfidenceRule<Arow> {
 public:
  // r: regularisation; the larger, the smaller the steps.
  Arow(double r, Averaging averaging, bool bias) : ConfidenceRule(averaging, bias), r_(r) {}

  std::unique_ptr<LinearRule> fresh() const override {
    return std::make_unique<Arow>(r_, averaging_, has_bias_);
  }

  bool update(const Entries& x, double score, double y, double weight) {
    const double loss = 1 - y * score;
    if (loss <= 0) return false;
    const double v = uncertainty(x);
    if (!(v > 0 && std::isfinite(v))) return false;
    const double beta = 1 / (v + r_ / weight);
    move(x, y * loss * beta, beta);
    return true;
  }

 private:
  double r_;
};

}  // namespace hedgerow
