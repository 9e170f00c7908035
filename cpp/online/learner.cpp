#include "online/learner.hpp"

#include <ctime>

#include "parallel.hpp"

namespace hedgerow {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

Learner::Learner(const KernelModel& kernel, const KernelRule& rule, Codes codes, Averaging averaging,
                 std::int64_t trace_every)
    : expansion_(kernel, codes.functions(), averaging),
      codes_(std::move(codes)),
      trace_(trace_every, codes_.classes()),
      decoded_(codes_.outputs()),
      predictions_(codes_.functions()) {
  for (std::int32_t j = 0; j < codes_.functions(); ++j) rules_.push_back(rule.fresh(j));
}

void Learner::open(std::shared_ptr<const Items> batch) {
  const std::int64_t n = batch->size();
  expansion_.open(std::move(batch));
  slot_of_item_.clear();
  if (rules_[0]->merges() && n > 1) slot_of_item_.assign(n, -1);
}

void Learner::close() {
  expansion_.close();
  slot_of_item_.clear();
}

void Learner::pass(std::span<const std::int64_t> order, std::span<const std::int32_t> label,
                   std::span<const double> weight, std::int64_t first_number) {
  double started = trace_.wanted() ? cpu_seconds() : 0;
  for (const std::int64_t item : order) {
    stop_if_asked();
    learn(item, first_number + item, label[item], weight.empty() ? 1.0 : weight[item]);
    if (!trace_.wanted() || !trace_.due()) continue;
    const double now = cpu_seconds();
    seconds_ += now - started;
    started = now;
    trace_.sample(expansion_.support_count(), seconds_);
  }
  if (trace_.wanted()) seconds_ += cpu_seconds() - started;
}

void Learner::learn(std::int64_t item, std::int64_t number, std::int32_t label, double weight) {
  ++seen_;
  if (weight == 0) return;
  expansion_.visit(item, number, slot_of_item_.empty() ? -1 : slot_of_item_[item]);
  record(label);
  for (std::int32_t j = 0; j < expansion_.functions(); ++j) {
    const std::int8_t y = codes_.label(label, j);
    if (y == 0) continue;
    KernelFunction f(expansion_, j);
    rules_[j]->learn(f, y, weight);
    expansion_.survive(j);
  }
  if (!slot_of_item_.empty()) slot_of_item_[item] = expansion_.current_slot();
}

void Learner::record(std::int32_t label) {
  for (std::int32_t j = 0; j < expansion_.functions(); ++j) predictions_[j] = expansion_.score(j);
  codes_.decode(predictions_.data(), decoded_.data());
  if (!codes_.is_right(decoded_.data(), label)) ++mistakes_;
  if (!trace_.wanted()) return;
  expansion_.predictions(predictions_.data());
  codes_.decode(predictions_.data(), decoded_.data());
  trace_.predicted(codes_.winner(decoded_.data()), codes_.is_right(decoded_.data(), label), label);
}

double Learner::condition() const {
  double worst = 1;
  for (const auto& rule : rules_) worst = std::max(worst, rule->condition());
  return worst;
}

void Learner::decisions(const Items& batch, int threads, bool single, double* out) const {
  const std::int64_t n = batch.size();
  std::vector<double> scores(n * codes_.functions());
  expansion_.decisions(batch, threads, single, scores.data());
  for (std::int64_t i = 0; i < n; ++i)
    codes_.decode(scores.data() + i * codes_.functions(), out + i * codes_.outputs());
}

void Learner::save(State& state) const {
  expansion_.save(state, "expansion.");
  for (std::size_t j = 0; j < rules_.size(); ++j) rules_[j]->save(state, "rule" + std::to_string(j) + ".");
  trace_.save(state, "trace.");
  state.set("counts", std::vector<std::int64_t>{seen_, mistakes_});
  state.set("seconds", std::vector<double>{seconds_});
}

void Learner::load(const State& state) {
  expansion_.load(state, "expansion.");
  for (std::size_t j = 0; j < rules_.size(); ++j) {
    const KernelFunction f(expansion_, static_cast<std::int32_t>(j));
    rules_[j]->load(state, "rule" + std::to_string(j) + ".", f);
  }
  trace_.load(state, "trace.");
  const auto& counts = state.get<std::int64_t>("counts", 2);
  seen_ = counts[0];
  mistakes_ = counts[1];
  seconds_ = state.get<double>("seconds", 1)[0];
}

}  // namespace hedgerow
