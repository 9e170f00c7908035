// The highest violation when the loss depends on nothing but the number of wrong labels, by bounds.
//
// Let a wrong label have the price p. The best labels with the price added, found by one Viterbi pass, are an
// output; and A(p) = max_y score(y) + p wrong(y) bounds the score of all outputs with c wrong labels by A(p)
// - p c. Prices are chosen where the bounds allow the highest violation, until none is above the best output
// found. Numbers of wrong labels whose best scores lie below the concave hull of all may stay open: they are
// left to CountedViterbi.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "structured/sequence/viterbi.hpp"

namespace hedgerow::structured::sequence {

class CountSearch {
 public:
  // The violation of an output with so many wrong labels and a score, which grows with the score.
  using Violation = std::function<double(std::int32_t wrong, double score)>;

  // Fills in the best labels found, the true ones when none violates anything. The lattice is the same
  // afterwards.
  void run(Lattice& lattice, std::span<const std::int32_t> truth, Violation violation,
           std::span<std::int32_t> labels);
  double highest() const { return highest_; }
  // The largest number of wrong labels with which an output could still be better; 0 when there is none.
  std::int32_t open() const { return open_; }

 private:
  static constexpr double all_wrong = -no_score;  // the price that no true label can pay

  struct Line {
    double top, price;
    double at(std::int32_t wrong) const { return top - price * wrong; }
  };
  struct Point {
    std::int32_t wrong;
    double score;
  };
  // One pass with a price; false when nothing is allowed.
  bool look(double price);
  // The best output but the true one; false when there is none.
  bool look_for_rival();
  void keep(double score);
  double bound(std::int32_t wrong) const;
  double tolerance() const { return 1e-12 * (1 + size_); }

  Lattice* lattice_ = nullptr;
  Viterbi viterbi_;
  CountedViterbi rivals_;
  Violation violation_;
  std::span<const std::int32_t> truth_;
  std::span<std::int32_t> best_;
  std::vector<double> true_emissions_;
  std::vector<std::int32_t> labels_;
  std::vector<Line> lines_;
  std::vector<Point> points_;  // by number of wrong labels
  double highest_ = 0, size_ = 0;
  std::int32_t open_ = 0;
};

}  // namespace hedgerow::structured::sequence
