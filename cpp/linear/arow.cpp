// AROW, adaptive regularisation of weights (Crammer, Kulesza, Dredze 2009), with a diagonal covariance.
#include "linear/confidence.hpp"

namespace hedgerow::linear {
namespace {

template <bool averages>
class Arow final : public ConfidenceRule<Arow<averages>, ConfidenceCell<averages>> {
  using Confidence = ConfidenceRule<Arow, ConfidenceCell<averages>>;

 public:
  // r: regularisation; the larger, the smaller the steps.
  Arow(Averaging averaging, double r, bool bias) : Confidence(averaging, bias), r_(r) {}

  std::unique_ptr<LinearRule> fresh() const override {
    return std::make_unique<Arow>(this->averaging_, r_, this->has_bias_);
  }

  bool update(const Entries& x, double score, double y, double weight) {
    const double loss = 1 - y * score;
    if (loss <= 0) return false;
    const double v = this->uncertainty(x);
    if (!(v > 0 && std::isfinite(v))) return false;
    const double beta = 1 / (v + r_ / weight);
    this->move(x, y * loss * beta, beta);
    return true;
  }

  // The same for the difference of two functions, whose variances add up.
  bool update_against(Arow& rival, Arow&, const Entries& x, double score, double rival_score, double weight) {
    const double loss = 1 - (score - rival_score);
    if (loss <= 0) return false;
    const double v = this->uncertainty(x) + rival.uncertainty(x);
    if (!(v > 0 && std::isfinite(v))) return false;
    const double beta = 1 / (v + r_ / weight);
    this->move(x, loss * beta, beta);
    rival.move(x, -loss * beta, beta);
    return true;
  }

 private:
  double r_;
};

NewRule make(Parameters& p, Averaging averaging) {
  return make_steady_rule<Arow>(averaging, p.number("regularization"), p.flag("bias"));
}
const LinearRules::Entry entry{"arow", make};

}  // namespace
}  // namespace hedgerow::linear
