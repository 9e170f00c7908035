// Working sets of structured machines whose joint kernel is a product, K(x, x') L(y, y').
//
// A constraint of example i and output y is known by y alone: its row is Psi(x_i, y_i) - Psi(x_i, y), so that
// products of two constraints are a kernel value K times four values of L, and the weights are
//
//   w = sum_i Phi(x_i) (x) sum_y c_iy (Lambda(y_i) - Lambda(y)),   F(x, y) = sum_i K(x_i, x) (L b_i)_y
//
// with few coefficients b_i for each example. Neither joint features nor products of all pairs of constraints
// are kept: a visit to an example adds up sum_i K(x_i, x) b_i, and looks at L for the outputs that it knows.
// The dual and its formulations are those of constraint.hpp; multipliers of an example are optimised together
// while all others stay.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "structured/classes/output_sets.hpp"
#include "structured/constraint.hpp"
#include "svm/svm_kernel.hpp"

namespace hedgerow::structured::classes {

class PairSets {
 public:
  // `gram` is L, row by row. `scales` are 1 / sqrt(L(y, y)) when the loss is 1 - L, normalised; none when
  // `outputs` has the losses. `weights` multiply the constraints of each example; none: all are 1.
  PairSets(std::shared_ptr<svm::SvmKernel> kernel, std::span<const double> gram, OutputSets outputs,
           std::vector<double> scales, std::vector<double> weights, Formulation formulation,
           std::shared_ptr<const void> owner);

  std::int64_t examples() const { return outputs_.examples(); }
  std::int64_t outputs() const { return outputs_.outputs(); }
  std::int64_t constraints() const;

  // sum_i K(x_i, x) b_i of some examples x, a row of outputs() values for each: L times that are scores.
  void sums(std::span<const std::int64_t> examples, double* out) const;

  struct Review {
    std::vector<std::int64_t> busy;  // examples that got constraints
    double violation = 0;            // the largest over a slack
    double slack_cost = 0;           // of these examples
  };
  // Given the scores of all outputs, adds to each example up to `most` outputs that are violated by more than
  // its slack and `tol`.
  Review review(std::span<const std::int64_t> examples, std::span<const double> scores, double tol,
                std::int64_t most, int threads);
  // Optimises the sets of these examples, one after another, until slopes are no more than `tolerance` apart.
  // Returns those whose slopes were further apart before.
  std::vector<std::int64_t> sweep(std::span<const std::int64_t> order, double tolerance);
  // Forgets constraints that have had no multiplier in so many visits.
  void forget(std::int32_t idle);

  double squared_norm() const;
  // Given the squared norm of the weights.
  double dual_objective(double squared_norm) const;

  // The coefficients b_i: example, output and value of each that is not 0.
  struct Coefficients {
    std::vector<std::int64_t> examples;
    std::vector<std::int32_t> outputs;
    std::vector<double> values;
  };
  Coefficients coefficients() const;
  // Example, multiplier and loss of each constraint with a multiplier.
  struct Supports {
    std::vector<std::int64_t> examples;
    std::vector<double> multipliers, losses;
  };
  Supports supports() const;

 private:
  struct Known {
    std::int32_t output;
    std::int32_t idle = 0;  // visits without a multiplier
    double offset, factor;  // h, and what multiplies the row
    double loss;
    double multiplier = 0;
  };
  struct Set {
    std::vector<Known> known;
    double room;  // what is left of the bound on the sum of multipliers
  };
  struct Found;  // what a review finds out about an example

  std::int64_t truth(std::int64_t example) const { return truths_[example]; }
  double loss(const Alternatives& alternatives, std::int64_t place) const;
  Known make(std::int64_t example, std::int32_t output, double loss) const;
  double product(std::int64_t example, const Known& a, const Known& b) const;
  // The sum over all examples for one of them.
  void sum(std::int64_t example, std::span<double> out) const;
  void look(std::int64_t example, std::span<const double> scores, std::int64_t most, Found& found) const;
  double optimise(std::int64_t example, double tolerance);

  std::shared_ptr<svm::SvmKernel> kernel_;
  std::span<const double> gram_;
  OutputSets outputs_;
  std::vector<double> scales_, weights_;
  Formulation formulation_;
  std::shared_ptr<const void> owner_;
  std::vector<std::int32_t> truths_;  // the true output of each example
  std::vector<Set> sets_;
  // Scratch of a visit.
  std::vector<double> sum_, slopes_, multipliers_, products_;
};

}  // namespace hedgerow::structured::classes
