#include "models/frozen_subset_trees.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "kernels/loops.hpp"
#include "limits.hpp"

namespace hedgerow::models {
namespace {

constexpr std::size_t nowhere = SIZE_MAX;

// Calls body(place, child, list) for the internal children of a subtree.
template <class Body>
void for_each_child(const kernels::SubsetTreeIndex& index, std::int32_t subtree, Body&& body) {
  const auto key = index.key(subtree);
  const kernels::SubsetTreeIndex::Bucket bucket = index.bucket(key[0]);
  for (std::size_t i = 1; i < key.size(); ++i) {
    if (key[i] < 0) continue;
    const auto place = static_cast<std::int32_t>(i) - 1;
    body(bucket.first_place + place, key[i], index.match_list(bucket, place, index.production(key[i])));
  }
}

// The largest and the smallest weight of a column that are not 0, without their signs.
struct Extent {
  double largest = 0, smallest = INFINITY;
};
Extent extent(const kernels::SubsetTreeIndex& index, const SubtreeWeights& weights, std::int32_t column) {
  Extent result;
  for (std::int32_t id = 0; id < index.subtrees(); ++id) {
    const double weight = std::abs(weights.weight(index.production(id), index.position(id), column));
    if (weight == 0) continue;
    result.largest = std::max(result.largest, weight);
    result.smallest = std::min(result.smallest, weight);
  }
  return result;
}

}  // namespace

template <class Real>
FrozenSubsetTrees<Real>::FrozenSubsetTrees(const kernels::SubsetTreeIndex& index,
                                           const SubtreeWeights& weights, std::int32_t columns)
    : index_(index) {
  fill_lists(sort_buckets());
  fill_weights(weights, columns);
}

template <class Real>
std::vector<std::int32_t> FrozenSubsetTrees<Real>::sort_buckets() {
  // How many matches are found at a place, if trees to be scored are like those of the model.
  std::vector<double> matches(index_.places(), 0.0);
  for (std::int32_t id = 0; id < index_.subtrees(); ++id)
    for_each_child(index_, id, [&](std::int32_t place, std::int32_t, std::int32_t list) {
      matches[place] += static_cast<double>(index_.matches(list).size());
    });

  begin_.assign(index_.productions() + 1, 0);
  for (std::int32_t p = 0; p < index_.productions(); ++p) begin_[p + 1] = begin_[p] + index_.bucket(p).size;
  subtree_.resize(index_.subtrees());
  for (std::int32_t id = 0; id < index_.subtrees(); ++id)
    subtree_[begin_[index_.production(id)] + index_.position(id)] = id;

  position_.resize(index_.subtrees());
  std::vector<std::int32_t> sorted_by(index_.productions(), 0);
  for (std::int32_t p = 0; p < index_.productions(); ++p) {
    const std::span<std::int32_t> bucket(subtree_.data() + begin_[p], index_.bucket(p).size);
    if (bucket.empty()) continue;
    const auto first = matches.begin() + index_.bucket(p).first_place;
    const auto places = static_cast<std::ptrdiff_t>(index_.key(bucket[0]).size()) - 1;
    const auto best = std::max_element(first, first + places) - first;
    sorted_by[p] = index_.bucket(p).first_place + static_cast<std::int32_t>(best);
    const auto order = [&](std::int32_t id) {
      const std::int32_t child = index_.key(id)[best + 1];
      return child < 0 ? std::tuple(-1, -1, id)
                       : std::tuple(index_.production(child), index_.position(child), id);
    };
    std::ranges::sort(bucket, {}, order);
    for (std::size_t s = 0; s < bucket.size(); ++s) position_[bucket[s]] = static_cast<std::int32_t>(s);
  }
  return sorted_by;
}

template <class Real>
void FrozenSubsetTrees<Real>::fill_lists(const std::vector<std::int32_t>& sorted_by) {
  lists_.resize(index_.match_lists());
  std::size_t begin = 0;
  for (std::int32_t list = 0; list < index_.match_lists(); ++list) {
    lists_[list].begin = begin;
    begin += index_.matches(list).size();
  }
  member_.resize(begin);
  child_.resize(begin);
  for (std::int32_t id : subtree_)
    for_each_child(index_, id, [&](std::int32_t place, std::int32_t child, std::int32_t number) {
      List& list = lists_[number];
      list.is_range = place == sorted_by[index_.production(id)];
      member_[list.begin + list.size] = position_[id];
      child_[list.begin + list.size] = position_[child];
      ++list.size;
    });
}

template <class Real>
void FrozenSubsetTrees<Real>::fill_weights(const SubtreeWeights& weights, std::int32_t columns) {
  for (std::int32_t c = 0; c < columns; ++c) {
    // A power of two, so that weights are rounded once at most.
    int exponent = 0;
    std::frexp(extent(index_, weights, c).largest, &exponent);
    scale_.push_back(std::ldexp(1.0, exponent));
    weights_.emplace_back();
    for (std::int32_t id : subtree_)
      weights_.back().push_back(static_cast<Real>(
          std::ldexp(weights.weight(index_.production(id), index_.position(id), c), -exponent)));
  }
}

template <class Real>
void FrozenSubsetTrees<Real>::add_scores(const data::TreeView& x, std::int32_t columns, double* out,
                                         Scratch& scratch) const {
  auto& [arena, place, low] = scratch;
  kernels::check_pairs_of(index_, x);
  LongWork work;
  arena.clear();
  place.resize(x.size);
  low.resize(x.size);
  for (std::int32_t v = 0; v < x.size; ++v) {
    place[v] = nowhere;
    if (x.is_leaf(v)) {
      low[v] = arena.top();
      continue;
    }
    const auto children = x.children(v);
    low[v] = low[children[0]];
    const kernels::SubsetTreeIndex::Bucket bucket = index_.bucket(x.production[v]);
    if (bucket.size == 0) continue;
    work.add(bucket.size);
    const std::size_t at = arena.take(bucket.size);
    Real* const d = arena.at(at);
    kernels::fill_with(d, bucket.size, static_cast<Real>(index_.parameters().decay));
    for (std::size_t i = 0; i < children.size(); ++i) {
      const std::int32_t child = children[i];
      if (place[child] == nowhere) continue;
      const std::int32_t list = index_.match_list(bucket, static_cast<std::int32_t>(i), x.production[child]);
      if (list < 0) continue;
      const Real* const below = arena.at(place[child]);
      multiply(list, index_.bucket(x.production[child]).size > 1 ? below : nullptr, below[0], d);
    }
    add_dots(x.production[v], columns, d, bucket.size, out);
    place[v] = arena.settle(at, bucket.size, low[v]);
  }
}

template <class Real>
void FrozenSubsetTrees<Real>::multiply(std::int32_t number, const Real* below, Real common, Real* d) const {
  const List& list = lists_[number];
  const std::int32_t* const member = member_.data() + list.begin;
  const std::int32_t* const child = child_.data() + list.begin;
  const Real factor = Real(1) + common;
  if (list.is_range) {
    Real* const range = d + member[0];
    if (below) return kernels::multiply_gathered(range, list.size, below, child);
    for (std::int32_t s = 0; s < list.size; ++s) range[s] *= factor;
  } else if (below) {
    for (std::int32_t s = 0; s < list.size; ++s) d[member[s]] *= Real(1) + below[child[s]];
  } else {
    for (std::int32_t s = 0; s < list.size; ++s) d[member[s]] *= factor;
  }
}

bool single_holds(const kernels::SubsetTreeIndex& index, const SubtreeWeights& weights,
                  std::int32_t columns) {
  // Weights are scaled to at most 1, and D is between decay and 1e30: products are within 1e-34 and 1e30.
  constexpr double smallest_decay = 1e-14, smallest_share = 1e-20;
  if (index.parameters().decay < smallest_decay) return false;
  for (std::int32_t c = 0; c < columns; ++c) {
    const Extent range = extent(index, weights, c);
    if (range.smallest < smallest_share * range.largest) return false;
  }
  return true;
}

template class FrozenSubsetTrees<float>;
template class FrozenSubsetTrees<double>;

}  // namespace hedgerow::models
