// The distinct subtrees of many trees, laid out for the partial tree kernel.
//
// Every distinct subtree is kept once, in the bucket of its label and there in the group of its production,
// so that all members of a group share the labels of their children.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "data/forest.hpp"
#include "kernels/tree_parameters.hpp"

namespace hedgerow {

class PartialTreeIndex {
 public:
  // Distinct subtrees of one production: positions [first, first + size) in the bucket of the label. Member s
  // has its child c at child_positions(group)[c * capacity + s], a position in the bucket of that child's
  // label. Large groups have a capacity that is a multiple of `lanes`, so that loops may run over the end
  // (child positions there are 0). Small on purpose: rows visit many groups.
  struct Group {
    std::int32_t first = 0, size = 0, capacity = 0;
    std::int64_t child_positions = 0;  // where they start in the common array
  };
  struct Postings {
    std::vector<std::int32_t> tree, position;
  };
  struct Bucket {
    std::int32_t size = 0;            // positions taken by the distinct subtrees with this label at the root
    std::int32_t leaf_position = -1;  // of the one that is a leaf
    // Every node with this label, by its rank among those of its tree (0, 1, 2, or more). Within a list trees
    // differ, so that adding to a row does not have to wait for the addition before.
    std::array<Postings, 4> nodes;
    std::int32_t last_tree = -1, last_rank = 0;  // of the node added last
  };
  static constexpr std::int32_t lanes = 8;

  // An index for the trees of a forest (which must outlive it); they join it one by one.
  PartialTreeIndex(const PartialTreeParameters& parameters, const Forest& forest);

  // Adds the tree number size().
  void insert_next();
  std::int32_t size() const { return size_; }
  const PartialTreeParameters& parameters() const { return parameters_; }

  // Null for labels that no tree of the index has.
  const Bucket* bucket(std::int32_t label) const {
    const bool known = static_cast<std::size_t>(label) < buckets_.size();
    return known && !buckets_[label].nodes[0].tree.empty() ? &buckets_[label] : nullptr;
  }
  // Groups go by the id of their production.
  const Group& group(std::int32_t id) const { return groups_[id]; }
  const std::int32_t* child_positions(const Group& group) const {
    return child_positions_.data() + group.child_positions;
  }
  std::span<const std::int32_t> child_labels(std::int32_t group) const {
    return forest_.symbols->productions[group].subspan(1);
  }
  // Trees in which members of the group occur, once for each time.
  const std::vector<std::int32_t>& trees_with(std::int32_t group) const { return group_trees_[group]; }
  // Groups, in order of arrival, under `label` that have a child labelled `child`; null when there are none.
  const std::vector<std::int32_t>* groups_with_child(std::int32_t label, std::int32_t child) const {
    const std::int32_t key[] = {label, child};
    const std::int32_t id = child_lists_.find(key);
    return id < 0 ? nullptr : &groups_with_child_[id];
  }

 private:
  void number_subtrees();
  void add_subtree(const TreeView& tree, std::int32_t node, const std::int32_t* ids);

  PartialTreeParameters parameters_;
  const Forest& forest_;
  std::int32_t size_ = 0;
  std::vector<std::int32_t> subtree_;   // id of the subtree under each node of the forest
  std::vector<std::int32_t> position_;  // of a subtree in the bucket of its label; -1 before it was inserted
  std::vector<Bucket> buckets_;         // by label
  std::vector<Group> groups_;           // by production; with a size once inserted
  std::vector<std::int32_t> child_positions_;
  std::vector<std::vector<std::int32_t>> group_trees_;
  SequenceTable<std::int32_t> child_lists_;  // label, label of a child
  std::vector<std::vector<std::int32_t>> groups_with_child_;
};

}  // namespace hedgerow
