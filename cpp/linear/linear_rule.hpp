// LinearRule: a learner of one linear function, with its weights and what it does with an example.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "linear/mixing.hpp"
#include "models/expansion.hpp"
#include "models/state.hpp"
#include "models/vector_batch.hpp"
#include "registry.hpp"

namespace hedgerow::linear {

using models::Averaging;
using models::Entries;
using models::State;

class LinearRule {
 public:
  virtual ~LinearRule() = default;

  // A learner of this kind that has learned nothing yet, for one more function.
  virtual std::unique_ptr<LinearRule> fresh() const = 0;
  // Makes room for features below `width`. Examples to learn from have no others; those to score may.
  virtual void grow(std::int64_t width) = 0;
  // The last predictor at x.
  virtual double score(const Entries& x) const = 0;
  // Learns from x, which has the given score; y is +1 or -1, weight is positive. Afterwards the predictor,
  // new or not, has lived for one more example: that is what averages and votes count.
  virtual void learn(const Entries& x, double score, double y, double weight) = 0;
  // What predictions come from, at x: the last predictor, the average or the votes of all.
  virtual double predict(const Entries& x) const = 0;
  // Whether predictions come from the last predictor, so that its scores need not be computed twice.
  virtual bool last_predicts() const { return false; }

  // Of the function that predicts; for votes, of the last predictor.
  virtual void nonzeros(std::vector<std::int32_t>& features, std::vector<double>& weights) const = 0;
  virtual std::int64_t nonzero_count() const = 0;
  virtual double intercept() const = 0;

  virtual void save(State& state, const std::string& prefix) const = 0;
  virtual void load(const State& state, const std::string& prefix, std::int64_t width) = 0;

  // ---- mixing of what shards have learned, see mixing.hpp; rules that cannot be mixed have none of these

  // Calls each(field, number) for all numbers of the function.
  virtual void numbers(const models::EachNumber&) { refuse(); }
  virtual std::vector<Field> coordinates_of_cells() const { refuse(); }
  // What was learned since the rule was `start`.
  virtual CellChange change_since(const LinearRule& /*start*/) const { refuse(); }
  // This rule with a change of its cells, these numbers, and features below `width`.
  virtual std::unique_ptr<LinearRule> mixed(const CellChange&, const std::vector<double>& /*numbers*/,
                                            std::int64_t /*width*/) const {
    refuse();
  }
  // Of the predictors so far none counts for the average.
  virtual void begin_average() { refuse(); }

 private:
  [[noreturn]] static void refuse() { throw std::invalid_argument("this learner cannot be mixed"); }
};

// Rules by name. Each registers itself in its own file:
//   NewRule make(Parameters& p, Averaging averaging) { return ...; }
//   const LinearRules::Entry entry{"arow", make};
using LinearRules = Registry<LinearRule, Averaging>;
using NewRule = std::unique_ptr<LinearRule>;

}  // namespace hedgerow::linear
