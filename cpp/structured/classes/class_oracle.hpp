// Classification: Psi(x, y) = Phi(x) (x) Lambda(y), with outputs that can be listed.
//
// I. Tsochantaridis: Support vector machine learning for interdependent and structured output spaces, 2005,
// sections 4.2, 4.3 and 4.6. J. Weston, C. Watkins: Support vector machines for multi-class pattern
// recognition, ESANN 1999. Lambda(y) are features of outputs: the identity of a class (Crammer and
// Singer's machine), its ancestors in a taxonomy, or coordinates of strings.
//
// The weight of input feature j and output feature r is at j p + r, where p is the number of output features:
// the scores of all output features are one sum of rows of p weights, and those of the outputs their products
// with Lambda.
#pragma once

#include <memory>

#include "models/items.hpp"
#include "structured/classes/output_sets.hpp"

namespace hedgerow::structured::classes {

class ClassOracle final : public Oracle, public Projection {
 public:
  // `inputs` has a row Phi(x) for each example, `lambda` one for each output, or is null when outputs have no
  // features but their identities. Neither stores zeros.
  // With `every`, all wrong outputs have slacks of their own (Weston and Watkins' machine): the answer to
  // where the largest margin re-scaled violation is has all outputs that violate their constraints, added up.
  // That is the worst of all sets of outputs, so that solvers need not know.
  ClassOracle(std::shared_ptr<const models::SparseItems> inputs,
              std::shared_ptr<const models::SparseItems> lambda, OutputSets sets, bool every = false);

  std::int64_t examples() const override { return sets_.examples(); }
  std::int64_t features() const override { return inputs_->width * output_features_; }
  void find(std::int64_t example, std::span<const double> weights, Question question,
            Candidate& found) const override;

  const Projection* projection() const override { return this; }
  void find_projected(std::int64_t example, std::span<const double> projected, Question question,
                      Candidate& found) const override;
  std::int64_t output_features() const override { return output_features_; }
  double squared_norm(std::int64_t example) const override;
  void project(std::int64_t example, std::span<const double> weights,
               std::span<double> projected) const override;
  void project(std::int64_t example, std::span<const double> weights, std::span<const std::int32_t> features,
               std::span<double> projected) const override;
  void expand(std::int64_t example, std::span<const std::int32_t> features, std::span<const double> values,
              Candidate& out) const override;

 private:
  // The sum of all outputs that violate their constraints, given the scores of all alternatives.
  void add_up(const Alternatives& alternatives, std::span<const double> scores, Question question,
              Candidate& found) const;
  // Lambda(truth) - Lambda(output).
  void difference(std::int64_t truth, std::int64_t output, Candidate& found) const;

  std::shared_ptr<const models::SparseItems> inputs_, lambda_;
  OutputSets sets_;
  std::int64_t output_features_;
  bool every_;
};

}  // namespace hedgerow::structured::classes
