#include "kernels/partial_tree_index.hpp"

#include <algorithm>

namespace hedgerow {

PartialTreeIndex::PartialTreeIndex(const PartialTreeParameters& parameters, const Forest& forest)
    : parameters_(parameters),
      forest_(forest),
      buckets_(forest.symbols->labels.size()),
      groups_(forest.symbols->productions.size()),
      group_trees_(groups_.size()) {
  number_subtrees();
  // Give every production a range of positions for its distinct subtrees.
  for (std::int32_t p = 0; p < forest.symbols->productions.size(); ++p) {
    Group& group = groups_[p];
    if (group.capacity == 0) continue;
    if (group.capacity >= lanes) group.capacity = (group.capacity + lanes - 1) / lanes * lanes;
    group.child_positions = static_cast<std::int64_t>(child_positions_.size());
    child_positions_.resize(child_positions_.size() + child_labels(p).size() * group.capacity, 0);
    Bucket& bucket = buckets_[forest.symbols->productions[p][0]];
    group.first = bucket.size;
    bucket.size += group.capacity;
  }
}

// Numbers the distinct subtrees, and counts those of every production in the capacity of its group.
void PartialTreeIndex::number_subtrees() {
  SequenceTable<std::int32_t> subtrees;  // label, then the ids of the children
  std::vector<std::int32_t> key;
  subtree_.resize(forest_.node_count());
  for (std::int64_t t = 0; t < forest_.size(); ++t) {
    const TreeView tree = forest_[t];
    std::int32_t* const ids = subtree_.data() + forest_.tree_begin[t];
    for (std::int32_t v = 0; v < tree.size; ++v) {
      key.assign(1, tree.label[v]);
      for (std::int32_t child : tree.children(v)) key.push_back(ids[child]);
      const std::int32_t known = subtrees.size();
      ids[v] = subtrees.intern(key);
      if (ids[v] < known) continue;
      if (tree.is_leaf(v))
        buckets_[tree.label[v]].leaf_position = buckets_[tree.label[v]].size++;
      else
        ++groups_[tree.production[v]].capacity;
    }
  }
  position_.assign(subtrees.size(), -1);
}

void PartialTreeIndex::insert_next() {
  const TreeView tree = forest_[size_];
  const std::int32_t* const ids = subtree_.data() + forest_.tree_begin[size_];
  for (std::int32_t v = 0; v < tree.size; ++v) {
    if (position_[ids[v]] < 0) add_subtree(tree, v, ids);
    Bucket& bucket = buckets_[tree.label[v]];
    bucket.last_rank = bucket.last_tree == size_ ? std::min(bucket.last_rank + 1, 3) : 0;
    bucket.last_tree = size_;
    Postings& postings = bucket.nodes[bucket.last_rank];
    postings.tree.push_back(size_);
    postings.position.push_back(position_[ids[v]]);
    if (!tree.is_leaf(v)) group_trees_[tree.production[v]].push_back(size_);
  }
  ++size_;
}

void PartialTreeIndex::add_subtree(const TreeView& tree, std::int32_t node, const std::int32_t* ids) {
  if (tree.is_leaf(node)) {
    position_[ids[node]] = buckets_[tree.label[node]].leaf_position;
    return;
  }
  const std::int32_t production = tree.production[node];
  Group& group = groups_[production];
  if (group.size == 0)
    for (std::int32_t child_label : child_labels(production)) {
      const std::int32_t key[] = {tree.label[node], child_label};
      const std::int32_t list = child_lists_.intern(key);
      if (static_cast<std::size_t>(list) == groups_with_child_.size()) groups_with_child_.emplace_back();
      auto& groups = groups_with_child_[list];
      if (groups.empty() || groups.back() != production) groups.push_back(production);
    }
  const auto children = tree.children(node);
  for (std::size_t c = 0; c < children.size(); ++c)
    child_positions_[group.child_positions + c * group.capacity + group.size] = position_[ids[children[c]]];
  position_[ids[node]] = group.first + group.size++;
}

}  // namespace hedgerow
