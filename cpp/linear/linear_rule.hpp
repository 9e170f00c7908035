// LinearRule: a learner of one linear function, with its weights and what it does with an example.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linear/mixing.hpp"
#include "models/averaging.hpp"
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
  // Before it learns: what it keeps for a feature stands beside what another function of its kind keeps.
  virtual void stand_beside(const LinearRule&) {}
  // Makes room for features below `width`. Examples to learn from have no others; those to score may.
  virtual void grow(std::int64_t width) = 0;
  // The last predictor at x.
  virtual double score(const Entries& x) const = 0;
  // Of all functions of a learner, which stand beside each other; this is one of them.
  using Functions = std::span<const std::unique_ptr<LinearRule>>;
  virtual void scores(Functions all, const Entries& x, double* out) const {
    for (const auto& function : all) *out++ = function->score(x);
  }
  // Learns from x, which has the given score; y is +1 or -1, weight is positive. Returns whether there is a
  // new predictor.
  virtual bool learn(const Entries& x, double score, double y, double weight) = 0;
  // Learns that its score of x is to be higher than that of a rival, and the rival learns the reverse. What a
  // rule remembers of all examples, the keeper does, another of these functions or one of the two. Returns
  // whether there are new predictors.
  virtual bool learn_against(LinearRule& /*rival*/, LinearRule& /*keeper*/, const Entries& /*x*/,
                             double /*score*/, double /*rival_score*/, double /*weight*/) {
    throw std::invalid_argument("functions of this learner learn one by one");
  }
  // The predictor counts so much more in averages and votes.
  virtual void survive(double count) = 0;
  // Of votes: about how many bytes it may need at most to learn from an example.
  virtual std::size_t growth() const { return 0; }
  // All that predictors have counted in the average is multiplied by a factor, which changes no average.
  virtual void scale_counts(double factor) = 0;

  // What predictions come from, at x: the last predictor, the average or the votes of all.
  virtual Averaging averaging() const = 0;
  virtual double predict(const Entries& x) const = 0;
  // The same for several rows, one number every `stride` of out. Votes take much less time together.
  virtual void predict_rows(std::span<const Entries> rows, double* out, std::size_t stride) const {
    for (std::size_t i = 0; i < rows.size(); ++i) out[i * stride] = predict(rows[i]);
  }
  // Of all functions of a learner, as in `scores`; row-major.
  virtual void predict_rows_of(Functions all, std::span<const Entries> rows, double* out) const {
    for (std::size_t j = 0; j < all.size(); ++j) all[j]->predict_rows(rows, out + j, all.size());
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
  // Makes this rule, which has learned nothing, the start with a change of its cells and these numbers.
  virtual void mix(const LinearRule& /*start*/, const CellChange&, const std::vector<double>& /*numbers*/) {
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
