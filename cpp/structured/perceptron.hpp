// The structured perceptron, in any space of joint features.
//
//   y' = argmax_y w . Psi(x_i, y);  if y' is not y_i:  w += tau (Psi(x_i, y_i) - Psi(x_i, y')),  tau = 1
//
// (M. Collins: Discriminative training methods for hidden Markov models, EMNLP 2002.) In a kernel space this
// is algorithm 1 of the thesis: coordinates of items count their updates. Passive-aggressive learners choose
// the step (K. Crammer et al.: Online passive-aggressive algorithms, JMLR 7, 2006, sect. 8,
// prediction-based): with l = sqrt(loss(y')) - w . (Psi(x_i, y_i) - Psi(x_i, y')) and v the squared norm of
// the difference,
//
//   PA: tau = l / v    PA-I: tau = min(C, l / v)    PA-II: tau = l / (v + 1 / (2 C))
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "lock.hpp"
#include "structured/dual_counts.hpp"
#include "structured/oracle.hpp"
#include "structured/weights.hpp"

namespace hedgerow::structured {

struct StepRule {
  enum class Kind : std::uint8_t { perceptron, pa, pa_1, pa_2 };
  Kind kind = Kind::perceptron;
  double C = 1;

  // A weight multiplies the step, or C where there is one.
  double step(double shortfall, double squared_norm, double weight) const;
};

class StructuredPerceptron : public Guarded {
 public:
  // dual: whether to count the updates by each candidate.
  StructuredPerceptron(std::shared_ptr<const Space> space, std::int64_t size, StepRule rule, bool dual)
      : weights_(std::move(space), size), rule_(rule), dual_(dual) {}

  // Goes on in a space that has further coordinates after those of the old one.
  void move_to(std::shared_ptr<const Space> space, std::int64_t size);
  // Back to as many coordinates as there were before, when nothing was learned since.
  void move_back(std::int64_t size) noexcept {
    weights_.shrink(size);
    if (static_cast<std::int64_t>(late_.size()) > weights_.size()) late_.resize(weights_.size());
  }
  // Goes on where another learner stopped.
  void resume(std::span<const double> coordinates, std::span<const double> late, std::int64_t seen);

  // Begins with these weights, in place of zeros.
  void start(SparseVector coordinates) { weights_.add(coordinates, 1.0); }

  // One pass over these examples; when one fails, all before it have been learned from. `offset` is added to
  // the numbers of examples in the dual counts.
  void learn(const Oracle& oracle, std::span<const std::int64_t> order, std::int64_t offset);

  std::span<const double> coordinates() const { return weights_.coordinates(); }
  // The mean of the predictors after each example.
  std::vector<double> average() const;
  std::span<const double> late() const { return late_; }
  std::int64_t seen() const { return seen_; }
  DualCounts& dual_counts() { return counts_; }

  // Since the beginning.
  std::int64_t mistakes = 0, updates = 0;
  double loss = 0;

 private:
  // Throws overflow_error for an example that would make weights useless.
  void check_update(std::int64_t example, SparseVector difference, double step);
  void update(const Candidate& found, double step);
  std::size_t growth(const Candidate& found) const;  // about how many bytes an update may need at most
  double squared_norm(SparseVector x);

  Weights weights_;
  StepRule rule_;
  bool dual_;
  // Each update, times the number of predictors before it: the mean is coordinates - late / seen.
  std::vector<double> late_;
  std::vector<double> image_;
  std::int64_t seen_ = 0;
  DualCounts counts_;
};

}  // namespace hedgerow::structured
