// Losses of trees as functions of their brackets, and planes above them.
#pragma once

#include <cstdint>
#include <vector>

#include "structured/grammar/derivation.hpp"
#include "structured/oracle.hpp"

namespace hedgerow::structured::grammar {

enum class TreeLoss : std::uint8_t {
  f1,        // 1 - F1 = 1 - 2 matched / (true + all)
  brackets,  // the number of wrong ones: predicted or true, but not both
  zero_one,  // 1 for every tree but the true one
  costs,     // the sum of what each wrong one costs, by its label
};

// The loss of a wrong tree, unless brackets have costs.
double tree_loss(TreeLoss loss, std::int32_t true_brackets, BracketCounts counts);

// Losses, or their roots, for all numbers of brackets that can occur.
class LossTable {
 public:
  void fill(TreeLoss loss, bool root, std::int32_t true_brackets, std::int64_t most_brackets);

  double operator()(BracketCounts counts) const { return heights_[counts.matched * width_ + counts.all]; }

  // constant + match * matched + bracket * all, which is nowhere below the table.
  struct Plane {
    double constant, match, bracket;

    double operator()(BracketCounts counts) const {
      return constant + match * counts.matched + bracket * counts.all;
    }
  };
  // The plane with the slopes of the table at a point.
  Plane above(BracketCounts point) const;

 private:
  std::int32_t true_brackets_ = 0, width_ = 0;
  std::vector<double> heights_;
};

}  // namespace hedgerow::structured::grammar
