// The best labels of a sequence, and the best ones with a given number of wrong labels.
//
// Both keep the scores of all states and find the way back by looking for the source that gives the highest
// score again, so that the way forward is nothing but additions and maxima.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "structured/sequence/lattice.hpp"

namespace hedgerow::structured::sequence {

// Algorithm 4 of T, with scores that add up.
class Viterbi {
 public:
  // Fills in the labels with the highest score, which it returns; no_score when nothing is allowed.
  double best(const Lattice& lattice, std::span<std::int32_t> labels);

 private:
  std::vector<double> scores_;  // length x width
};

// Paths are kept apart by how many of their labels differ from the true ones: in layer c = 1 .. layers those
// with c wrong labels, in the last layer also those with more. The path without a wrong label is only one,
// and needs no layer. One layer finds the best of all wrong outputs.
class CountedViterbi {
 public:
  void run(const Lattice& lattice, std::span<const std::int32_t> truth, std::int32_t layers);
  std::int32_t layers() const { return layers_; }
  // The highest score in a layer; no_score when it is empty.
  double score(std::int32_t layer) const { return ends_[layer - 1].score; }
  void labels(std::int32_t layer, std::span<std::int32_t> labels) const;

 private:
  struct End {
    double score;
    std::int64_t state;
  };
  double* scores(std::int32_t t, std::int32_t layer) {
    return scores_.data() + (static_cast<std::int64_t>(t) * layers_ + layer - 1) * lattice_->width();
  }
  const double* scores(std::int32_t t, std::int32_t layer) const {
    return scores_.data() + (static_cast<std::int64_t>(t) * layers_ + layer - 1) * lattice_->width();
  }
  void forward(std::int32_t t);

  const Lattice* lattice_ = nullptr;
  std::span<const std::int32_t> truth_;
  std::int32_t layers_ = 0;
  std::vector<double> scores_;      // length x layers x width
  std::vector<double> true_score_;  // of the first t + 1 true labels
  std::vector<std::int64_t> true_state_;
  std::vector<End> ends_;  // by layer
};

}  // namespace hedgerow::structured::sequence
