// AROW, adaptive regularisation of weights (Crammer, Kulesza, Dredze 2009), with a diagonal covariance.
#pragma once

#include "linear/confidence.hpp"

namespace hedgerow::linear {

template <bool averages>
class Arow final : public ConfidenceRule<Arow<averages>, ConfidenceCell<averages>> {
  using Confidence = ConfidenceRule<Arow, ConfidenceCell<averages>>;

 public:
  // r: regularisation; the larger, the smaller the steps.
  Arow(models::Averaging averaging, double r, bool bias) : Confidence(averaging, bias), r_(r) {}

  std::unique_ptr<LinearRule> fresh() const override {
    return std::make_unique<Arow>(this->averaging_, r_, this->has_bias_);
  }

  bool update(const models::Entries& x, double score, double y, double weight) {
    const double loss = 1 - y * score;
    if (loss <= 0) return false;
    const double v = this->uncertainty(x);
    if (!(v > 0 && std::isfinite(v))) return false;
    const double beta = 1 / (v + r_ / weight);
    this->move(x, y * loss * beta, beta);
    return true;
  }

 private:
  double r_;
};

}  // namespace hedgerow::linear
