// KernelLearner: a learner whose functions are expansions over supports.
#pragma once

#include <memory>
#include <vector>

#include "models/expansion.hpp"
#include "online/learner.hpp"
#include "online/rule.hpp"

namespace hedgerow::online {

class KernelLearner final : public Learner {
 public:
  // rule: one of its kind is made for every function.
  KernelLearner(const models::KernelModel& kernel, const KernelRule& rule, Codes codes,
                models::Averaging averaging, Counting counting, std::int64_t trace_every);

  void open(std::shared_ptr<const models::Items> batch) override;
  void close() override;

  const models::Expansion& expansion() const { return expansion_; }
  double condition() const;  // the worst of the rules'

 private:
  bool visit(std::int64_t item, std::int64_t number, double* scores) override;
  void predictions(double* out) override { expansion_.predictions(out); }
  bool learn(std::int32_t function, double y, double weight) override;
  bool learn_jointly(std::int32_t right, std::int32_t wrong, double weight) override;
  void leave(std::int64_t item) override;
  void give_up() override;
  void before_change(double self_kernel);
  void save_rules(models::State& state) const;
  std::size_t growth() const override;
  void rearrange_model(std::span<const std::int32_t> from) override;
  std::int64_t model_size() const override { return expansion_.support_count(); }
  double l1_norm() const override { return expansion_.l1_norm(); }
  void function_values(const models::Items& batch, int threads, bool single, double* out) const override {
    expansion_.decisions(batch, threads, single, out);
  }
  void save_model(models::State& state) const override;
  void load_model(const models::State& state) override;
  void forget_model() override;
  void save_numbers(models::State& state) const override;

  models::Expansion expansion_;
  std::vector<std::unique_ptr<KernelRule>> rules_;  // one a function
  bool may_fail_;                                   // kernel or rules
  std::vector<std::int32_t> survivors_;     // functions whose predictors count for the current example
  std::vector<std::int32_t> slot_of_item_;  // of the open batch, when examples that come again merge
};

}  // namespace hedgerow::online
