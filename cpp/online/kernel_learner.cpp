#include "online/kernel_learner.hpp"

#include <algorithm>

#include "online/limits.hpp"

namespace hedgerow::online {

KernelLearner::KernelLearner(const models::KernelModel& kernel, const KernelRule& rule, Codes codes,
                             models::Averaging averaging, Counting counting, std::int64_t trace_every)
    : Learner(std::move(codes), trace_every, 1, counting),
      expansion_(kernel, Learner::codes().functions(), averaging),
      may_fail_(kernel.may_fail() || rule.may_fail()) {
  expansion_.become_part_of(*this);
  for (std::int32_t j = 0; j < expansion_.functions(); ++j) rules_.push_back(rule.fresh(j));
  expansion_.tell_before_change([this](double self_kernel) { before_change(self_kernel); });
}

void KernelLearner::open(std::shared_ptr<const models::Items> batch) {
  const std::int64_t n = batch->size();
  expansion_.open(std::move(batch));
  slot_of_item_.clear();
  if (rules_[0]->merges() && n > 1) slot_of_item_.assign(n, -1);
}

void KernelLearner::close() {
  expansion_.close();
  slot_of_item_.clear();
}

bool KernelLearner::visit(std::int64_t item, std::int64_t number, double* scores) {
  if (may_fail_)
    for (const auto& rule : rules_) rule->keep();
  survivors_.clear();
  expansion_.visit(item, number, slot_of_item_.empty() ? -1 : slot_of_item_[item]);
  bool ordinary = true;
  for (std::int32_t j = 0; j < expansion_.functions(); ++j) {
    scores[j] = expansion_.score(j);
    ordinary = ordinary && ordinary_score(scores[j]);
  }
  return ordinary;
}

void KernelLearner::before_change(double self_kernel) {
  check_self_kernel(self_kernel, "K(x, x)");
  bool ordinary = !may_fail_ && is_ordinary() && ordinary_self_kernel(self_kernel);
  for (std::int32_t j = 0; j < expansion_.functions(); ++j)
    ordinary = ordinary && ordinary_squared_norm(expansion_.squared_norm(j));
  if (!ordinary) keep();
  begin_change();
}

std::size_t KernelLearner::growth() const {
  std::size_t bytes = expansion_.growth();
  for (const auto& rule : rules_) bytes += rule->growth();
  return bytes;
}

void KernelLearner::give_up() {
  for (const auto& rule : rules_) rule->take_back();
}

bool KernelLearner::learn(std::int32_t function, double y, double weight) {
  models::KernelFunction f(expansion_, function);
  rules_[function]->learn(f, y, weight);
  const bool is_new = expansion_.has_changed(function);
  if (counts(is_new)) survivors_.push_back(function);
  return is_new;
}

bool KernelLearner::learn_jointly(std::int32_t right, std::int32_t wrong, double weight) {
  models::KernelFunction f(expansion_, right), g(expansion_, wrong);
  rules_[0]->learn_against(f, g, weight);
  const bool is_new = expansion_.has_changed(right) || expansion_.has_changed(wrong);
  if (counts(is_new))
    for (std::int32_t j = 0; j < expansion_.functions(); ++j) survivors_.push_back(j);
  return is_new;
}

void KernelLearner::rearrange_model(std::span<const std::int32_t> from) {
  expansion_.rearrange(from);
  std::vector<std::unique_ptr<KernelRule>> rules(from.size());
  for (std::size_t j = 0; j < from.size(); ++j)
    if (from[j] < 0) rules[j] = rules_[0]->fresh(static_cast<std::int32_t>(j));
  for (std::size_t j = 0; j < from.size(); ++j)
    if (from[j] >= 0) rules[j] = std::move(rules_[from[j]]);
  rules_ = std::move(rules);
}

void KernelLearner::leave(std::int64_t item) {
  for (const std::int32_t function : survivors_) expansion_.survive(function);
  if (!slot_of_item_.empty()) slot_of_item_[item] = expansion_.current_slot();
}

double KernelLearner::condition() const {
  double worst = 1;
  for (const auto& rule : rules_) worst = std::max(worst, rule->condition());
  return worst;
}

void KernelLearner::save_model(models::State& state) const {
  expansion_.save(state, "expansion.");
  save_rules(state);
}

void KernelLearner::save_numbers(models::State& state) const {
  expansion_.save_functions(state, "expansion.");
  save_rules(state);
}

void KernelLearner::forget_model() {
  expansion_.forget();
  for (std::size_t j = 0; j < rules_.size(); ++j) rules_[j] = rules_[j]->fresh(static_cast<std::int32_t>(j));
}

void KernelLearner::save_rules(models::State& state) const {
  for (std::size_t j = 0; j < rules_.size(); ++j) {
    const std::string prefix = "rule" + std::to_string(j) + ".";
    rules_[j]->save_numbers(state, prefix);
    rules_[j]->save_arrays(state, prefix);
  }
}

void KernelLearner::load_model(const models::State& state) {
  expansion_.load(state, "expansion.");
  for (std::size_t j = 0; j < rules_.size(); ++j) {
    const models::KernelFunction f(expansion_, static_cast<std::int32_t>(j));
    const std::string prefix = "rule" + std::to_string(j) + ".";
    rules_[j]->load_numbers(state, prefix);
    rules_[j]->load_arrays(state, prefix, f);
  }
}

}  // namespace hedgerow::online
