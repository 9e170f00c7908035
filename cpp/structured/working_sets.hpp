// The constraints that an n-slack solver has met, and the optimum over them.
//
// Every example has its own set S_i, and its own simplex of multipliers (constraint.hpp). Multipliers of one
// set are optimised together while all others stay; sweeps over the sets converge to the optimum over all.
// Threads find the steps of some sets at a time, which are taken one after the other: those of the few
// constraints that they move are made again by the weights of then. Which sets these are does not depend on
// the number of threads. Where they take long, as with a large C, steps over all sets together
// (face_step.hpp) come between.
#pragma once

#include <memory>

#include "structured/margins.hpp"
#include "structured/simplex_ascent.hpp"

namespace hedgerow::structured {

// Thrown when no weights satisfy all constraints of a hard margin.
struct NotSeparable : std::exception {
  const char* what() const noexcept override { return "the constraints contradict each other"; }
};

class WorkingSets {
 public:
  WorkingSets(Formulation formulation, std::int64_t examples, Weights weights);
  WorkingSets(const WorkingSets&) = delete;
  WorkingSets& operator=(const WorkingSets&) = delete;

  const Formulation& formulation() const { return formulation_; }
  const Weights& weights() const { return weights_; }
  std::int64_t examples() const { return static_cast<std::int64_t>(sets_.size()); }
  std::int64_t constraints() const { return constraints_; }
  std::span<const Constraint> of(std::int64_t example) const { return sets_[example].constraints; }

  // xi_i over the constraints that are known; 0 for a hard margin, which has none.
  double slack(std::int64_t example) const;
  // By how much a constraint is violated, without slack. `add` may follow at once.
  double violation(const Constraint& newcomer) { return newcomer.offset - margins_->look(newcomer); }
  // Adds a constraint and optimises its example's set. False when it is there already.
  bool add(std::int64_t example, Constraint newcomer, double tolerance);

  // Until slopes of each set have been no more than `tolerance` apart once, or, to verify, all at the same
  // time. Returns whether any multiplier moved.
  bool optimise(double tolerance, bool verify, int threads);
  // Whether that has ever ended early, since it took too long. From then on there is one sweep at a time.
  bool gave_up() const { return gave_up_; }
  // Forgets constraints that have had no multiplier in this many optimisations.
  void forget(std::int32_t idle);
  // Brings the weights up to date.
  void settle() { margins_->settle(); }

  // The sum of multipliers times rows, without the rounding of many steps.
  std::vector<double> coordinates() const;

  double dual_objective() const;
  // Of the weights.
  double squared_norm() const;

 private:
  struct Set {
    std::vector<Constraint> constraints;
    std::vector<double> products;  // of all pairs, row by row, with the ridge
    double room;                   // what is left of the bound on the sum of multipliers
  };
  struct Step : SimplexStep {
    double gap = 0;  // how far slopes are apart before it
  };

  // Of the multiplier of a constraint whose example has multipliers with this sum.
  double slope(const Constraint& constraint, double sum) const;
  void find_slopes(const Set& set, std::vector<double>& slopes) const;
  // The best step of a set while others stay. Several threads may do this at once.
  void find_step(const Set& set, double tolerance, Step& step) const;
  // Takes it, made again where weights have changed since.
  void take_step(Set& set, double tolerance, Step& step);
  // Different sets, whose steps are all found before the first is taken. Returns how many had one.
  std::size_t optimise_some(std::span<const std::int64_t> examples, double tolerance, int threads);
  // Newton steps over all multipliers that are not 0, if these are few enough.
  void step_on_faces();
  void check_separable() const;
  double mass() const;  // sum m h

  Formulation formulation_;
  Weights weights_;
  std::unique_ptr<Margins> margins_;
  std::vector<Set> sets_;
  std::int64_t constraints_ = 0;
  std::int64_t filled_ = 0;  // sets that have constraints
  bool gave_up_ = false;
  double largest_norm_ = 0;  // squared, of all rows
  double largest_offset_ = 0;
  std::vector<Step> steps_;  // scratch
  std::vector<std::int64_t> order_, rest_;
};

}  // namespace hedgerow::structured
