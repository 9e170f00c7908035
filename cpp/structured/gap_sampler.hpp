// Draws examples with probabilities proportional to weights that change: sums over a binary tree.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "online/random.hpp"

namespace hedgerow::structured {

class GapSampler {
 public:
  GapSampler() = default;
  explicit GapSampler(std::int64_t n)
      : leaves_(std::bit_ceil(static_cast<std::uint64_t>(n < 1 ? 1 : n))), sums_(2 * leaves_, 0.0) {}

  double total() const { return sums_[1]; }
  double at(std::int64_t example) const { return sums_[leaves_ + example]; }
  void set(std::int64_t example, double weight) {
    std::size_t node = leaves_ + example;
    sums_[node] = weight;
    // Sums are made anew, so that rounding does not build up.
    for (node /= 2; node > 0; node /= 2) sums_[node] = sums_[2 * node] + sums_[2 * node + 1];
  }
  // An example whose weight is not 0, unless all are.
  std::int64_t draw(online::Random& random) const {
    double rest = total() * (static_cast<double>(random.next() >> 11) * 0x1p-53);
    std::size_t node = 1;
    while (node < leaves_) {
      node *= 2;
      if (rest >= sums_[node] && sums_[node + 1] > 0) rest -= sums_[node++];
    }
    return static_cast<std::int64_t>(node - leaves_);
  }

 private:
  std::size_t leaves_ = 1;
  std::vector<double> sums_ = {0, 0};  // the root is 1, the children of k are 2 k and 2 k + 1
};

}  // namespace hedgerow::structured
