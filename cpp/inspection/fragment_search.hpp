// The k most heavily weighted fragments, found best first.
//
// Fragments grow from small ones, each in one way only. A partial fragment has a bound on the value of all that
// can grow out of it; the one with the largest bound is looked at next. When no bound exceeds the k-th best value,
// the list is exact. When the search stops earlier, the largest bound left says what it may have missed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "inspection/collapsed_forest.hpp"
#include "parallel.hpp"

namespace hedgerow {

// Weights of the distinct subtrees, and how many of the best fragments are wanted.
struct FragmentQuery {
  const CollapsedForest& model;
  std::span<const double> weight{};  // by subtree of the model
  // With an example, fragments that it has are ranked by weight * feature of the example; else by weight.
  const CollapsedForest* example = nullptr;
  std::span<const double> count{};  // by subtree of the example
  std::int64_t k = 10;
  int sign = 0;                     // 1: only positive values, -1: only negative ones, 0: the largest of either
  std::int64_t limit = 1'000'000;  // partial fragments to look at
};

// What a node of a fragment is: one with children, a word, or a node whose children are left open.
enum class NodeKind : std::int8_t { expanded = 0, word = 1, open = 2 };

struct FragmentTree {  // in post-order
  std::vector<std::int32_t> label, arity;
  std::vector<NodeKind> kind;
  void add(std::int32_t of_label, std::int32_t of_arity, NodeKind of_kind) {
    label.push_back(of_label);
    arity.push_back(of_arity);
    kind.push_back(of_kind);
  }
};

struct FoundFragment {
  FragmentTree tree;
  double weight = 0;   // in the model
  double feature = 1;  // of the example
};

struct FoundFragments {
  std::vector<FoundFragment> fragments;  // the best first
  double bound = 0;                      // on the absolute value of all others when not exact
  bool exact = true;
  std::int64_t looked_at = 0;
};

// Sums of positive and of negative weights, the latter without their sign.
struct SignedSum {
  double positive = 0, negative = 0;
  void add(double weight) { (weight > 0 ? positive : negative) += std::abs(weight); }
  double value() const { return positive - negative; }
};

// State: has `double bound`, and is movable.
template <class State>
class BestFirst {
 public:
  BestFirst(std::int64_t k, int sign, std::int64_t limit) : k_(k), sign_(sign), limit_(limit) {}

  // Takes a fragment if it is among the best; `tree` makes it.
  template <class MakeTree>
  void offer(double weight, double feature, MakeTree&& tree) {
    const double value = rank(weight * feature);
    if (!(value > threshold())) return;
    best_.push_back({value, FoundFragment{tree(), weight, feature}});
    std::ranges::push_heap(best_, worse);
    if (static_cast<std::int64_t>(best_.size()) <= k_) return;
    std::ranges::pop_heap(best_, worse);
    best_.pop_back();
  }
  // The bound on values, from one on sums of weights, with room for rounding.
  double bound(const SignedSum& sums, double factor) const {
    const double largest = sign_ > 0   ? sums.positive
                           : sign_ < 0 ? sums.negative
                                       : std::max(sums.positive, sums.negative);
    return largest * factor * (1 + 1e-12);
  }
  // Whether something with this bound could be among the best.
  bool may_matter(double bound) const { return bound > threshold(); }
  void push(State&& state) {
    queue_.push_back(std::move(state));
    std::ranges::push_heap(queue_, {}, &State::bound);
  }
  // Calls grow(state), which offers and pushes what grows out of a state by one step, until nothing matters.
  template <class Grow>
  FoundFragments run(Grow&& grow) {
    FoundFragments found;
    while (!queue_.empty() && may_matter(queue_.front().bound)) {
      if (found.looked_at == limit_) {
        found.exact = false;
        found.bound = queue_.front().bound;
        break;
      }
      stop_if_asked();
      std::ranges::pop_heap(queue_, {}, &State::bound);
      const State state = std::move(queue_.back());
      queue_.pop_back();
      ++found.looked_at;
      grow(state);
    }
    std::ranges::sort(best_, [](const Entry& a, const Entry& b) { return a.value > b.value; });
    for (Entry& entry : best_) found.fragments.push_back(std::move(entry.fragment));
    return found;
  }

 private:
  struct Entry {
    double value;
    FoundFragment fragment;
  };

  double rank(double value) const { return sign_ == 0 ? std::abs(value) : sign_ * value; }
  double threshold() const {
    return static_cast<std::int64_t>(best_.size()) < k_ ? 0.0 : best_.front().value;
  }
  static bool worse(const Entry& a, const Entry& b) { return a.value > b.value; }  // the worst on top

  std::int64_t k_;
  int sign_;
  std::int64_t limit_;
  std::vector<Entry> best_;  // a heap
  std::vector<State> queue_;
};

}  // namespace hedgerow
