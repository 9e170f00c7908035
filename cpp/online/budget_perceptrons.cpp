// Perceptrons with at most B supports: one stops storing, one lets a random support go.
#include "online/random.hpp"
#include "online/rule.hpp"

namespace hedgerow::online {
namespace {

// Stoptron (Orabona, Keshet, Caputo 2008).
class Stoptron final : public KernelRule {
 public:
  explicit Stoptron(std::int64_t budget) : budget_(budget) {}

  void learn(models::KernelFunction& f, double y, double weight) override {
    if (y * f.score() > 0) return;
    const bool full = static_cast<std::int64_t>(f.supports().size()) >= budget_;
    if (!full || f.has_example()) f.add(weight * y);
  }

  std::unique_ptr<KernelRule> fresh(std::int32_t) const override {
    return std::make_unique<Stoptron>(budget_);
  }

 private:
  std::int64_t budget_;
};

// Randomised budget perceptron (Cavallanti, Cesa-Bianchi, Gentile 2007).
class RandomBudgetPerceptron final : public KernelRule {
 public:
  RandomBudgetPerceptron(std::int64_t budget, std::uint64_t seed)
      : budget_(budget), seed_(seed), random_(seed) {}

  void learn(models::KernelFunction& f, double y, double weight) override {
    if (y * f.score() > 0) return;
    f.begin();
    const auto size = static_cast<std::int64_t>(f.supports().size());
    if (size >= budget_) {
      const std::int32_t leaving = f.supports()[random_.below(size)];
      f.remove(leaving, f.value_at(leaving));
      f.rescore();
    }
    f.add(weight * y);
  }

  // Every function draws the same numbers, at its own mistakes: it is what it would be alone.
  std::unique_ptr<KernelRule> fresh(std::int32_t) const override {
    return std::make_unique<RandomBudgetPerceptron>(budget_, seed_);
  }
  bool merges() const override { return false; }
  void save_arrays(models::State& state, const std::string& prefix) const override {
    state.set(prefix + "random", std::vector<std::int64_t>{static_cast<std::int64_t>(random_.state)});
  }
  void load_arrays(const models::State& state, const std::string& prefix,
                   const models::KernelFunction&) override {
    random_.state = static_cast<std::uint64_t>(state.get<std::int64_t>(prefix + "random", 1)[0]);
  }

 private:
  std::int64_t budget_;
  std::uint64_t seed_;
  Random random_;
};

NewRule make_stoptron(Parameters& p) { return std::make_unique<Stoptron>(p.whole("budget")); }
const KernelRules::Entry stoptron{"stoptron", make_stoptron};

NewRule make_random_budget(Parameters& p) {
  const auto seed = static_cast<std::uint64_t>(p.whole("seed"));
  return std::make_unique<RandomBudgetPerceptron>(p.whole("budget"), seed);
}
const KernelRules::Entry random_budget{"random-budget", make_random_budget};

}  // namespace
}  // namespace hedgerow::online
