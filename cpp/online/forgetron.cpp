// The Forgetron (Dekel, Shalev-Shwartz, Singer 2008): supports shrink with every mistake, and the oldest
// leaves when there are more than B. Needs K(x, x) <= 1.
#include <algorithm>
#include <cmath>
#include <vector>

#include "online/rule.hpp"

namespace hedgerow::online {
namespace {

constexpr double allowance = 15.0 / 32;  // of damage for each mistake

// The damage done by removing a support with coefficient sigma (times its label) and margin mu.
double psi(double sigma, double mu) { return sigma * sigma + 2 * sigma - 2 * sigma * mu; }

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
  void numbers(const models::EachNumber& each) override {
    each({"mistakes", models::at_least_0, models::Mix::sum}, mistakes_);
    each({"damage", models::finite, models::Mix::sum}, damage_);
  }
  void save_arrays(models::State& state, const std::string& prefix) const override {
    state.set(prefix + "values", values_);
  }
  void load_arrays(const models::State& state, const std::string& prefix,
                   const models::KernelFunction& f) override {
    const std::size_t known = shrinking_ == Shrinking::greedy ? f.supports().size() : 0;
    values_ = models::numbers_in(models::finite, state, prefix + "values", known);
  }

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

Forgetron::Forgetron(std::int64_t budget, Shrinking shrinking) : budget_(budget), shrinking_(shrinking) {
  const auto n = static_cast<double>(budget + 1);
  factor_ = std::pow(n, -1 / (2 * n));
  radius_ = std::sqrt(n / std::log(n)) / 4;
}

void Forgetron::learn(models::KernelFunction& f, double y, double) {
  if (y * f.score() > 0) return;
  f.begin();
  mistakes_ += 1;
  add(f, y);
  const bool over_budget = static_cast<std::int64_t>(f.supports().size()) > budget_;
  double factor = 1;
  std::size_t place = 0;
  double value = 0;  // of f at the support that leaves
  if (over_budget) {
    if (shrinking_ == Shrinking::greedy) place = choose(f);
    value = shrinking_ == Shrinking::greedy ? values_[place] : f.value_at(f.supports()[place]);
  }
  if (shrinking_ == Shrinking::basic) {
    factor = std::min(factor_, radius_ / std::sqrt(f.squared_norm()));
  } else if (over_budget) {
    // beta = sigma * label with sigma > 0
    const double beta = f.coefficient(f.supports()[place]);
    const double sigma = std::abs(beta), margin = beta > 0 ? value : -value;
    factor = gentlest_factor(sigma, margin);
    damage_ += psi(factor * sigma, factor * margin);
  }
  f.scale(factor);
  if (!over_budget) {
    for (double& known : values_) known *= factor;
    return;
  }
  const std::int32_t leaving = f.supports()[place];
  if (shrinking_ == Shrinking::greedy) {
    others_.resize(f.slots());
    f.support_row(leaving, others_.data());
    const double beta = f.coefficient(leaving);
    for (std::size_t i = 0; i < values_.size(); ++i)
      values_[i] = factor * values_[i] - beta * others_[f.supports()[i]];
    values_.erase(values_.begin() + static_cast<std::ptrdiff_t>(place));
  }
  f.remove(leaving, factor * value);
}

// f' = f + y K(x, .)
void Forgetron::add(models::KernelFunction& f, double y) {
  if (shrinking_ == Shrinking::greedy) {
    const std::vector<double>& row = f.row();
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] += y * row[f.supports()[i]];
    values_.push_back(f.score() + y * f.self_kernel());
  }
  f.add(y);
}

// The support that may leave without shrinking, else the oldest.
std::size_t Forgetron::choose(const models::KernelFunction& f) const {
  std::size_t best = 0;
  double least = INFINITY;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const double beta = f.coefficient(f.supports()[i]);
    const double harm = psi(std::abs(beta), beta > 0 ? values_[i] : -values_[i]);
    if (harm < least) least = harm, best = i;
  }
  return least <= allowance ? best : 0;
}

// The largest factor in (0, 1] with psi(factor * sigma, factor * margin) + Q <= 15/32 M.
double Forgetron::gentlest_factor(double sigma, double margin) const {
  // There never is more damage than allowed, but for rounding.
  const double a = sigma * sigma - 2 * sigma * margin, b = 2 * sigma;
  const double c = std::min(damage_ - allowance * mistakes_, 0.0);
  if (a + b + c <= 0) return 1;
  if (a == 0) return -c / b;
  return (-b + std::sqrt(b * b - 4 * a * c)) / (2 * a);
}

NewRule make(Parameters& p) {
  const auto shrinking = p.choice<Shrinking>(
      "shrinking",
      {{"basic", Shrinking::basic}, {"self-tuned", Shrinking::self_tuned}, {"greedy", Shrinking::greedy}});
  return std::make_unique<Forgetron>(p.whole("budget"), shrinking);
}
const KernelRules::Entry entry{"forgetron", make};

}  // namespace
}  // namespace hedgerow::online
