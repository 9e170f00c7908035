// Ahpatron (Liao, Li, Liao, Hu, Dang, AAAI 2024): an aggressive perceptron whose budget, once reached, is
// halved by projecting the supports with the smaller coefficients onto the others. Needs K(x, x) <= 1.
#pragma once

#include <vector>

#include "online/rule.hpp"

namespace hedgerow::online {

struct AhpatronOptions {
  std::int64_t budget;
  double margin;  // examples with a margin below this one are learned from
  double radius;  // U: the norm of f stays within it
  double ridge;   // added to the Gram matrix of the supports that stay
};

class Ahpatron final : public KernelRule {
 public:
  explicit Ahpatron(const AhpatronOptions& options);

  void learn(models::KernelFunction& f, double y, double weight) override;
  std::unique_ptr<KernelRule> fresh(std::int32_t) const override {
    return std::make_unique<Ahpatron>(options_);
  }
  bool merges() const override { return false; }

 private:
  void halve(models::KernelFunction& f);

  AhpatronOptions options_;
  double step_;
};

}  // namespace hedgerow::online
