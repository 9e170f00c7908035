// LinearRule: a learner of one linear function, with its weights and what it does with an example.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
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
  // Learns from x, which has the given score; y is +1 or -1, weight is positive. Returns whether there is a
  // new predictor.
  virtual bool learn(const Entries& x, double score, double y, double weight) = 0;
  // The predictor counts so much more in averages and votes.
  virtual void survive(double count) = 0;
  // All that predictors have counted in the average is multiplied by a factor, which changes no average.
  virtual void scale_counts(double factor) = 0;

  // What predictions come from, at x: the last predictor, the average or the votes of all.
  virtual Averaging averaging() const = 0;
  virtual double predict(const Entries& x) const = 0;
  // The same for several rows, one number every `stride` of out. Votes take much less time together.
  virtual void predict_rows(std::span<const Entries> rows, double* out, std::size_t stride) const {
    for (std::size_t i = 0; i < rows.size(); ++i) out[i * stride] = predict(rows[i]);
  }
  // What predictions would be if they came from the last predictor, whose score at x is given.
  virtual double predict_last(const Entries& /*x*/, double score) const { return score; }

  // Of the function that predicts; for votes, of the last predictor.
  virtual void nonzeros(std::vector<std::int32_t>& features, std::vector<double>& weights) const = 0;
  virtual std::int64_t nonzero_count() const = 0;
  virtual double intercept() const = 0;

  // Features that predictions look at, in increasing order, with their weights.
  virtual void in_model(std::vector<std::int32_t>& features, std::vector<double>& weights) const {
    nonzeros(features, weights);
  }
  // Forgets all other features, as if they had never come; these are in increasing order.
  virtual void keep_only(std::span<const std::int32_t> features) = 0;

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
