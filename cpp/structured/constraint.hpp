// A margin constraint of the support vector machine, in one form for all of its formulations.
//
// An output y of example i asks for w.a >= h - xi_i, where H(y) = h - w.a is its violation without slack:
//
//   0-1 loss          a = dPsi_i(y),          h = 1
//   margin re-scaling a = dPsi_i(y),          h = Delta
//   slack re-scaling  a = Delta dPsi_i(y),    h = Delta
//
// with the square root of Delta in its place for quadratic slacks. The dual is then the same for all, with
// multipliers m (thesis: alpha = m, or Delta m for slack re-scaling):
//
//   maximise sum m h - 1/2 |sum m a|^2 - 1/4C sum_i (sum_y m_iy)^2,   m >= 0
//
// where the last sum belongs to quadratic slacks (SVM2), which cost C xi^2 here and C/2 xi^2 in the thesis;
// for linear ones (SVM1) sum_y m_iy <= C instead, and neither is there for a hard margin (SVM0).
#pragma once

#include <limits>

#include "structured/oracle.hpp"
#include "structured/space.hpp"

namespace hedgerow::structured {

struct Formulation {
  enum class Slack : std::uint8_t { none, linear, quadratic };
  Question question;
  Slack slack = Slack::linear;
  double C = 1;

  // Of the sum of an example's multipliers.
  double bound() const { return slack == Slack::linear ? C : std::numeric_limits<double>::infinity(); }
  // What products of two constraints of one example grow by.
  double ridge() const { return slack == Slack::quadratic ? 1 / (2 * C) : 0; }
  // What a slack costs; without slacks there is no price.
  double cost(double xi) const {
    switch (slack) {
      case Slack::linear:
        return C * xi;
      case Slack::quadratic:
        return C * xi * xi;
      default:
        return 0;
    }
  }
};

struct Constraint {
  std::vector<std::int32_t> indices;  // of a
  std::vector<double> values;
  double offset = 0;        // h
  double loss = 0;          // Delta
  double multiplier = 0;    // m
  std::int32_t number = 0;  // where products of all constraints are kept: which row is this one's
  std::int32_t idle = 0;    // optimisations without a multiplier

  SparseVector row() const { return {indices, values}; }
  bool same_as(const Constraint& other) const {
    return offset == other.offset && indices == other.indices && values == other.values;
  }
};

Constraint constraint_from(const Candidate& candidate, const Question& question);

// The product of two rows in a plain space.
double product(SparseVector a, SparseVector b);
// The product of a row with weights, which are 0 for features that problems in Python have only now met.
double known_product(SparseVector row, std::span<const double> weights);

}  // namespace hedgerow::structured
