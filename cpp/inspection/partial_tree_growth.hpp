// How much larger the feature of a partial tree fragment can get by children that are added below one of its
// nodes.
//
// Let most(c) bound the features of all fragments rooted in c. Adding children with labels l1, l2, ... below
// u takes a sum, over the ways to select such children, of products of their features: at most, label by
// label, the elementary symmetric polynomial of most(c) over the children with this label, of the degree that
// makes it largest.
#pragma once

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "inspection/collapsed_forest.hpp"
#include "kernels/tree_parameters.hpp"

namespace hedgerow::inspection {

// What an end of a fragment is worth, by itself and as a leaf or as an internal node; see
// partial_tree_fragments.
struct EndFactors {
  explicit EndFactors(const kernels::PartialTreeParameters& kernel)
      : any(kernel.decay * std::sqrt(std::min(1.0, kernel.terminal_factor))),
        leaf(kernel.decay * std::sqrt(std::max(0.0, kernel.terminal_factor - 1))),
        internal(kernel.decay * std::sqrt(std::max(0.0, 1 - kernel.terminal_factor))) {}
  double any, leaf, internal;
};

class Growth {
 public:
  Growth(const CollapsedForest& trees, const kernels::PartialTreeParameters& kernel) : trees_(trees) {
    const EndFactors ends(kernel);
    const double per_node = std::sqrt(kernel.vertical_decay);
    some_.resize(trees.links());
    more_.resize(trees.links());
    std::vector<double> most(trees.size());
    for (std::int32_t s = 0; s < trees.size(); ++s) {
      fill(s, most, kernel.max_length);
      const double end = std::max(ends.any, trees.is_leaf(s) ? ends.leaf : ends.internal);
      most[s] = per_node * std::max(end, more(s, 0));
    }
  }

  // The largest factor by adding at least one child, from the one at `place` on.
  double more(std::int32_t subtree, std::int32_t place) const {
    return place < arity(subtree) ? more_[trees_.first_child(subtree) + place] : 0;
  }
  // The same by adding none or more.
  double some(std::int32_t subtree, std::int32_t place) const {
    return place < arity(subtree) ? some_[trees_.first_child(subtree) + place] : 1;
  }

 private:
  struct OfLabel {
    std::vector<double> polynomial{1.0};  // by degree
    double largest = 1, largest_above_0 = 0;
  };

  std::int32_t arity(std::int32_t subtree) const {
    return static_cast<std::int32_t>(trees_.children(subtree).size());
  }

  void fill(std::int32_t subtree, const std::vector<double>& most, std::int32_t max_length) {
    const auto children = trees_.children(subtree);
    const std::size_t degree = max_length > 0 ? max_length : children.size();
    by_label_.clear();
    double product = 1, share = 0;  // of what is largest with none, what is left with at least one
    for (std::size_t i = children.size(); i-- > 0;) {
      OfLabel& of = by_label_[trees_.label(children[i])];
      const double before = of.largest;
      add(of, most[children[i]], degree);
      product *= of.largest / before;
      share = std::max(share, of.largest_above_0 / of.largest);  // it never falls as children come
      some_[trees_.first_child(subtree) + i] = product;
      more_[trees_.first_child(subtree) + i] = product * share;
    }
  }
  static void add(OfLabel& of, double value, std::size_t degree) {
    auto& e = of.polynomial;
    constexpr std::size_t many = 1000;  // beyond it the product of all 1 + value is bound enough
    if (e.size() > many) {
      of.largest_above_0 = of.largest *= 1 + value;
      return;
    }
    if (e.size() <= degree) e.push_back(0.0);
    for (std::size_t d = e.size() - 1; d > 0; --d) e[d] += e[d - 1] * value;
    of.largest_above_0 = *std::max_element(e.begin() + 1, e.end());
    of.largest = std::max(1.0, of.largest_above_0);
    if (e.size() <= many) return;
    of.largest = 0;  // the sum of all polynomials is the product of all 1 + value so far
    for (const double value_of_degree : e) of.largest += value_of_degree;
    of.largest_above_0 = of.largest;
  }

  const CollapsedForest& trees_;
  std::vector<double> some_, more_;  // by link to a child
  std::unordered_map<std::int32_t, OfLabel> by_label_;
};

}  // namespace hedgerow::inspection
