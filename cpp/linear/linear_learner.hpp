// LinearLearner: a learner whose functions are weights of features.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "linear/linear_rule.hpp"
#include "online/learner.hpp"

namespace hedgerow::linear {

class LinearLearner : public online::Learner {
 public:
  // rule: one of its kind is made for every function. half_life: after so many examples a predictor counts
  // half as much in averages; infinity if all count the same.
  LinearLearner(const LinearRule& rule, online::Codes codes, std::int64_t trace_every,
                online::Counting counting, double half_life);

  void open(std::shared_ptr<const models::Items> batch) override;
  void close() override;

  std::int64_t width() const { return width_; }  // of the widest batch so far
  std::int32_t functions() const { return static_cast<std::int32_t>(functions_.size()); }
  const LinearRule& function(std::int32_t j) const { return *functions_[j]; }
  LinearRule& function(std::int32_t j) { return *functions_[j]; }

  // Keeps k features of each function, as Extremal Feature Selection chooses them by the weights that
  // predict.
  void prune(std::int64_t k, double top);

  // ---- mixing of learners that began alike, see mixing.hpp

  struct Number {
    Field field;
    std::vector<double> by_function;
  };
  std::vector<Number> numbers();
  // Of the cells of all functions, whose features are known by keys: function * 2^32 + feature.
  CellChange change_since(const LinearLearner& start) const;
  // Makes this learner, with which all began, the mixture; numbers by function, as `numbers` gives them.
  void mix(const CellChange& change, const std::vector<std::vector<double>>& by_function, std::int64_t width);
  void begin_average();

 protected:
  bool visit(std::int64_t item, std::int64_t number, double* scores) override;
  void predictions(double* out) override;
  // Makes x the current example, and returns whether it is ordinary; throws overflow_error when it cannot be
  // learned from.
  bool show(const models::Entries& x, double* scores);

  models::VectorBatch vectors_;
  models::EntryScratch scratch_;
  const double* scores_ = nullptr;  // of the current example

 private:
  bool has_ordinary_length(const models::Entries& x) const;
  bool learn(std::int32_t function, double y, double weight) override;
  bool learn_jointly(std::int32_t right, std::int32_t wrong, double weight) override;
  void survive(std::int32_t function, bool is_new);
  std::vector<std::unique_ptr<LinearRule>> fresh_functions() const;
  std::size_t growth() const override;
  void rearrange_model(std::span<const std::int32_t> from) override;
  std::int64_t model_size() const override;
  double l1_norm() const override;
  std::int64_t block_size(std::int64_t n, int threads) const;  // how many rows a thread takes at once
  void function_values(const models::Items& batch, int threads, bool single, double* out) const override;
  void save_model(models::State& state) const override;
  void load_model(const models::State& state) override;
  void forget_model() override;

  std::vector<std::unique_ptr<LinearRule>> functions_;
  const bool votes_;
  const double growth_;         // of the next predictor's count, from one example to the next
  std::vector<double> newest_;  // of each function: what a predictor counts that lives now
  std::int64_t width_ = 0;
  std::shared_ptr<const models::Items> batch_;
  models::Entries example_;
  bool small_values_ = false;  // whether no vector of the batch is too long to be ordinary
};

}  // namespace hedgerow::linear
