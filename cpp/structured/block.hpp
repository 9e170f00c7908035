// One example's part of the dual of a structured SVM with linear slacks: the candidates met so far.
//
// A candidate is a plane: weights w violate its constraint by height - w . features. With coefficients a_y of
// the planes, w is a sum of a_y features_y over all examples and planes, and an example's block of the dual
// is
//
//   max sum_y a_y height_y - 1/2 |w|^2    over a >= 0, sum_y a_y <= C.
//
// What is left to C belongs to the true output, a plane of height 0 without features.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "structured/space.hpp"

namespace hedgerow {

struct Plane {
  std::vector<std::int32_t> indices;
  std::vector<double> values;
  double height = 0;
  double coefficient = 0;
  std::int32_t idle = 0;  // visits since it last had a coefficient

  SparseVector features() const { return {indices, values}; }
};

class Block {
 public:
  std::span<const Plane> planes() const { return planes_; }
  bool empty() const { return planes_.empty(); }

  // Violations of all planes by the weights with these scores.
  void find_violations(std::span<const double> scores, std::vector<double>& violations) const;
  // Products with the planes so far come first, that with itself last.
  void add(Plane plane, std::span<const double> products);
  // Maximises over the coefficients by steps between two planes each, until violations of planes that give
  // and take differ by no more than a tolerance. Violations follow; changes of coefficients are added to
  // `changes`. Returns by how much the dual has grown.
  double correct(double C, double remainder, std::vector<double>& violations, std::vector<double>& changes);
  // Forgets planes that have had no coefficient in more calls than that.
  void forget(std::int32_t patience);

 private:
  double product(std::size_t i, std::size_t j) const {
    return i < planes_.size() && j < planes_.size() ? products_[i * planes_.size() + j] : 0;
  }

  std::vector<Plane> planes_;
  std::vector<double> products_;  // of all pairs of planes
  double used_ = 0;               // the sum of coefficients
};

}  // namespace hedgerow
