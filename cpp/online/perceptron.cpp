// The perceptron (Rosenblatt 1958), with a bias that moves by the squared radius of the data.
#include "online/rule.hpp"

namespace hedgerow::online {
namespace {

class Perceptron final : public Rule {
 public:
  explicit Perceptron(bool bias) : bias_(bias) {}

  void update(models::Function& f, double y, double weight) override {
    widen_radius(f);
    if (y * f.score() > 0) return;
    f.add(weight * y);
    if (bias_) f.add_bias(weight * y * squared_radius_);
  }

  void update_against(models::Function& right, models::Function& wrong, double weight) override {
    widen_radius(right);
    if (right.score() > wrong.score()) return;
    right.add(weight);
    wrong.add(-weight);
    if (!bias_) return;
    right.add_bias(weight * squared_radius_);
    wrong.add_bias(-weight * squared_radius_);
  }

  std::unique_ptr<Rule> fresh() const override { return std::make_unique<Perceptron>(bias_); }
  void numbers(const models::EachNumber& each) override {
    each({"squared_radius", models::at_least_0, models::Mix::max}, squared_radius_);
  }

 private:
  void widen_radius(models::Function& f) {
    if (!bias_ || f.self_kernel() <= squared_radius_) return;
    f.begin();
    squared_radius_ = f.self_kernel();
  }

  bool bias_;
  double squared_radius_ = 0;  // the largest K(x, x) so far
};

NewRule make(Parameters& p) { return std::make_unique<Perceptron>(p.flag("bias")); }
const KernelRules::Entry entry{"perceptron", make};

}  // namespace
}  // namespace hedgerow::online
