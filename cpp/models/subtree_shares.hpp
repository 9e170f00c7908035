// What each distinct subtree of a block of trees adds to their scores under a subset tree model.
//
// What a node adds depends on its subtree and on the model alone. So D is computed for each distinct subtree,
// instead of each node, and a tree's score is the sum over its nodes of what their subtrees add: in the order
// of the nodes, so that it is, to the last bit, what the tree has on its own.
//
// A model that grows may be asked in between. What a subtree adds then holds until the weights of its root's
// production change, and its D until a support brings a new subtree of that production.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "data/subtree_blocks.hpp"
#include "kernels/arena.hpp"
#include "kernels/loops.hpp"
#include "kernels/subset_tree_index.hpp"
#include "limits.hpp"

namespace hedgerow::models {

// Real: of D. One for each thread.
template <class Real>
class SubtreeShares {
 public:
  // Another block comes, or another model.
  void start(const data::SubtreeBlock& block, std::int32_t columns);
  std::int32_t columns() const { return columns_; }
  // A matcher is a FrozenSubsetTrees, or has of it what is for this class.
  //
  // Adds to out[c] what the subtrees of a tree of the block add. production(id) is the model's production for
  // one of the block.
  template <class Matcher, class Production>
  void add(const Matcher& matcher, const data::SubtreeBlock& block, const Production& production,
           std::span<const data::SubtreeBlock::Number> subtrees, double* out);

 private:
  static constexpr std::size_t nowhere = SIZE_MAX;
  // Of vectors that wait for parents; when there are more, those that are still needed are computed again.
  static constexpr std::size_t most_bytes = std::size_t{4} << 20;

  struct Subtree {
    std::int32_t production = 0;  // in the model
    std::int32_t size = 0;        // of the bucket, when the match lists were found; 0: nothing matches
    bool is_lone = false;         // no child matches, so that D is the decay throughout
    std::int64_t changed = -1;    // what the share holds for
    std::size_t place = nowhere;  // of D
  };

  // Finds the match lists of the children.
  template <class Matcher>
  void match(const Matcher& matcher, const data::SubtreeBlock& block, std::int32_t number);
  template <class Matcher>
  void share(const Matcher& matcher, const data::SubtreeBlock& block, std::int32_t number);
  // Computes D, which is the latest in memory then.
  template <class Matcher>
  std::size_t compute(const Matcher& matcher, const data::SubtreeBlock& block, std::int32_t number);

  std::int32_t columns_ = 0;
  std::vector<Subtree> subtrees_;
  std::vector<std::int32_t> lists_;  // by child: its match list; -1: none
  std::vector<double> shares_;       // columns by columns
  kernels::Arena<Real> arena_;
  std::vector<Real> decays_;
  LongWork work_;
};

template <class Real>
void SubtreeShares<Real>::start(const data::SubtreeBlock& block, std::int32_t columns) {
  columns_ = columns;
  subtrees_.assign(block.size(), Subtree());
  lists_.resize(block.links());
  shares_.resize(static_cast<std::size_t>(block.size()) * columns);
  arena_.clear();
}

template <class Real>
template <class Matcher, class Production>
void SubtreeShares<Real>::add(const Matcher& matcher, const data::SubtreeBlock& block,
                              const Production& production,
                              std::span<const data::SubtreeBlock::Number> subtrees, double* out) {
  for (const std::int32_t number : subtrees) {
    Subtree& own = subtrees_[number];
    if (own.size == 0 || own.changed < matcher.changed(own.production)) {
      own.production = production(block.production(number));
      if (own.size != matcher.index().bucket(own.production).size) match(matcher, block, number);
      if (own.size == 0) continue;
      share(matcher, block, number);
    }
    const double* const share = shares_.data() + static_cast<std::size_t>(number) * columns_;
    for (std::int32_t c = 0; c < columns_; ++c) out[c] += share[c];
  }
}

template <class Real>
template <class Matcher>
void SubtreeShares<Real>::match(const Matcher& matcher, const data::SubtreeBlock& block,
                                std::int32_t number) {
  Subtree& own = subtrees_[number];
  const auto bucket = matcher.index().bucket(own.production);
  std::int32_t* const lists = lists_.data() + block.child_begin(number);
  const auto children = block.children(number);
  own.size = bucket.size;
  own.is_lone = true;
  own.place = nowhere;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const auto child = children[i];
    lists[i] =
        child == data::SubtreeBlock::leaf || subtrees_[child].size == 0
            ? -1
            : matcher.index().match_list(bucket, static_cast<std::int32_t>(i), subtrees_[child].production);
    if (lists[i] >= 0) own.is_lone = false;
  }
}

template <class Real>
template <class Matcher>
void SubtreeShares<Real>::share(const Matcher& matcher, const data::SubtreeBlock& block,
                                std::int32_t number) {
  Subtree& own = subtrees_[number];
  double* const share = shares_.data() + static_cast<std::size_t>(number) * columns_;
  std::fill_n(share, columns_, 0.0);
  const auto add = [&](const Real* d) {
    matcher.add_dots(own.production, columns_, d, own.size, share);
    own.changed = matcher.changed(own.production);
  };
  if (own.is_lone) {
    if (static_cast<std::size_t>(own.size) > decays_.size())
      decays_.resize(own.size, static_cast<Real>(matcher.index().parameters().decay));
    return add(decays_.data());
  }
  if (own.place != nowhere) return add(arena_.at(own.place));
  if (arena_.top() * sizeof(Real) > most_bytes) {
    for (Subtree& subtree : subtrees_) subtree.place = nowhere;
    arena_.clear();
  }
  const std::size_t place = compute(matcher, block, number);
  add(arena_.at(place));
  if (block.is_child(number))
    own.place = place;
  else
    arena_.clear_from(place);
}

// Children were matched before, as they come before their parent in every tree. Goes as deep as the subtree:
// large trees have no numbers.
template <class Real>
template <class Matcher>
std::size_t SubtreeShares<Real>::compute(const Matcher& matcher, const data::SubtreeBlock& block,
                                         std::int32_t number) {
  const Subtree& own = subtrees_[number];
  const auto children = block.children(number);
  const std::int32_t* const lists = lists_.data() + block.child_begin(number);
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (lists[i] < 0) continue;
    Subtree& child = subtrees_[children[i]];
    if (!child.is_lone && child.place == nowhere) child.place = compute(matcher, block, children[i]);
  }
  const auto decay = static_cast<Real>(matcher.index().parameters().decay);
  work_.add(own.size);
  const std::size_t place = arena_.take(own.size);
  Real* const d = arena_.at(place);
  kernels::fill_with(d, own.size, decay);
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (lists[i] < 0) continue;
    const Subtree& child = subtrees_[children[i]];
    const Real* const below = child.is_lone ? nullptr : arena_.at(child.place);
    matcher.multiply(lists[i], child.size > 1 ? below : nullptr, below ? below[0] : decay, d);
  }
  return place;
}

}  // namespace hedgerow::models
