// What a support vector machine is to solve, and what it finds.
//
// For examples x_i with labels y_i = +1 or -1 and costs C_i, f(x) = sum over i of beta_i K(x_i, x) + b:
//
//   primal   min  1/2 |f|^2 + sum_i C_i xi_i,   xi_i = max(0, 1 - y_i f(x_i))      (b free, or 0)
//   dual     max  sum_i y_i beta_i - 1/2 beta' K beta
//            such that beta_i is in [min(0, y_i C_i), max(0, y_i C_i)], and sum_i beta_i = 0 if b is free
//
// Squared slack, C_i xi_i^2: K_ii becomes K_ii + 1 / (2 C_i) in the dual, and C_i no longer bounds beta_i.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace hedgerow::svm {

struct SvmProblem {
  std::span<const std::int8_t> y;
  std::span<const double> cost;  // C_i; an example with 0 is left out
  bool bias, squared;
};

struct SvmSettings {
  double tol;             // the largest violation of the optimality conditions that is accepted
  std::int64_t max_iter;  // negative: no limit
  bool shrinking;
  int threads;
  // Told now and then how many iterations there have been, and how large the violation is.
  std::function<void(std::int64_t, double)> watch = {};
};

struct SvmSolution {
  std::vector<double> coefficients;  // beta
  double bias = 0;
  double dual = 0, primal = 0;
  double violation = 0;  // of the optimality conditions
  std::int64_t iterations = 0;
  bool converged = false, interrupted = false;
};

}  // namespace hedgerow::svm
