// Cuts of the one-slack algorithm: the most violated constraints of all examples, added up.
//
// Joachims, Finley, Yu (2009), "Cutting-plane training of structural SVMs". A cut says that the slacks of all
// examples together are at least sum_i h_i - w.sum_i a_i (constraint.hpp), for any choice of an output for
// each example, and of none for those that violate nothing.
#pragma once

#include <algorithm>
#include <memory>

#include "structured/constraint.hpp"
#include "structured/row_sums.hpp"

namespace hedgerow::structured {

struct Cut {
  std::vector<std::int32_t> indices;  // of sum_i a_i
  std::vector<double> values;
  double offset = 0;  // sum_i h_i
  double height = 0;  // the sum of slacks at the weights that it was made for
};

// Cuts with what they have to do with each other.
class CutSet {
 public:
  CutSet(std::shared_ptr<const Space> space, std::int64_t size)
      : space_(std::move(space)), size_(std::max(size, space_->size())) {}

  std::size_t size() const { return cuts_.size(); }
  // Returns the products with all cuts before, and with itself.
  std::vector<double> add(Cut cut, int threads);
  // The sum of cuts times multipliers.
  std::vector<double> combine(std::span<const double> multipliers, int threads) const;
  // Keeps those that are marked.
  void keep(std::span<const bool> kept);

 private:
  std::shared_ptr<const Space> space_;
  std::int64_t size_;  // of coordinates
  std::vector<Cut> cuts_;
  std::vector<double> image_;  // scratch
};

// Keeps the outputs that were found last for each example: often they are good enough for another cut.
class CutMaker {
 public:
  CutMaker(std::shared_ptr<const Oracle> oracle, Question question, std::size_t cache_size);

  // The highest cut there is at these weights: `height` is exact.
  Cut from_oracle(std::span<const double> scores, int threads);
  // The highest one over outputs that are known already.
  Cut from_cache(std::span<const double> scores, int threads);

 private:
  struct Cached {
    Constraint constraint;
    std::int64_t used;  // in which call it was the best
  };

  struct Found {
    Candidate candidate;
    Constraint constraint;
    double violation = 0;  // above 0, or there is no constraint
  };

  // Each example on its own, so several threads may do this at once.
  void find(std::int64_t example, std::span<const double> scores, Found& out);
  void remember(std::int64_t example, const Constraint& constraint);
  void clear_sum(std::span<const double> scores);
  // The cut gets a constraint, whose row is yet to be added.
  void note(const Constraint& constraint, double violation, Cut& cut, std::vector<Term>& terms);

  std::shared_ptr<const Oracle> oracle_;
  Question question_;
  std::size_t cache_size_;
  std::vector<std::vector<Cached>> cache_;  // by example
  std::int64_t calls_ = 0;
  std::vector<double> sum_;  // of the rows of a cut under way
};

}  // namespace hedgerow::structured
