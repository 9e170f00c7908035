#include "kernels/subset_tree_index.hpp"

#include <algorithm>

namespace hedgerow {

void SubsetTreeIndex::number(const TreeView& tree, std::int32_t* ids) {
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
    if (static_cast<std::size_t>(production) >= preterminal_.size()) preterminal_.resize(production + 1, -1);
    if (preterminal_[production] < 0) preterminal_[production] = subtrees_.intern(key_);
    ids[v] = preterminal_[production];
  }
}

void SubsetTreeIndex::insert(const TreeView& tree, const std::int32_t* ids) {
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
    if (ids[v] == static_cast<std::int32_t>(position_.size())) add_member(tree, v, ids);
    Postings& postings = postings_[tree.production[v]];
    postings.tree.push_back(size_);
    postings.position.push_back(position_[ids[v]]);
  }
  ++size_;
}

void SubsetTreeIndex::add_member(const TreeView& tree, std::int32_t node, const std::int32_t* ids) {
  const std::int32_t production = tree.production[node];
  if (static_cast<std::size_t>(production) >= bucket_size_.size()) {
    bucket_size_.resize(production + 1, 0);
    postings_.resize(production + 1);
  }
  const std::int32_t member = bucket_size_[production]++;
  position_.push_back(member);
  const auto children = tree.children(node);
  for (std::size_t place = 0; place < children.size(); ++place) {
    const std::int32_t child = children[place];
    if (tree.is_leaf(child)) continue;
    const std::int32_t key[] = {production, static_cast<std::int32_t>(place), tree.production[child]};
    const std::int32_t list = match_lists_.intern(key);
    if (static_cast<std::size_t>(list) == matches_.size()) matches_.emplace_back();
    matches_[list].push_back({member, position_[ids[child]]});
  }
}

namespace {

constexpr std::size_t nowhere = SIZE_MAX;

}  // namespace

template <class Real>
void SubsetTreeRow<Real>::add(const TreeView& x, Total<Real>* row) {
  const SubsetTreeParameters& parameters = index_.parameters();
  arena_.clear();
  place_.resize(x.size);
  low_.resize(x.size);
  std::int32_t production_end = 0;
  for (std::int32_t v = 0; v < x.size; ++v) production_end = std::max(production_end, x.production[v] + 1);
  if (static_cast<std::size_t>(production_end) > occurrences_.size()) {
    occurrences_.resize(production_end, 0);
    sum_of_.resize(production_end, -1);
  }
  for (std::int32_t v = 0; v < x.size; ++v)
    if (!x.is_leaf(v)) ++occurrences_[x.production[v]];

  std::size_t sums_used = 0;
  for (std::int32_t v = 0; v < x.size; ++v) {
    place_[v] = nowhere;
    if (x.is_leaf(v)) {
      low_[v] = arena_.top();
      if (!parameters.bag_of_words) continue;
      if (const auto* trees = index_.leaf_postings(x.label[v]))
        for (std::int32_t tree : *trees) row[tree] += parameters.decay;
      continue;
    }
    low_[v] = low_[x.children(v)[0]];
    const std::int32_t production = x.production[v];
    const std::int32_t bucket_size = index_.bucket_size(production);
    if (bucket_size == 0) {
      occurrences_[production] = 0;
      continue;
    }
    compute(x, v, bucket_size);
    const Real* d = arena_.at(place_[v]);
    std::int32_t& left = occurrences_[production];
    if (sum_of_[production] < 0) {
      if (left == 1) {  // the only node of its production
        add_postings(production, d, row);
        left = 0;
        continue;
      }
      sum_of_[production] = static_cast<std::int32_t>(sums_used++);
      if (sums_.size() < sums_used) sums_.emplace_back();
      sums_[sums_used - 1].assign(d, d + bucket_size);
    } else {
      Real* sum = sums_[sum_of_[production]].data();
      for (std::int32_t s = 0; s < bucket_size; ++s) sum[s] += d[s];
      if (left == 1) {
        add_postings(production, sum, row);
        sum_of_[production] = -1;
      }
    }
    --left;
  }
}

template <class Real>
void SubsetTreeRow<Real>::compute(const TreeView& x, std::int32_t node, std::int32_t bucket_size) {
  const std::size_t place = arena_.take(bucket_size);
  Real* const d = arena_.at(place);
  std::fill(d, d + bucket_size, static_cast<Real>(index_.parameters().decay));
  const auto children = x.children(node);
  for (std::size_t i = 0; i < children.size(); ++i) {
    const std::int32_t child = children[i];
    if (place_[child] == nowhere) continue;
    const Real* const below = arena_.at(place_[child]);
    for (const auto match :
         index_.matches(x.production[node], static_cast<std::int32_t>(i), x.production[child]))
      d[match.member] *= Real(1) + below[match.child];
  }
  place_[node] = arena_.settle(place, bucket_size, low_[node]);
}

template <class Real>
void SubsetTreeRow<Real>::add_postings(std::int32_t production, const Real* d, Total<Real>* row) {
  const SubsetTreeIndex::Postings& postings = index_.postings(production);
  const std::size_t n = postings.tree.size();
  const std::int32_t* const tree = postings.tree.data();
  const std::int32_t* const position = postings.position.data();
  if (index_.bucket_size(production) == 1) {
    const auto value = static_cast<Total<Real>>(d[0]);
    for (std::size_t e = 0; e < n; ++e) row[tree[e]] += value;
  } else {
    for (std::size_t e = 0; e < n; ++e) row[tree[e]] += static_cast<Total<Real>>(d[position[e]]);
  }
}

template class SubsetTreeRow<float>;
template class SubsetTreeRow<double>;
template class SubsetTreeRow<Wide>;

bool single_suffices(const TreeView& x, const SubsetTreeParameters& parameters) {
  // D(n, s) <= D(n, n), and an error in a child's D counts by its share in 1 + D, which grows with D: so the
  // errors of D(n, n) bound all others. One rounding for each factor, and one for decay. Sums of D with one
  // production are single too; sums over productions are double.
  constexpr double rounding = 6e-8, allowed = 9e-6, largest = 1e30, smallest = 1e-30;
  if (parameters.decay < smallest) return false;
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

}  // namespace hedgerow
