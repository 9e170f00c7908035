// Passive-Aggressive learning (Crammer, Dekel, Keshet, Shalev-Shwartz, Singer 2006): the smallest change of f
// that gives the example a margin of 1.
#include <algorithm>
#include <cmath>

#include "online/rule.hpp"

namespace hedgerow::online {
namespace {

// Hard margin; slack that counts linearly; slack that counts squared.
enum class Aggressiveness { pa, pa1, pa2 };

class PassiveAggressive final : public Rule {
 public:
  // dynamic: C falls with the number M of mistakes so far, C / sqrt(1 + M). Data without noise soon stop
  // making mistakes and keep a large C; noisy ones make it small, as the authors advise.
  PassiveAggressive(Aggressiveness variant, double C, bool dynamic)
      : variant_(variant), C_(C), dynamic_(dynamic) {}

  void update(models::Function& f, double y, double weight) override {
    const double loss = 1 - y * f.score();
    if (loss <= 0) return;
    f.begin();
    const double squared_length = f.self_kernel();
    if (squared_length > 0) f.add(y * step(loss, squared_length, weight));
    if (loss >= 1) mistakes_ += 1;
  }

  // Section 9 of the paper: x counts for one class and against the other, so its squared length counts twice.
  void update_against(models::Function& right, models::Function& wrong, double weight) override {
    const double loss = 1 - (right.score() - wrong.score());
    if (loss <= 0) return;
    right.begin();
    if (const double squared_length = 2 * right.self_kernel(); squared_length > 0) {
      const double tau = step(loss, squared_length, weight);
      right.add(tau);
      wrong.add(-tau);
    }
    if (loss >= 1) mistakes_ += 1;
  }

  std::unique_ptr<Rule> fresh() const override {
    return std::make_unique<PassiveAggressive>(variant_, C_, dynamic_);
  }
  void numbers(const models::EachNumber& each) override {
    each({"mistakes", models::at_least_0, models::Mix::sum},
         mistakes_);  // a dynamic C falls with those of all shards
  }

 private:
  double step(double loss, double squared_length, double weight) const {
    if (variant_ == Aggressiveness::pa) return loss / squared_length;
    const double C = weight * (dynamic_ ? C_ / std::sqrt(1 + mistakes_) : C_);
    if (variant_ == Aggressiveness::pa1) return std::min(C, loss / squared_length);
    return loss / (squared_length + 1 / (2 * C));
  }

  Aggressiveness variant_;
  double C_;
  bool dynamic_;
  double mistakes_ = 0;
};

NewRule make(Parameters& p) {
  const auto variant = p.choice<Aggressiveness>(
      "variant", {{"PA", Aggressiveness::pa}, {"PA-I", Aggressiveness::pa1}, {"PA-II", Aggressiveness::pa2}});
  return std::make_unique<PassiveAggressive>(variant, p.number("C"), p.flag("dynamic"));
}
const KernelRules::Entry entry{"passive-aggressive", make};

}  // namespace
}  // namespace hedgerow::online
