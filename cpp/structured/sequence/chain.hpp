// The shape of a chain of labels: which joint features of labels there are, and where their weights stand.
//
//   F(x, y) = sum_t u[y_t].Phi(x_t) + eta sum_t v[y_(t-1), y_t] + ...                      (T eq. 4.20)
//
// Weights of labels come first: moves of order 1 (label x label), 2 (label x label x label) and so on to
// `order`, starts and stops, biases. They do not grow. Rows of features, one weight a label, follow.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace hedgerow::structured::sequence {

struct Chain {
  std::int32_t labels = 1;
  std::int32_t order = 1;             // how many labels before a label count
  double scale = 1;                   // the value of features of moves, starts and stops: eta
  bool boundaries = false;            // whether starts and stops have weights
  bool bias = false;                  // whether labels have weights of their own
  std::vector<std::uint8_t> allowed;  // (labels + 1)^2 moves; the last row are starts, the last column stops

  std::int64_t power(int exponent) const {
    std::int64_t product = 1;
    for (int k = 0; k < exponent; ++k) product *= labels;
    return product;
  }
  // Where moves from `m` labels to a label begin, for m = 1 .. order.
  std::int64_t moves_begin(int m) const {
    std::int64_t begin = 0;
    for (int k = 1; k < m; ++k) begin += power(k + 1);
    return begin;
  }
  std::int64_t start_begin() const { return moves_begin(order + 1); }
  std::int64_t stop_begin() const { return start_begin() + (boundaries ? labels : 0); }
  std::int64_t bias_begin() const { return stop_begin() + (boundaries ? labels : 0); }
  // Where the rows of features begin.
  std::int64_t plain() const { return bias_begin() + (bias ? labels : 0); }

  bool constrained() const { return !allowed.empty(); }
  // `labels` stands for the place before the first token, or behind the last.
  bool allows(std::int32_t from, std::int32_t to) const { return allowed[from * (labels + 1) + to] != 0; }

  void check() const {
    if (labels < 1 || order < 0 || order > 8) throw std::invalid_argument("a chain needs labels");
    if (constrained() && static_cast<std::int64_t>(allowed.size()) != (labels + 1LL) * (labels + 1))
      throw std::invalid_argument("a chain needs to know of all moves whether they are allowed");
    double weights = labels;
    for (int k = 0; k < order; ++k) weights *= labels;
    if (weights > 1e8) throw std::invalid_argument("there are too many labels for moves of this order");
  }
};

}  // namespace hedgerow::structured::sequence
