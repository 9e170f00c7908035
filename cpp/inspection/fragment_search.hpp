// The k most heavily weighted fragments, found best first.
//
// Fragments grow from small ones, each in one way only. A partial fragment has a bound on the value of all
// that can grow out of it; the one with the largest bound is looked at next. When no bound exceeds the k-th
// best value, the list is exact. When the search stops earlier, the largest bound left says what it may have
// missed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "inspection/collapsed_forest.hpp"
#include "parallel.hpp"

namespace hedgerow::inspection {

// Weights of the distinct subtrees, and how many of the best fragments are wanted.
struct FragmentQuery {
  const CollapsedForest& model;
  std::span<const double> weight{};  // by subtree of the model
  // With an example, fragments that it has are ranked by weight * feature of the example; else by weight.
  const CollapsedForest* example = nullptr;
  std::span<const double> count{};  // by subtree of the example
  std::int64_t k = 10;
  // What lists there are, of k fragments each: with 1 of positive values, with -1 of negative ones, with 0 of
  // the largest of either sign.
  std::vector<int> signs{0};
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
  std::vector<FoundFragment> fragments;  // list by list, the best first
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

// Bounds on the values of all that grows out of a fragment, by list, and the largest.
struct Bounds {
  double of_list[2] = {0, 0};
  double largest = 0;
};

// State: has `Bounds bounds` and `std::size_t bytes() const`, about how much memory it takes, and is movable.
template <class State>
class BestFirst {
 public:
  explicit BestFirst(const FragmentQuery& query) : k_(query.k), limit_(query.limit) {
    for (const int sign : query.signs) lists_.push_back({sign, {}});
  }

  // Takes a fragment if it is among the best; `tree` makes it.
  template <class MakeTree>
  void offer(double weight, double feature, MakeTree&& tree) {
    for (List& list : lists_) {
      const double value = list.rank(weight * feature);
      if (!(value > threshold(list))) continue;
      list.best.push_back({value, FoundFragment{tree(), weight, feature}});
      std::ranges::push_heap(list.best, worse);
      if (static_cast<std::int64_t>(list.best.size()) <= k_) continue;
      std::ranges::pop_heap(list.best, worse);
      list.best.pop_back();
    }
  }
  // Bounds on values, from those on sums of weights, with room for rounding.
  Bounds bounds(const SignedSum& sums, double factor) const {
    Bounds result;
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      result.of_list[i] = lists_[i].largest(sums) * factor * (1 + 1e-12);
      result.largest = std::max(result.largest, result.of_list[i]);
    }
    return result;
  }
  // Whether something with these bounds could be among the best.
  bool may_matter(const Bounds& bounds) const {
    for (std::size_t i = 0; i < lists_.size(); ++i)
      if (bounds.of_list[i] > threshold(lists_[i])) return true;
    return false;
  }
  void push(State&& state) {
    bytes_ += state.bytes();
    queue_.push_back(std::move(state));
    std::ranges::push_heap(queue_, {}, largest_bound);
  }
  // Calls grow(state), which offers and pushes what grows out of a state by one step, until nothing matters.
  template <class Grow>
  FoundFragments run(Grow&& grow) {
    FoundFragments found;
    while (!queue_.empty() && queue_.front().bounds.largest > lowest_threshold()) {
      if (found.looked_at == limit_ || bytes_ > most_bytes) {
        found.exact = false;
        found.bound = queue_.front().bounds.largest;
        break;
      }
      stop_if_asked();
      std::ranges::pop_heap(queue_, {}, largest_bound);
      const State state = std::move(queue_.back());
      queue_.pop_back();
      bytes_ -= state.bytes();
      if (!may_matter(state.bounds)) continue;
      ++found.looked_at;
      grow(state);
    }
    for (List& list : lists_) {
      std::ranges::sort(list.best, worse);
      for (Entry& entry : list.best) found.fragments.push_back(std::move(entry.fragment));
    }
    return found;
  }

 private:
  struct Entry {
    double value;
    FoundFragment fragment;
  };
  struct List {
    int sign;
    std::vector<Entry> best;  // a heap with the worst on top

    double rank(double value) const { return sign == 0 ? std::abs(value) : sign * value; }
    double largest(const SignedSum& sums) const {
      return sign > 0 ? sums.positive : sign < 0 ? sums.negative : std::max(sums.positive, sums.negative);
    }
  };

  // Partial fragments that wait may take this much memory.
  static constexpr std::size_t most_bytes = std::size_t{1} << 29;

  static double largest_bound(const State& state) { return state.bounds.largest; }
  static bool worse(const Entry& a, const Entry& b) { return a.value > b.value; }
  double threshold(const List& list) const {
    return static_cast<std::int64_t>(list.best.size()) < k_ ? 0.0 : list.best.front().value;
  }
  double lowest_threshold() const {
    double lowest = threshold(lists_[0]);
    for (const List& list : lists_) lowest = std::min(lowest, threshold(list));
    return lowest;
  }

  std::int64_t k_, limit_;
  std::vector<List> lists_;
  std::vector<State> queue_;
  std::size_t bytes_ = 0;  // of the queue
};

}  // namespace hedgerow::inspection
