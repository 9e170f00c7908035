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
  // rule: one of its kind is made for every function.
  LinearLearner(const LinearRule& rule, online::Codes codes, std::int64_t trace_every);

  void open(std::shared_ptr<const models::Items> batch) override;
  void close() override;

  std::int64_t width() const { return width_; }  // of the widest batch so far
  std::int32_t functions() const { return static_cast<std::int32_t>(functions_.size()); }
  const LinearRule& function(std::int32_t j) const { return *functions_[j]; }
  LinearRule& function(std::int32_t j) { return *functions_[j]; }

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
  void visit(std::int64_t item, std::int64_t number, double* scores) override;
  void predictions(double* out) override;
  // Makes x the current example; throws overflow_error when it cannot be learned from.
  void show(const models::Entries& x, double* scores);

  models::VectorBatch vectors_;
  models::EntryScratch scratch_;
  const double* scores_ = nullptr;  // of the current example
  bool ordinary_values_ = false;    // whether the vectors of all examples have ordinary lengths

 private:
  void learn(std::int32_t function, double y, double weight) override;
  std::int64_t model_size() const override;
  void function_values(const models::Items& batch, int threads, bool single, double* out) const override;
  void save_model(models::State& state) const override;
  void load_model(const models::State& state) override;
  void forget_model() override;

  std::vector<std::unique_ptr<LinearRule>> functions_;
  std::int64_t width_ = 0;
  std::shared_ptr<const models::Items> batch_;
  models::Entries example_;
  bool ordinary_length_ = true;  // of the current example
};

}  // namespace hedgerow::linear
