// The k best label sequences, and how good the best ones with a given label of a token are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "structured/sequence/lattice.hpp"

namespace hedgerow::structured::sequence {

// Viterbi's algorithm with the k best ways to every state instead of one: ways to a state come from the k
// best to its sources. Different ways are different labels, so that the result is exact.
class KBest {
 public:
  // Best first; fewer than k when no more are allowed. An empty sequence has one output, without labels.
  void run(const Lattice& lattice, std::int32_t k);
  std::int32_t found() const { return static_cast<std::int32_t>(ends_.size()); }
  double score(std::int32_t rank) const { return ends_[rank].score; }
  void labels(std::int32_t rank, std::span<std::int32_t> labels) const;

 private:
  struct Way {
    double score;
    std::int64_t state;  // at the token before; at the last token for ends_
    std::int32_t rank;   // among the ways to that state
  };
  // The ways to a state at t, best first.
  const std::vector<Way>& ways(std::int32_t t, std::int64_t state) const { return ways_[begin_[t] + state]; }
  void enter(std::vector<Way>& kept, Way way) const;

  const Lattice* lattice_ = nullptr;
  std::int32_t k_ = 0;
  std::vector<std::int64_t> begin_;  // of each token's states
  std::vector<std::vector<Way>> ways_;
  std::vector<Way> ends_;
};

// For each token and label the highest score of all outputs that have the label there: length x labels.
void max_marginals(const Lattice& lattice, std::span<double> out);

}  // namespace hedgerow::structured::sequence
