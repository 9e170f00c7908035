// The flat pairwise evaluation: one pair of trees at a time, node pair by node pair.
//
// It serves single pairs, self-kernels, and the tests as an oracle; rows and Gram matrices come from the
// collapsed indices, which share work between trees.
#pragma once

#include "data/forest.hpp"
#include "kernels/arena.hpp"
#include "kernels/child_sequences.hpp"
#include "kernels/tree_parameters.hpp"

namespace hedgerow::kernels {

// Nodes of one tree grouped by a key (production or label) from a known range.
class NodeGroups {
 public:
  struct Group {
    std::int32_t begin = 0, size = 0;
  };

  explicit NodeGroups(std::int32_t keys) : group_(keys) {}
  // Groups nodes with key >= 0.
  void assign(const std::int32_t* key, std::int32_t nodes);

  Group of(std::int32_t key) const { return group_[key]; }
  const std::int32_t* nodes(Group group) const { return order_.data() + group.begin; }
  std::int32_t rank(std::int32_t node) const { return rank_[node]; }  // place within its group

 private:
  std::vector<Group> group_;  // by key; size 0 for keys that do not occur
  std::vector<std::int32_t> used_, order_, rank_;
};

// All trees must share one vocabulary; what a left tree has beside it is numbered below 0 and matches
// nothing.
class SubsetTreePairs {
 public:
  SubsetTreePairs(const SubsetTreeParameters& parameters, const data::Symbols& symbols)
      : parameters_(parameters),
        groups_(symbols.productions.size()),
        leaves_(symbols.labels.size(), 0),
        last_(symbols.productions.size(), -1) {}

  void set_left(const data::TreeView& tree);
  double with(const data::TreeView& right);
  // Forgets the left tree.
  double with_itself(const data::TreeView& tree);

 private:
  // A node of a tree that is compared with itself.
  struct OwnNode {
    std::size_t place = 0;     // of its D with the nodes of its production up to itself
    std::int32_t rank = 0;     // how many these are but for itself
    std::int32_t before = -1;  // the last of them
  };
  double value_of_own(std::int32_t earlier, std::int32_t later) {
    return arena_.at(own_[later].place)[own_[earlier].rank];
  }

  SubsetTreeParameters parameters_;
  data::TreeView left_;
  NodeGroups groups_;
  std::vector<std::int32_t> leaves_;  // how often a label is a leaf of the left tree
  Arena<double> arena_;
  std::vector<std::size_t> place_, low_;
  std::vector<std::int32_t>
      last_;  // by production: the last node so far of the tree that is compared with itself
  std::vector<OwnNode> own_;
};

class PartialTreePairs {
 public:
  PartialTreePairs(const PartialTreeParameters& parameters, const data::Symbols& symbols)
      : parameters_(parameters), groups_(symbols.labels.size()) {}

  void set_left(const data::TreeView& tree);
  double with(const data::TreeView& right);
  double with_itself(const data::TreeView& tree) {
    set_left(tree);
    return with(tree);
  }

 private:
  PartialTreeParameters parameters_;
  data::TreeView left_;
  NodeGroups groups_;
  Arena<double> arena_;
  std::vector<std::size_t> place_, low_;
  ChildSequenceScratch<double> scratch_;
};

}  // namespace hedgerow::kernels
