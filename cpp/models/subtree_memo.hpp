// Scores of many trees under a subset tree model: what their distinct subtrees add is remembered.
//
// What a node adds to a score depends on its subtree and on the model alone, and of the subtree only on what
// the model can match: children that no member of the node's bucket has at their place do not count. So a
// subtree is known by its production and by those of its children that match, each known likewise. Its share
// of the scores is kept until the memory is full or the model changes. Its D is needed only for trees around
// it that are new; it is kept from the second time on, since most subtrees come once and D is long.
//
// Shares are computed and added up in the order of the nodes whether they were remembered or not: a score
// depends, to the last bit, neither on the trees before nor on when something was forgotten.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "data/sequence_table.hpp"
#include "kernels/arena.hpp"
#include "kernels/loops.hpp"
#include "kernels/subset_tree_index.hpp"
#include "limits.hpp"

namespace hedgerow::models {

// Real: of D. One for each thread.
template <class Real>
class SubtreeMemo {
 public:
  // Whether the tree is better scored here than on its own, as far as those before it tell.
  bool pays_for(const data::TreeView& x) {
    constexpr std::int32_t large = 256;  // nodes, whose vectors would fill the memory
    if (x.size > large) return false;
    if (resting_ == 0) return true;
    --resting_;
    return false;
  }

  // Adds to out[c] the sum over nodes of x and distinct subtrees of weight_c * D. A matcher has
  //   index()                                        the subtrees of the model
  //   multiply(list, below, common, d)               d *= 1 + D of the child, for the members of a match
  //                                                  list; below is null where that is `common` for all
  //   multiply_by(list, production, value, d)        the same where D of the child is value(its subtree)
  //   matches(list)                                  how many members a match list has
  //   add_dots(production, columns, d, size, out)    adds weights_c times d to out[c]
  template <class Matcher>
  void add_scores(const Matcher& matcher, const data::TreeView& x, std::int32_t columns, double* out);

  // The model has changed.
  void forget();

 private:
  static constexpr std::int32_t unmatched = -1;
  static constexpr std::int64_t steps_a_value = 16;  // that one value of D takes on its own

  // Where D of a subtree is.
  enum class Where : std::uint8_t { constant /* the decay, for the whole bucket */, nowhere, here, kept };
  struct Subtree {
    Where where;
    std::size_t place;  // in here_, for as long as this tree, or in kept_
  };
  struct Node {
    std::int32_t subtree = unmatched;
    bool is_new = false, needs_vector = false;
    std::int64_t cost = 0;  // of its D and of all that it takes, in steps
  };

  template <class Matcher>
  void number(const Matcher& matcher, const data::TreeView& x, std::int32_t node);
  template <class Matcher>
  void match(const Matcher& matcher, const data::TreeView& x, std::int32_t node);
  template <class Matcher>
  void find_needed(const Matcher& matcher, const data::TreeView& x);
  // D of a node and one subtree of the model, without that of all others.
  template <class Matcher>
  Real value(const Matcher& matcher, const data::TreeView& x, std::int32_t node, std::int32_t other) const;
  template <class Matcher>
  void add_share(const Matcher& matcher, std::int32_t production, const Real* d, std::int32_t size,
                 std::int32_t subtree);
  std::int32_t add(Where where);
  const Real* vector(const Subtree& subtree) {
    return subtree.where == Where::kept ? kept_.at(subtree.place) : here_.at(subtree.place);
  }
  void review();

  std::int32_t columns_ = 0;
  data::SequenceTable<std::int32_t> known_;     // production, then the numbers of the children
  std::vector<std::int32_t> number_;            // by id in known_
  std::vector<std::int32_t> lone_;              // by production: the number of its subtree without matches
  std::vector<std::int32_t> lone_productions_;  // those that have one
  std::vector<Subtree> subtrees_;               // by number
  std::vector<double> shares_;                  // by number, one for each column
  kernels::Arena<Real> kept_, here_;
  std::vector<Real> decays_;
  LongWork work_;

  // ---- of the tree at hand
  std::vector<Node> nodes_;
  std::vector<std::int32_t> lists_;  // by child link: the match list; -1: none
  std::vector<std::int32_t> key_;
  std::vector<std::int32_t> places_here_;  // subtrees whose D is in here_

  // ---- whether it pays
  static constexpr std::int64_t shortest_rest = 1024, longest_rest = 1 << 16;
  std::int64_t trees_ = 0, asked_ = 0, done_ = 0;  // since the last review; steps without and with memory
  // Trees. What is remembered of few would not pay for the tables.
  std::int64_t resting_ = shortest_rest, rest_ = shortest_rest;
  bool is_trial_ = true;
};

template <class Real>
void SubtreeMemo<Real>::forget() {
  if (subtrees_.empty()) return;
  known_.clear();
  number_.clear();
  for (const std::int32_t production : lone_productions_) lone_[production] = unmatched;
  lone_productions_.clear();
  subtrees_.clear();
  shares_.clear();
  kept_.clear();
}

template <class Real>
void SubtreeMemo<Real>::review() {
  constexpr std::int64_t trial = 32, often = 128;  // trees
  constexpr std::size_t most_bytes = std::size_t{1} << 20, most_subtrees = 1 << 15;
  if (kept_.top() * sizeof(Real) > most_bytes || subtrees_.size() > most_subtrees) forget();
  if (++trees_ < (is_trial_ ? trial : often)) return;
  is_trial_ = 100 * done_ > (is_trial_ ? 98 : 90) * asked_;  // after a rest
  if (is_trial_) {
    resting_ = rest_;
    rest_ = std::min(2 * rest_, longest_rest);
    forget();
  } else {
    rest_ = shortest_rest;
  }
  trees_ = asked_ = done_ = 0;
}

template <class Real>
template <class Matcher>
void SubtreeMemo<Real>::add_scores(const Matcher& matcher, const data::TreeView& x, std::int32_t columns,
                                   double* out) {
  kernels::check_pairs_of(matcher.index(), x);
  if (std::exchange(columns_, columns) != columns) forget();
  review();
  nodes_.resize(x.size);
  lists_.resize(x.size);
  for (std::int32_t v = 0; v < x.size; ++v) number(matcher, x, v);
  find_needed(matcher, x);
  for (std::int32_t v = 0; v < x.size; ++v)
    if (nodes_[v].needs_vector) match(matcher, x, v);
  for (const Node& node : nodes_) {
    if (node.subtree == unmatched) continue;
    const double* const share = shares_.data() + static_cast<std::size_t>(node.subtree) * columns;
    for (std::int32_t c = 0; c < columns; ++c) out[c] += share[c];
  }
  for (const std::int32_t subtree : places_here_) subtrees_[subtree].where = Where::nowhere;
  places_here_.clear();
  here_.clear();
}

template <class Real>
std::int32_t SubtreeMemo<Real>::add(Where where) {
  subtrees_.push_back({where, 0});
  shares_.resize(shares_.size() + columns_, 0.0);
  return static_cast<std::int32_t>(subtrees_.size()) - 1;
}

template <class Real>
template <class Matcher>
void SubtreeMemo<Real>::add_share(const Matcher& matcher, std::int32_t production, const Real* d,
                                  std::int32_t size, std::int32_t subtree) {
  matcher.add_dots(production, columns_, d, size,
                   shares_.data() + static_cast<std::size_t>(subtree) * columns_);
}

// Finds out which subtree a node has.
template <class Real>
template <class Matcher>
void SubtreeMemo<Real>::number(const Matcher& matcher, const data::TreeView& x, std::int32_t node) {
  constexpr std::int64_t look_up = 64;  // takes as long as so many steps
  nodes_[node] = {};
  if (x.is_leaf(node)) return;
  const std::int32_t production = x.production[node];
  const auto bucket = matcher.index().bucket(production);
  if (bucket.size == 0) return;
  const auto children = x.children(node);
  std::int32_t* const lists = lists_.data() + x.child_begin[node];
  key_.resize(children.size() + 1);
  key_[0] = production;
  bool matches = false;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const std::int32_t child = nodes_[children[i]].subtree;
    lists[i] = child == unmatched ? -1
                                  : matcher.index().match_list(bucket, static_cast<std::int32_t>(i),
                                                               x.production[children[i]]);
    key_[i + 1] = lists[i] < 0 ? unmatched : child;
    matches = matches || lists[i] >= 0;
    if (lists[i] >= 0) nodes_[node].cost += nodes_[children[i]].cost;
  }
  std::int32_t& own = nodes_[node].subtree;
  if (!matches) {
    if (static_cast<std::size_t>(production) >= lone_.size()) lone_.resize(production + 1, unmatched);
    own = lone_[production];
    if (own != unmatched) return;
    own = lone_[production] = add(Where::constant);
    lone_productions_.push_back(production);
    if (static_cast<std::size_t>(bucket.size) > decays_.size())
      decays_.resize(bucket.size, static_cast<Real>(matcher.index().parameters().decay));
    return add_share(matcher, production, decays_.data(), bucket.size, own);
  }
  nodes_[node].cost += bucket.size;
  asked_ += bucket.size;
  done_ += look_up;
  const std::int32_t id = known_.intern(key_);
  if (static_cast<std::size_t>(id) == number_.size()) {
    number_.push_back(add(Where::nowhere));
    nodes_[node].is_new = nodes_[node].needs_vector = true;
  }
  own = number_[id];
}

// What is new needs its D, and those of its children, unless few of their values are asked for.
template <class Real>
template <class Matcher>
void SubtreeMemo<Real>::find_needed(const Matcher& matcher, const data::TreeView& x) {
  for (std::int32_t v = x.size - 1; v >= 0; --v) {
    if (!nodes_[v].needs_vector) continue;
    const auto children = x.children(v);
    const std::int32_t* const lists = lists_.data() + x.child_begin[v];
    for (std::size_t i = 0; i < children.size(); ++i) {
      Node& child = nodes_[children[i]];
      if (lists[i] >= 0 && subtrees_[child.subtree].where == Where::nowhere &&
          steps_a_value * matcher.matches(lists[i]) >= child.cost)
        child.needs_vector = true;
    }
  }
}

template <class Real>
template <class Matcher>
Real SubtreeMemo<Real>::value(const Matcher& matcher, const data::TreeView& x, std::int32_t node,
                              std::int32_t other) const {
  const kernels::SubsetTreeIndex& index = matcher.index();
  auto d = static_cast<Real>(index.parameters().decay);
  const auto key = index.key(other);
  const auto children = x.children(node);
  const std::int32_t* const lists = lists_.data() + x.child_begin[node];
  for (std::size_t i = 0; i < children.size(); ++i)
    if (lists[i] >= 0 && key[i + 1] >= 0 && index.production(key[i + 1]) == x.production[children[i]])
      d *= Real(1) + value(matcher, x, children[i], key[i + 1]);
  return d;
}

template <class Real>
template <class Matcher>
void SubtreeMemo<Real>::match(const Matcher& matcher, const data::TreeView& x, std::int32_t node) {
  const std::int32_t own = nodes_[node].subtree;
  const bool is_new = nodes_[node].is_new;
  if (subtrees_[own].where != Where::nowhere) return;  // the tree has it twice
  const auto decay = static_cast<Real>(matcher.index().parameters().decay);
  const std::int32_t size = matcher.index().bucket(x.production[node]).size;
  work_.add(size);
  done_ += size;
  kernels::Arena<Real>& arena = is_new ? here_ : kept_;
  const std::size_t place = arena.take(size);
  Real* const d = arena.at(place);
  kernels::fill_with(d, size, decay);
  const auto children = x.children(node);
  const std::int32_t* const lists = lists_.data() + x.child_begin[node];
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (lists[i] < 0) continue;
    const Subtree& child = subtrees_[nodes_[children[i]].subtree];
    if (child.where == Where::constant) {
      matcher.multiply(lists[i], nullptr, decay, d);
      continue;
    }
    if (child.where == Where::nowhere) {
      done_ += steps_a_value * matcher.matches(lists[i]);
      matcher.multiply_by(
          lists[i], x.production[children[i]],
          [&](std::int32_t other) { return value(matcher, x, children[i], other); }, d);
      continue;
    }
    const Real* const below = vector(child);
    const bool is_one = matcher.index().bucket(x.production[children[i]]).size == 1;
    matcher.multiply(lists[i], is_one ? nullptr : below, below[0], d);
  }
  subtrees_[own] = {is_new ? Where::here : Where::kept, place};
  if (!is_new) return;
  places_here_.push_back(own);
  add_share(matcher, x.production[node], d, size, own);
}

}  // namespace hedgerow::models
