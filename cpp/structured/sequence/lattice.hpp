// The scores of all label sequences of one sequence of tokens, taken apart.
//
// A state at token t is the tuple of the last min(t + 1, order) labels, numbered with the first label as the
// highest digit; `advance` says which state a further label leads to. Scores of states stand in rows of the
// last label, each padded to full vectors of four.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "structured/sequence/chain.hpp"
#include "structured/sequence/token_sequences.hpp"

namespace hedgerow::structured::sequence {

inline constexpr double no_score = -std::numeric_limits<double>::infinity();

// What starts, moves and stops add to a score: weights times their scale, and no_score for what is not
// allowed.
class MoveScores {
 public:
  void set(const Chain& chain, std::span<const double> weights, bool constrained);

  std::int32_t labels() const { return labels_; }
  std::int32_t order() const { return order_; }  // at least 1
  std::int32_t stride() const { return stride_; }
  const double* starts() const { return starts_.data(); }
  const double* stops() const { return stops_.data(); }
  // The moves from the state of `m` labels to each label, m = 1 .. order.
  const double* from(std::int32_t m, std::int64_t state) const { return moves_[m].data() + state * stride_; }

 private:
  std::int32_t labels_ = 0, order_ = 0, stride_ = 0;
  std::vector<double> starts_, stops_;
  std::vector<std::vector<double>> moves_;
};

class Lattice {
 public:
  // Reads the scores of a sequence from weights; `moves` must stay.
  void set(const MoveScores& moves, const Chain& chain, const TokenSequences& tokens, std::int64_t sequence,
           std::span<const double> weights);

  std::int32_t length() const { return length_; }
  std::int32_t labels() const { return moves_->labels(); }
  std::int32_t order() const { return moves_->order(); }
  std::int32_t stride() const { return moves_->stride(); }
  // Numbers that a row of scores of states takes.
  std::int64_t width() const { return tails_ * stride(); }
  double* emissions(std::int32_t t) { return emissions_.data() + static_cast<std::int64_t>(t) * stride(); }
  const double* emissions(std::int32_t t) const {
    return emissions_.data() + static_cast<std::int64_t>(t) * stride();
  }

  // -- states ---------------------------------------------------------------------------------------------

  std::int64_t states(std::int32_t t) const { return t + 1 < order() ? power_[t + 1] : power_[order()]; }
  std::int64_t place(std::int64_t state) const { return state / labels() * stride() + state % labels(); }
  std::int64_t advance(std::int64_t state, std::int32_t t, std::int32_t label) const {
    return (t < order() ? state : state % tails_) * labels() + label;
  }
  // The states at t - 1 that lead to a state at t: how many, the first one, and their distance.
  std::int32_t sources(std::int32_t t) const { return t < order() ? 1 : labels(); }
  std::int64_t first_source(std::int64_t state) const { return state / labels(); }
  std::int64_t source_distance() const { return tails_; }
  // What the move from a state at t - 1 >= 0 to a label adds.
  double move(std::int32_t t, std::int64_t state, std::int32_t label) const {
    const double plain = moves_->from(t < order() ? t : order(), state)[label];
    return moving_[t] < 0 ? plain : plain + moving_row(t, state)[label];
  }
  double start(std::int32_t label) const { return moves_->starts()[label]; }
  double stop(std::int32_t label) const { return moves_->stops()[label]; }

  // -- scores ---------------------------------------------------------------------------------------------

  // The first token's scores.
  void begin(double* scores) const;
  // For each state at t >= 1 the highest score of its sources and the move, without the token's own.
  void step(const double* before, std::int32_t t, double* scores) const;
  void add_emissions(std::int32_t t, double* scores) const;
  // The score of the labels.
  double score(std::span<const std::int32_t> y) const;

 private:
  const double* moving_row(std::int32_t t, std::int64_t state) const {
    return moving_scores_.data() + (moving_[t] + state % labels()) * stride();
  }
  void read_moving(const TokenSequences& tokens, std::int64_t sequence, std::span<const double> weights);

  const MoveScores* moves_ = nullptr;
  std::int32_t length_ = 0;
  std::int64_t tails_ = 1;  // states without their first label
  std::vector<std::int64_t> power_;
  std::vector<double> emissions_;
  std::vector<std::int64_t> moving_;  // by token, the row in moving_scores_, -1 without such features
  std::vector<double> moving_scores_;
};

}  // namespace hedgerow::structured::sequence
