// The parameters of the tree kernels, and the constants that follow from them.
#pragma once

#include <algorithm>
#include <cstdint>

namespace hedgerow::kernels {

// Subset trees (SST): D(n, m) = decay * prod over children internal in both of (1 + D), for equal
// productions.
struct SubsetTreeParameters {
  double decay = 0.4;
  bool bag_of_words = false;  // every pair of equal leaves adds decay

  bool operator==(const SubsetTreeParameters&) const = default;
};

// Partial trees (PT): D(n, m) = base + vertical_decay * S(children), for equal labels.
struct PartialTreeParameters {
  double decay = 0.4;           // along child sequences
  double vertical_decay = 0.4;  // with depth
  bool lexical = true;          // false (uPT): single nodes are not features
  std::int32_t max_length = 0;  // of child subsequences; 0: any
  double terminal_factor = 1;

  bool operator==(const PartialTreeParameters&) const = default;

  // What two nodes of one label share by themselves. A terminal factor below 1 must also hold for a leaf
  // beside an internal node, and one above 1 must not, or the kernel would not be positive semi-definite.
  // Number: double, or one with a wider range, since squares of small decays leave that of doubles.
  template <class Number = double>
  Number base() const {
    return Number(vertical_decay) * Number(decay) * Number(decay);
  }
  template <class Number = double>
  Number base_leaves() const {
    return base<Number>() * Number(terminal_factor);
  }
  template <class Number = double>
  Number base_mixed() const {
    return base<Number>() * Number(std::min(1.0, terminal_factor));
  }
};

}  // namespace hedgerow::kernels
