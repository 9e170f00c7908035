#include "kernels/subset_tree_index.hpp"

#include <algorithm>

#include "parallel.hpp"

namespace hedgerow {

void SubsetTreeIndex::insert(const TreeView& tree) {
  ids_.assign(tree.size, -1);
  for (std::int32_t v = 0; v < tree.size; ++v) {
    if (tree.is_leaf(v)) {
      if (parameters_.bag_of_words) {
        const auto label = static_cast<std::size_t>(tree.label[v]);
        if (label >= leaves_.size()) leaves_.resize(label + 1);
        leaves_[label].push_back(size_);
      }
      continue;
    }
    const std::int32_t production = tree.production[v];
    key_.assign(1, production);
    for (std::int32_t child : tree.children(v)) key_.push_back(ids_[child]);
    const std::int32_t id = subtrees_.intern(key_);
    ids_[v] = id;
    if (id == static_cast<std::int32_t>(position_.size())) add_to_bucket(production, tree, v);
    postings_[production].tree.push_back(size_);
    postings_[production].position.push_back(position_[id]);
  }
  ++size_;
}

void SubsetTreeIndex::add_to_bucket(std::int32_t production, const TreeView& tree, std::int32_t node) {
  if (static_cast<std::size_t>(production) >= buckets_.size()) {
    buckets_.resize(production + 1);
    postings_.resize(production + 1);
  }
  Bucket& bucket = buckets_[production];
  const auto children = tree.children(node);
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (tree.is_leaf(children[i])) continue;
    const auto same = [&](const Slot& s) { return s.child == static_cast<std::int32_t>(i); };
    auto slot = std::find_if(bucket.slots.begin(), bucket.slots.end(), same);
    if (slot == bucket.slots.end()) {
      bucket.slots.push_back({static_cast<std::int32_t>(i), {}, {}});
      slot = bucket.slots.end() - 1;
    }
    slot->production.resize(bucket.size, no_production);  // earlier subtrees had a leaf here
    slot->position.resize(bucket.size, 0);
    slot->production.push_back(tree.production[children[i]]);
    slot->position.push_back(position_[ids_[children[i]]]);
  }
  ++bucket.size;
  for (Slot& slot : bucket.slots) {
    slot.production.resize(bucket.size, no_production);
    slot.position.resize(bucket.size, 0);
  }
  position_.push_back(bucket.size - 1);
}

namespace {

// d[s] *= 1 + child[position[s]] where production[s] == wanted
template <class Real>
HEDGEROW_INLINE void multiply_matching_body(Real* __restrict d, std::int32_t n, const std::int32_t* __restrict production,
                                            const std::int32_t* __restrict position, std::int32_t wanted,
                                            const Real* __restrict child) {
  for (std::int32_t s = 0; s < n; ++s) {
    const Real more = production[s] == wanted ? child[position[s]] : Real(0);
    d[s] += d[s] * more;
  }
}

// The same when the child's bucket holds one subtree: d[s] *= 1 + value where production[s] == wanted
template <class Real>
HEDGEROW_INLINE void multiply_matching_one_body(Real* __restrict d, std::int32_t n,
                                                const std::int32_t* __restrict production, std::int32_t wanted,
                                                Real value) {
  for (std::int32_t s = 0; s < n; ++s) d[s] += production[s] == wanted ? d[s] * value : Real(0);
}

HEDGEROW_CLONES void multiply_matching(float* d, std::int32_t n, const std::int32_t* production,
                                       const std::int32_t* position, std::int32_t wanted, const float* child) {
  multiply_matching_body(d, n, production, position, wanted, child);
}
HEDGEROW_CLONES void multiply_matching(double* d, std::int32_t n, const std::int32_t* production,
                                       const std::int32_t* position, std::int32_t wanted, const double* child) {
  multiply_matching_body(d, n, production, position, wanted, child);
}
HEDGEROW_CLONES void multiply_matching_one(float* d, std::int32_t n, const std::int32_t* production,
                                           std::int32_t wanted, float value) {
  multiply_matching_one_body(d, n, production, wanted, value);
}
HEDGEROW_CLONES void multiply_matching_one(double* d, std::int32_t n, const std::int32_t* production,
                                           std::int32_t wanted, double value) {
  multiply_matching_one_body(d, n, production, wanted, value);
}

constexpr std::size_t nowhere = SIZE_MAX;

}  // namespace

template <class Real>
void SubsetTreeRow<Real>::add(const TreeView& x, double* row) {
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
    const auto* bucket = index_.bucket(production);
    if (!bucket) {
      occurrences_[production] = 0;
      continue;
    }
    compute(x, v, *bucket);
    const Real* d = arena_.at(place_[v]);
    std::int32_t& left = occurrences_[production];
    if (sum_of_[production] < 0) {
      if (left == 1) {  // the only node of its production
        add_postings(production, *bucket, d, row);
        left = 0;
        continue;
      }
      sum_of_[production] = static_cast<std::int32_t>(sums_used++);
      if (sums_.size() < sums_used) sums_.emplace_back();
      sums_[sums_used - 1].assign(d, d + bucket->size);
    } else {
      Real* sum = sums_[sum_of_[production]].data();
      for (std::int32_t s = 0; s < bucket->size; ++s) sum[s] += d[s];
      if (left == 1) {
        add_postings(production, *bucket, sum, row);
        sum_of_[production] = -1;
      }
    }
    --left;
  }
}

template <class Real>
void SubsetTreeRow<Real>::compute(const TreeView& x, std::int32_t node, const SubsetTreeIndex::Bucket& bucket) {
  const std::size_t place = arena_.take(bucket.size);
  Real* const d = arena_.at(place);
  std::fill(d, d + bucket.size, static_cast<Real>(index_.parameters().decay));
  const auto children = x.children(node);
  for (const SubsetTreeIndex::Slot& slot : bucket.slots) {
    const std::int32_t child = children[slot.child];
    if (place_[child] == nowhere) continue;
    const std::int32_t wanted = x.production[child];
    const Real* const below = arena_.at(place_[child]);
    if (index_.bucket(wanted)->size == 1)
      multiply_matching_one(d, bucket.size, slot.production.data(), wanted, below[0]);
    else
      multiply_matching(d, bucket.size, slot.production.data(), slot.position.data(), wanted, below);
  }
  place_[node] = arena_.settle(place, bucket.size, low_[node]);
}

template <class Real>
void SubsetTreeRow<Real>::add_postings(std::int32_t production, const SubsetTreeIndex::Bucket& bucket, const Real* d,
                                       double* row) {
  const SubsetTreeIndex::Postings& postings = index_.postings(production);
  const std::size_t n = postings.tree.size();
  const std::int32_t* const tree = postings.tree.data();
  const std::int32_t* const position = postings.position.data();
  if (bucket.size == 1) {
    const double value = d[0];
    for (std::size_t e = 0; e < n; ++e) row[tree[e]] += value;
  } else {
    for (std::size_t e = 0; e < n; ++e) row[tree[e]] += static_cast<double>(d[position[e]]);
  }
}

template class SubsetTreeRow<float>;
template class SubsetTreeRow<double>;

bool single_suffices(const TreeView& x, const SubsetTreeParameters& parameters) {
  // D(n, s) <= D(n, n), and an error in a child's D counts by its share in 1 + D, which grows with D: so the errors
  // of D(n, n) bound all others. One rounding for each factor, and one for decay. Sums of D with one production are
  // single too; sums over productions are double.
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
