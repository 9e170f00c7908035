// One example's part of the dual of a structured SVM with linear slacks: the constraints it has met so far.
//
//   max sum_y m_y h_y - 1/2 |w|^2   over m >= 0, sum_y m_y <= C,   w = the rest + sum_y m_y a_y
//
// (constraint.hpp says what a and h are). What is left of C belongs to the true output.
#pragma once

#include "structured/constraint.hpp"
#include "structured/simplex_ascent.hpp"

namespace hedgerow::structured {

class Block {
 public:
  explicit Block(double C) : room_(C) {}

  std::span<const Constraint> constraints() const { return constraints_; }
  bool empty() const { return constraints_.empty(); }

  // By how much weights with these scores violate the constraints, without slack.
  double violation(std::size_t number, std::span<const double> scores) const {
    return constraints_[number].offset - product(constraints_[number].row(), scores);
  }
  void find_violations(std::span<const double> scores, std::vector<double>& violations) const;
  // What of the duality gap is this example's, when `slack` is its largest violation.
  double gap(double C, double slack, std::span<const double> violations) const;
  // Products with the constraints so far come first, that with itself last.
  void add(Constraint newcomer, std::span<const double> products);
  // The best step of the multipliers, by these violations: until slopes are no further apart than this
  // fraction of what they were.
  void find_step(double remainder, std::span<const double> violations, SimplexStep& step) const;
  // Takes it, made again where scores have changed since: multipliers grow by `changes`. Returns by how much
  // the dual grows.
  double take_step(double remainder, SimplexStep& step, std::span<const double> scores,
                   std::vector<double>& changes);
  // Forgets constraints that have had no multiplier in more calls than that.
  void forget(std::int32_t patience);

 private:
  std::vector<Constraint> constraints_;
  std::vector<double> products_;  // of all pairs, row by row
  double room_;                   // what is left of C
};

}  // namespace hedgerow::structured
