// The Forgetron (Dekel, Shalev-Shwartz, Singer 2008): supports shrink with every mistake, and the oldest
// leaves when there are more than B. Needs K(x, x) <= 1.
#pragma once

#include <vector>

#include "online/rule.hpp"

namespace hedgerow::online {

// By how much to shrink: always as much as the analysis allows for the budget; as little as it allows for
// what has happened so far; likewise, letting a support go whose loss does no harm if there is one.
enum class Shrinking { basic, self_tuned, greedy };

class Forgetron final : public KernelRule {
 public:
  Forgetron(std::int64_t budget, Shrinking shrinking);

  void learn(models::KernelFunction& f, double y, double weight) override;
  std::unique_ptr<KernelRule> fresh(std::int32_t) const override {
    return std::make_unique<Forgetron>(budget_, shrinking_);
  }
  bool merges() const override { return false; }
  void save(models::State& state, const std::string& prefix) const override;
  void load(const models::State& state, const std::string& prefix, const models::KernelFunction& f) override;

 private:
  void add(models::KernelFunction& f, double y);
  std::size_t choose(const models::KernelFunction& f) const;
  double gentlest_factor(double sigma, double margin) const;

  std::int64_t budget_;
  Shrinking shrinking_;
  double factor_, radius_;               // of the basic variant: largest factor, and U
  double mistakes_ = 0, damage_ = 0;     // M and Q
  std::vector<double> values_, others_;  // greedy: f at every support, oldest first; scratch
};

}  // namespace hedgerow::online
