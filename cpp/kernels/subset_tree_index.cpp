#include "kernels/subset_tree_index.hpp"

#include <algorithm>

#include "limits.hpp"

namespace hedgerow::kernels {

void SubsetTreeIndex::number(const data::TreeView& tree, std::int32_t* ids) {
  for (std::int32_t v = 0; v < tree.size; ++v) {
    ids[v] = -1;
    if (tree.is_leaf(v)) continue;
    const std::int32_t production = tree.production[v];
    key_.assign(1, production);
    bool all_leaves = true;
    for (std::int32_t child : tree.children(v)) {
      key_.push_back(ids[child]);
      all_leaves = all_leaves && ids[child] < 0;
    }
    if (!all_leaves) {
      ids[v] = subtrees_.intern(key_);
      continue;
    }
    // Half of all nodes: known by their production alone.
    if (static_cast<std::size_t>(production) >= preterminal_.size() || preterminal_[production] < 0)
      remember_preterminal(production, subtrees_.intern(key_));
    ids[v] = preterminal_[production];
  }
}

void SubsetTreeIndex::remember_preterminal(std::int32_t production, std::int32_t subtree) {
  if (static_cast<std::size_t>(production) >= preterminal_.size()) preterminal_.resize(production + 1, -1);
  preterminal_[production] = subtree;
}

void SubsetTreeIndex::insert(const data::TreeView& tree, const std::int32_t* ids) {
  for (std::int32_t v = 0; v < tree.size; ++v) {
    if (tree.is_leaf(v)) {
      if (parameters_.bag_of_words) {
        const auto label = static_cast<std::size_t>(tree.label[v]);
        if (label >= leaves_.size()) leaves_.resize(label + 1);
        leaves_[label].push_back(size_);
      }
      continue;
    }
    // Ids were given in the order of trees, so a new one is the next.
    if (ids[v] == subtrees()) add_member(ids[v]);
    postings_[tree.production[v]].push_back({size_, position_[ids[v]]});
  }
  ++size_;
}

void SubsetTreeIndex::add_member(std::int32_t subtree) {
  const std::span<const std::int32_t> key = subtrees_[subtree];
  const std::int32_t production = key[0];
  if (static_cast<std::size_t>(production) >= buckets_.size()) {
    buckets_.resize(production + 1);
    postings_.resize(production + 1);
  }
  Bucket& bucket = buckets_[production];
  if (bucket.size == 0) {
    if (key.size() > static_cast<std::size_t>(INT32_MAX - places_))
      throw std::length_error("the productions of an index have more than 2^31 children");
    bucket.first_place = places_;
    places_ += static_cast<std::int32_t>(key.size()) - 1;
  }
  const std::int32_t member = bucket.size++;
  position_.push_back(member);
  for (std::size_t place = 0; place + 1 < key.size(); ++place) {
    const std::int32_t child = key[place + 1];
    if (child < 0) continue;
    const std::int32_t list =
        match_lists_.intern(bucket.first_place + static_cast<std::int32_t>(place), subtrees_[child][0]);
    if (static_cast<std::size_t>(list) == matches_.size()) matches_.emplace_back();
    matches_[list].push_back({member, position_[child]});
  }
}

bool SubsetTreeIndex::add_subtree(std::span<const std::int32_t> key) {
  const std::int32_t id = subtrees();
  if (subtrees_.intern(key) != id) return false;
  const bool all_leaves = std::ranges::all_of(key.subspan(1), [](std::int32_t child) { return child < 0; });
  if (all_leaves) remember_preterminal(key[0], id);
  add_member(id);
  return true;
}

bool may_exceed_pairs(const SubsetTreeIndex& index, const data::TreeView& x) {
  return exceeds_pairs(static_cast<double>(x.size) * index.subtrees());
}

void check_pairs_of(const SubsetTreeIndex& index, const data::TreeView& x) {
  if (!may_exceed_pairs(index, x)) return;
  double pairs = 0;
  for (std::int32_t v = 0; v < x.size; ++v) pairs += index.bucket(x.production[v]).size;
  check_pairs(pairs, "tree");
}

bool single_suffices(const data::TreeView& x, const SubsetTreeParameters& parameters) {
  // D(n, s) <= D(n, n), and an error in a child's D counts by its share in 1 + D, which grows with D: so the
  // errors of D(n, n) bound all others. One rounding for each factor, and one for decay. Sums of D with one
  // production are single too; sums over productions are double.
  constexpr double rounding = 6e-8, allowed = 9e-6, largest = 1e30, smallest = 1e-30;
  if (parameters.decay < smallest) return false;
  // The errors of small trees need not be added up: two roundings at most for each internal node.
  constexpr std::int32_t small = 43;
  if (x.size <= small && parameters.decay <= 1) return true;
  std::vector<double> value(x.size, 0.0), error(x.size, 0.0);
  double worst = 0;
  for (std::int32_t v = 0; v < x.size; ++v) {
    if (x.is_leaf(v)) continue;
    double d = parameters.decay, e = rounding;
    for (std::int32_t child : x.children(v)) {
      if (x.is_leaf(child)) continue;
      d *= 1 + value[child];
      e += error[child] * value[child] / (1 + value[child]) + rounding;
      if (d > largest) return false;
    }
    value[v] = d;
    error[v] = e;
    worst = std::max(worst, e);
  }
  return worst + rounding * std::min(x.size, 64) < allowed && x.size < 1000;
}

}  // namespace hedgerow::kernels
