// Rule: what an online learner does with an example.
#pragma once

#include <memory>
#include <string>

#include "models/expansion.hpp"
#include "models/fields.hpp"
#include "registry.hpp"

namespace hedgerow::online {

// A rule on kernel expansions. It may keep numbers and arrays of its own, which it must not change before
// f.begin(); every function has a rule to itself.
class KernelRule {
 public:
  virtual ~KernelRule() = default;

  // Learns from the example that f is at; y is +1 or -1, weight is positive.
  virtual void learn(models::KernelFunction& f, double y, double weight) = 0;
  // Learns that the function of the right class is to score higher than that of a wrong one. One rule then
  // serves all functions.
  virtual void learn_against(models::KernelFunction& /*right*/, models::KernelFunction& /*wrong*/,
                             double /*weight*/) {
    refuse();
  }
  // A rule of this kind that has learned nothing yet, for one more function.
  virtual std::unique_ptr<KernelRule> fresh(std::int32_t function) const = 0;
  // Whether an example that comes again adds to the support that it is already. Rules that remove supports
  // take it for another one, as the papers do.
  virtual bool merges() const { return true; }
  // Whether it is code that may fail at any time. Such a rule is asked to remember its own numbers before
  // each example, and to take them up again when something failed.
  virtual bool may_fail() const { return false; }
  virtual void keep() {}
  virtual void take_back() {}
  // About how many bytes it may need at most to learn from an example.
  virtual std::size_t growth() const { return 0; }
  // Of the linear systems that the rule solves; 1 if it solves none.
  virtual double condition() const { return 1; }
  // Calls each(field, number) for the numbers that it keeps.
  virtual void numbers(const models::EachNumber&) {}
  virtual void save_arrays(models::State&, const std::string&) const {}
  virtual void load_arrays(const models::State&, const std::string&, const models::KernelFunction&) {}

  void save_numbers(models::State& state, const std::string& prefix) const {
    // What is called changes no number.
    const_cast<KernelRule*>(this)->numbers([&](const models::Field& field, double& number) {
      state.set(prefix + field.name, std::vector<double>{number});
    });
  }
  void load_numbers(const models::State& state, const std::string& prefix) {
    numbers([&](const models::Field& field, double& number) {
      const auto& values = state.get<double>(prefix + field.name, 1);
      models::check_range(prefix + field.name, field.range, values);
      number = values[0];
    });
  }

 protected:
  [[noreturn]] static void refuse() {
    throw std::invalid_argument("functions of this learner learn one by one");
  }
};

// Rules by name. Each registers itself in its own file:
//   NewRule make(Parameters& p) { return ...; }
//   const KernelRules::Entry entry{"perceptron", make};
using KernelRules = Registry<KernelRule>;
using NewRule = std::unique_ptr<KernelRule>;

// A rule that needs no more than a function: it runs on weights too.
class Rule : public KernelRule {
 public:
  virtual void update(models::Function& f, double y, double weight) = 0;
  virtual void update_against(models::Function& /*right*/, models::Function& /*wrong*/, double /*weight*/) {
    refuse();
  }
  virtual std::unique_ptr<Rule> fresh() const = 0;
  virtual bool needs_norm() const { return false; }  // of f

  void learn(models::KernelFunction& f, double y, double weight) final { update(f, y, weight); }
  void learn_against(models::KernelFunction& right, models::KernelFunction& wrong, double weight) final {
    update_against(right, wrong, weight);
  }
  std::unique_ptr<KernelRule> fresh(std::int32_t) const final { return fresh(); }
};

}  // namespace hedgerow::online
