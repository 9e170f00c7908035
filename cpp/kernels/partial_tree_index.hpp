// The collapsed evaluation of the partial tree kernel: one tree against many.
//
// Every distinct subtree is kept once, in the bucket of its label and there in the group of its production,
// so that all members of a group share the labels of their children. For a node n of x, which pairs of
// children match is then the same for a whole group and is worked out once for each production of x (a plan);
// D(n, .) over a group is a few contiguous loops. D(n, s) differs from a constant only for groups that share
// a child's label with n.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "data/forest.hpp"
#include "kernels/arena.hpp"
#include "kernels/child_sequences.hpp"
#include "kernels/tree_parameters.hpp"
#include "kernels/wide.hpp"

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

// A cell that may come before another in a common subsequence of children, and decay^gaps between the two.
template <class Real>
struct EarlierCell {
  std::int32_t cell;
  Real factor;
};

// Scratch memory and code to compare a tree with all trees of an index. One for each thread. The index may
// grow between calls.
template <class Real>
class PartialTreeRow {
 public:
  explicit PartialTreeRow(const PartialTreeIndex& index) : index_(index) {}

  // Adds K(x, tree t) to row[t] for every tree of the index.
  void add(const TreeView& x, Total<Real>* row);

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
  void add_internal(const TreeView& x, std::int32_t node, const PartialTreeIndex::Bucket& bucket,
                    Total<Real>* row);
  // d[s] = base + extra and sum[s] += extra for all members s of the matched group, where
  // extra = vertical_decay * S(node, member s)
  void evaluate(const Plan& plan, const Match& match, const TreeView& x, std::int32_t node, Real* d,
                Real* sum);
  Real evaluate_member(const Plan& plan, const Match& match, const TreeView& x, std::int32_t node,
                       std::int32_t s);
  Real by_recursion(std::int32_t group_id, const TreeView& x, std::int32_t node, std::int32_t s);
  Real value(const Vector& vector, std::int32_t position);
  void add_label(const PartialTreeIndex::Bucket& bucket, LabelSum& sum, Total<Real>* row);

  const PartialTreeIndex& index_;
  std::unordered_map<std::int32_t, Plan> plans_;  // by production of x
  std::size_t plan_bytes_ = 0;
  Arena<Real> arena_;
  std::vector<Vector> vector_;             // by node
  std::vector<std::size_t> low_;           // by node
  ChildSequenceScratch<Real> scratch_;     // of by_recursion
  std::vector<double> powers_;             // of decay
  std::vector<std::int64_t> group_stamp_;  // by group: the extension of a plan that met it last
  std::int64_t extensions_ = 0;
  std::vector<std::int32_t> sum_of_label_;  // place in sums_; -1 for labels that x lacks
  std::vector<std::int32_t> labels_;        // of x, each once
  std::vector<LabelSum> sums_;
};

// Whether single precision keeps K(x, .) within a relative error of 1e-5.
bool single_suffices(const TreeView& x, const PartialTreeParameters& parameters);

extern template class PartialTreeRow<float>;
extern template class PartialTreeRow<double>;
extern template class PartialTreeRow<Wide>;

}  // namespace hedgerow
