// The collapsed evaluation of the partial tree kernel: one tree against many.
//
// Every distinct subtree is kept once, in the bucket of its label and there in the group of its production, so that
// all members of a group share the labels of their children. For a node n of x, which pairs of children match is
// then the same for a whole group and is worked out once for each production of x (a plan); D(n, .) over a group is a
// few contiguous loops. D(n, s) differs from a constant only for groups that share a child's label with n.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "data/forest.hpp"
#include "kernels/arena.hpp"
#include "kernels/tree_parameters.hpp"

namespace hedgerow {

class PartialTreeIndex {
 public:
  // Distinct subtrees of one production. Member s has children at child_position[c * capacity + s], each a position
  // in the bucket of that child's label; the arrays are padded, with valid positions, to a multiple of eight.
  struct Group {
    std::int32_t size = 0, capacity = 0;
    std::vector<std::int32_t> child_label;
    std::vector<std::int32_t> child_position;
    std::vector<std::int32_t> position;  // of member s in the bucket of the label
    std::vector<std::int32_t> trees;     // where members occur, in order, once for each time
  };
  // What a tree has of one label.
  struct Count {
    std::int32_t tree, internal, leaves;
  };
  struct Bucket {
    std::int32_t size = 0;            // distinct subtrees with this label at the root
    std::int32_t leaf_position = -1;  // of the one that is a leaf
    std::vector<Count> counts;        // in order of trees
    std::vector<std::int32_t> tree, position;  // every node with this label, in order of trees
  };

  explicit PartialTreeIndex(const PartialTreeParameters& parameters) : parameters_(parameters) {}

  // Adds a tree as number size(). All trees must share one (growing) vocabulary.
  void insert(const TreeView& tree);
  std::int32_t size() const { return size_; }
  const PartialTreeParameters& parameters() const { return parameters_; }

  // Null for labels that no tree of the index has.
  const Bucket* bucket(std::int32_t label) const {
    const bool known = static_cast<std::size_t>(label) < buckets_.size();
    return known && buckets_[label].size > 0 ? &buckets_[label] : nullptr;
  }
  const Group& group(std::int32_t id) const { return groups_[id]; }
  // Groups, in order of arrival, under `label` that have a child labelled `child`; null when there are none.
  const std::vector<std::int32_t>* groups_with_child(std::int32_t label, std::int32_t child) const {
    const auto found = groups_with_child_.find(key(label, child));
    return found == groups_with_child_.end() ? nullptr : &found->second;
  }

 private:
  static std::uint64_t key(std::int32_t label, std::int32_t child) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(label)) << 32 | static_cast<std::uint32_t>(child);
  }
  std::int32_t group_of(const TreeView& tree, std::int32_t node);
  void add_member(Group& group, const TreeView& tree, std::int32_t node, std::int32_t position);

  PartialTreeParameters parameters_;
  std::int32_t size_ = 0;
  SequenceTable<std::int32_t> subtrees_;           // label, then the ids of the children
  std::vector<std::int32_t> position_, group_id_;  // of a subtree: in the bucket of its label; -1 for leaves
  std::vector<Bucket> buckets_;                    // by label
  std::vector<Group> groups_;
  std::vector<std::int32_t> group_of_production_;  // -1 where there is none
  std::unordered_map<std::uint64_t, std::vector<std::int32_t>> groups_with_child_;
  std::vector<std::int32_t> ids_, key_;  // scratch: subtree ids of the tree being inserted
};

// A cell that may come before another in a common subsequence of children, and decay^gaps between the two.
template <class Real>
struct EarlierCell {
  std::int32_t cell;
  Real factor;
};

// Scratch memory and code to compare a tree with all trees of an index. One for each thread. The index may grow
// between calls.
template <class Real>
class PartialTreeRow {
 public:
  explicit PartialTreeRow(const PartialTreeIndex& index) : index_(index) {}

  // Adds K(x, tree t) to row[t] for every tree of the index.
  void add(const TreeView& x, double* row);

 private:
  // A pair of matching children.
  struct Cell {
    std::int32_t left, right;  // which child of the x node, which child of the group
    std::int32_t first_earlier, n_earlier;
  };
  // How the children of one production of x match those of one group.
  struct Match {
    std::int32_t group;
    std::int32_t first_cell, n_cells;  // no cells: too many to list, or lengths are bounded; see by_recursion
  };
  struct Plan {
    std::vector<std::int32_t> child_labels;  // distinct
    std::vector<std::size_t> seen;           // for each: how many of its groups_with_child were looked at
    std::vector<Match> matches;
    std::vector<Cell> cells;
    std::vector<EarlierCell<Real>> earlier;
    std::size_t bytes() const;
  };
  // D(n, .) over the bucket of n's label: a vector in the arena, or one value with at most one exception.
  struct Vector {
    bool dense = false;
    std::size_t place = 0;
    Real common = 0, exception = 0;
    std::int32_t exception_position = -1;
  };
  // What the nodes of x with one label add up to.
  struct LabelSum {
    std::int32_t internal = 0, leaves = 0;
    bool dense = false;
    std::vector<Real> sum;
  };

  LabelSum& sum_for(std::int32_t label);
  const Plan& plan_for(const TreeView& x, std::int32_t node);
  void add_match(Plan& plan, const TreeView& x, std::int32_t node, std::int32_t group);
  void add_internal(const TreeView& x, std::int32_t node, const PartialTreeIndex::Bucket& bucket, double* row);
  // extra_[s] = vertical_decay * S(node, member s) for all members of the matched group
  void evaluate(const Plan& plan, const Match& match, const TreeView& x, std::int32_t node);
  void by_recursion(const PartialTreeIndex::Group& group, const TreeView& x, std::int32_t node);
  void add_label(const PartialTreeIndex::Bucket& bucket, LabelSum& sum, double* row);

  const PartialTreeIndex& index_;
  std::unordered_map<std::int32_t, Plan> plans_;  // by production of x
  std::size_t plan_bytes_ = 0;
  Arena<Real> arena_;
  std::vector<Vector> vector_;     // by node
  std::vector<std::size_t> low_;   // by node
  std::vector<Real> extra_;
  std::vector<Real> rows_;                  // scratch of by_recursion
  std::vector<double> powers_;              // of decay
  std::vector<std::int64_t> group_stamp_;   // by group: the extension of a plan that met it last
  std::int64_t extensions_ = 0;
  std::vector<std::int32_t> sum_of_label_;  // place in sums_; -1 for labels that x lacks
  std::vector<std::int32_t> labels_;        // of x, each once
  std::vector<LabelSum> sums_;
};

// Whether single precision keeps K(x, .) within a relative error of 1e-5.
bool single_suffices(const TreeView& x, const PartialTreeParameters& parameters);

extern template class PartialTreeRow<float>;
extern template class PartialTreeRow<double>;

}  // namespace hedgerow
