// LinearRule: a learner of one linear function, with its weights and what it does with an example.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/state.hpp"
#include "models/vector_batch.hpp"

namespace hedgerow::linear {

class LinearRule {
 public:
  virtual ~LinearRule() = default;

  // A learner of this kind that has learned nothing yet, for one more function.
  virtual std::unique_ptr<LinearRule> fresh() const = 0;
  // Makes room for features below `width`. Examples to learn from have no others; those to score may.
  virtual void grow(std::int64_t width) = 0;
  // The last predictor at x.
  virtual double score(const models::Entries& x) const = 0;
  // Learns from x, which has the given score; y is +1 or -1, weight is positive. Afterwards the predictor,
  // new or not, has lived for one more example: that is what averages and votes count.
  virtual void learn(const models::Entries& x, double score, double y, double weight) = 0;
  // What predictions come from, at x: the last predictor, the average or the votes of all.
  virtual double predict(const models::Entries& x) const = 0;
  // Whether predictions come from the last predictor, so that its scores need not be computed twice.
  virtual bool last_predicts() const { return false; }

  // Of the function that predicts; for votes, of the last predictor.
  virtual void nonzeros(std::vector<std::int32_t>& features, std::vector<double>& weights) const = 0;
  virtual std::int64_t nonzero_count() const = 0;
  virtual double intercept() const = 0;

  virtual void save(models::State& state, const std::string& prefix) const = 0;
  virtual void load(const models::State& state, const std::string& prefix) = 0;
};

}  // namespace hedgerow::linear
