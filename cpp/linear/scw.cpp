// SCW, soft confidence-weighted learning (Wang, Zhao, Hoi 2012), with a diagonal covariance: the smallest
// change of the distribution of weights that classifies the example with confidence, but for slack.
#include "linear/confidence.hpp"

namespace hedgerow::linear {
namespace {

// Slack that counts linearly; slack that counts squared.
enum class SoftConfidence { scw1, scw2 };

template <bool averages>
class Scw final : public ConfidenceRule<Scw<averages>, ConfidenceCell<averages>> {
  using Confidence = ConfidenceRule<Scw, ConfidenceCell<averages>>;

 public:
  // phi: the quantile of the standard normal distribution at the confidence that is asked for.
  Scw(Averaging averaging, SoftConfidence variant, double C, double phi, bool bias)
      : Confidence(averaging, bias), variant_(variant), C_(C), phi_(phi) {}

  std::unique_ptr<LinearRule> fresh() const override {
    return std::make_unique<Scw>(this->averaging_, variant_, C_, phi_, this->has_bias_);
  }

  bool update(const Entries& x, double score, double y, double weight) {
    const double v = this->uncertainty(x), m = y * score;
    if (!(v > 0 && std::isfinite(v * v) && std::isfinite(m * m * v * v))) return false;
    if (m >= phi_ * std::sqrt(v)) return false;
    const double alpha =
        variant_ == SoftConfidence::scw1 ? step1(v, m, weight * C_) : step2(v, m, weight * C_);
    if (!(alpha > 0)) return false;
    const double a = alpha * v * phi_;
    const double root = (std::sqrt(a * a + 4 * v) - a) / 2;  // of u
    this->move(x, alpha * y, alpha * phi_ / (root + a));
    return true;
  }

 private:
  double step1(double v, double m, double C) const {
    const double phi2 = phi_ * phi_, psi = 1 + phi2 / 2, zeta = 1 + phi2;
    return std::min(C, (std::sqrt(m * m * phi2 * phi2 / 4 + v * phi2 * zeta) - m * psi) / (v * zeta));
  }
  double step2(double v, double m, double C) const {
    const double phi2 = phi_ * phi_, n = v + 1 / (2 * C);
    const double gamma = phi_ * std::sqrt(phi2 * m * m * v * v + 4 * n * v * (n + v * phi2));
    return (gamma - 2 * m * n - phi2 * m * v) / (2 * (n * n + n * v * phi2));
  }

  SoftConfidence variant_;
  double C_, phi_;
};

NewRule make(Parameters& p, Averaging averaging) {
  const auto variant = p.choice<SoftConfidence>(
      "variant", {{"SCW-I", SoftConfidence::scw1}, {"SCW-II", SoftConfidence::scw2}});
  return make_steady_rule<Scw>(averaging, variant, p.number("C"), p.number("phi"), p.flag("bias"));
}
const LinearRules::Entry entry{"scw", make};

}  // namespace
}  // namespace hedgerow::linear
