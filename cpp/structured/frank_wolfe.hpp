// Block-coordinate Frank-Wolfe for structured SVMs with linear slacks.
//
//   min 1/2 |w|^2 + C sum_i max_y violation_i(y; w)
//
// A visit to an example asks the oracle for its most violated constraint, a plane (see block.hpp), and
// maximises the dual over the example's coefficients: S. Lacoste-Julien, M. Jaggi, M. Schmidt, P. Pletscher:
// Block-coordinate Frank-Wolfe optimization for structural SVMs, ICML 2013. Their step moves towards the new
// plane only. Here a visit moves coefficients between all planes of the example, as pairwise steps do, until
// its part is solved: plain steps come near the optimum only slowly. Planes without a coefficient are kept
// for a while, and visits may do without the oracle (N. Shah, V. Kolmogorov, C. Lampert: A multi-plane
// block-coordinate Frank-Wolfe algorithm, CVPR 2015). Examples are visited in a given order, or drawn by
// their gaps (A. Osokin et al.: Minding the gaps for block Frank-Wolfe optimization of structured SVMs, ICML
// 2016).
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "structured/block.hpp"
#include "structured/gap_sampler.hpp"
#include "structured/oracle.hpp"
#include "structured/weights.hpp"

namespace hedgerow::structured {

struct FrankWolfeSettings {
  double C = 1;
  Question question;
  bool averaging = true;
  std::int32_t patience = 10;  // how many visits a constraint is kept without a multiplier
  // How much of the differences of violations a visit may leave: solving a block exactly is wasted while the
  // others move.
  double remainder = 0.01;
};

class FrankWolfe {
 public:
  FrankWolfe(std::shared_ptr<const Oracle> oracle, std::shared_ptr<const Space> space,
             FrankWolfeSettings settings, std::uint64_t seed);

  // Goes on where another one stopped, whose examples were others: what was learned of them stays as it is.
  // The space may have further coordinates after those of the old one.
  void resume(std::span<const double> coordinates, std::span<const double> late, std::int64_t visits,
              double height);

  // Visits these examples, with the oracle. Threads ask it about some at a time, and find their steps, which
  // are then taken one after the other, made again where others have changed the weights. How many these are
  // does not depend on the number of threads.
  void visit(std::span<const std::int64_t> order, int threads);
  // Visits so many examples, drawn by the gaps that they had at their last visits.
  void visit_by_gap(std::int64_t count, int threads);
  // Visits these examples, with the planes that they have. Returns the sum of their gaps over these planes,
  // each by the weights of its time.
  double revisit(std::span<const std::int64_t> order, int threads);

  // The duality gap that examples had at their last visits, each by the weights of its time.
  double remembered_gap() const { return gaps_.total(); }
  double dual() const { return dual_; }
  std::int64_t examples() const { return oracle_->examples(); }
  std::int64_t visits() const { return visits_; }
  std::int64_t constraints() const;

  struct Measure {
    double primal, dual;
    double gap;  // of the examples that are visited: primal - dual, unless there were earlier ones
  };
  // Asks the oracle about all examples by the weights as they are; constraints that are found are kept.
  Measure measure(int threads);
  // The primal objective of the average.
  double measure_average(int threads);

  std::span<const double> coordinates() const { return weights_.coordinates(); }
  // The mean of the weights after each visit, where visit t counts t times.
  std::vector<double> average() const;
  std::span<const double> late() const { return late_; }
  // The sum of multipliers times h, over earlier examples too.
  double height() const { return height_; }

  double oracle_seconds = 0;

 private:
  // What the oracle says of an example, by the weights as they are.
  struct Answer {
    Candidate found;                 // in output features, where there is a projection
    std::vector<double> projected;   // see `seen_by`
    std::vector<double> violations;  // of the example's constraints, and of the candidate when it is fresh
    bool fresh = false;              // whether the candidate is violated more than all of them
    double slack = 0, gap = 0;
    SimplexStep step;
  };
  void ask(std::int64_t example, Answer& answer) const;
  // What an example sees of weights: all of them, or their projection, for which there is room.
  std::span<const double> seen_by(std::int64_t example, std::span<const double> scores,
                                  std::vector<double>& projected) const;
  // The same by the weights as they are, once more.
  std::span<const double> seen(const Answer& answer) const {
    return projection_ ? std::span<const double>(answer.projected) : weights_.scores();
  }
  void find(std::int64_t example, std::span<const double> seen, Candidate& found) const;
  double violation_of(const Candidate& found, double margin) const {
    return found.weight * settings_.question.violation(found.loss, margin);
  }
  // The violations of the constraints that an example has.
  void find_known(std::int64_t example, Answer& answer) const;
  // Different examples, about which the oracle is asked at once.
  void visit_batch(std::span<const std::int64_t> examples, int threads);
  // Where there are many examples, those of a batch move the weights but little. A projection, or a kernel,
  // makes it slow to look at the weights again.
  std::int64_t batch() const {
    return projection_ || !weights_.space().plain()
               ? 1
               : std::clamp<std::int64_t>(oracle_->examples() / 128, 1, 16);
  }
  // Room of one thread.
  struct Scratch {
    std::vector<double> image, products;
  };
  void add(std::int64_t example, const Candidate& found, Scratch& scratch);
  void find_products(std::int64_t example, const Constraint& fresh, Scratch& scratch) const;
  // The step that the violations ask for, and to take it.
  void find_step(std::int64_t example, Answer& answer) const;
  void take_step(std::int64_t example, Answer& answer);
  void change_all(std::int64_t example);
  void change(SparseVector row, double by);

  std::shared_ptr<const Oracle> oracle_;
  const Projection* projection_;  // of the oracle; null in kernel spaces, whose inputs have no features
  FrankWolfeSettings settings_;
  Weights weights_;
  std::vector<double> late_;  // each change, times the weight of what came before: see average()
  std::vector<Block> blocks_;
  GapSampler gaps_;
  online::Random random_;
  std::int64_t visits_ = 0;
  double dual_ = 0, height_ = 0;

  // Scratch.
  std::vector<Answer> answers_;     // of a batch
  std::vector<Scratch> scratches_;  // of threads
  std::vector<double> changes_, image_;
  std::vector<std::int32_t> features_;  // of outputs
  std::vector<double> step_;            // beside them
  Candidate expanded_;
};

}  // namespace hedgerow::structured
