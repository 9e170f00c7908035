// The dual of a support vector machine: coefficients, the gradient, and which of them are worked on.
//
//   g_i = y_i - (K beta)_i, less beta_i / (2 C_i) with squared slack
//
// Some examples are active: their coefficients may change, and their gradient is right at all times. That of
// the others is brought up to date when they become active again, from the coefficients that have changed
// since.
#pragma once

#include <span>
#include <vector>

#include "svm/kernel_rows.hpp"
#include "svm/svm_problem.hpp"
#include "svm/working_set.hpp"

namespace hedgerow::svm {

template <class Real>
class SvmDual {
 public:
  // One entry for each active example; loops run over them without jumps.
  struct Active {
    std::vector<std::int32_t> item;
    std::vector<double> beta, g, lower, upper, ridge, curvature, rise, fall;

    std::int64_t size() const { return static_cast<std::int64_t>(item.size()); }
    Direction may() const { return {rise.data(), fall.data()}; }
    // Changes a coefficient, and the gradient as far as it depends on it by way of the ridge. Returns the
    // difference.
    double move(std::int64_t p, double value);
  };

  // All coefficients are 0.
  SvmDual(KernelRows<Real>& rows, const SvmProblem& problem, int threads);
  // Takes these coefficients, brought into the feasible region.
  void begin_with(std::span<const double> start);

  Active& active() { return active_; }
  const Real* row(std::int64_t p) { return rows_.row(active_.item[p]); }
  bool is_narrow() const { return !layers_.empty(); }

  // Makes only these active, positions among the active ones.
  void narrow(std::span<const std::int32_t> kept);
  // Makes all examples active that are not left out.
  void widen();
  // Computes the gradient anew, since small errors add up. All examples must be active.
  void refresh();
  // Brings the gradient of all examples up to date; they stay active or not.
  void complete();
  double seconds_to_complete() const;

  double objective();
  // Everything but how the solver came there.
  SvmSolution solution();

 private:
  // Examples that were active until some moment, and the coefficients of that moment of those that stayed so.
  struct Layer {
    std::vector<std::int32_t> dropped, items;
    std::vector<double> beta;
  };

  std::vector<double> gradient_of(const std::vector<double>& beta);
  void activate(std::span<const std::int32_t> items);
  void store();
  // The items of a layer whose coefficients have changed, and by how much.
  void changes(const Layer& layer, std::vector<std::int32_t>& items, std::vector<double>& by) const;

  KernelRows<Real>& rows_;
  SvmProblem problem_;
  int threads_;
  std::vector<std::int32_t> present_;  // examples that are not left out
  std::vector<double> lower_, upper_, ridge_, beta_, gradient_;
  std::vector<Layer> layers_;
  Active active_;
};

}  // namespace hedgerow::svm
