// The collapsed evaluation of the partial tree kernel: one tree against all trees of an index.
//
// For a node n of x, which pairs of children match is the same for a whole group of subtrees and is worked
// out once for each production of x (a plan); D(n, .) over a group is then a few contiguous loops. D(n, s)
// differs from a constant only for groups that share a child's label with n.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "data/forest.hpp"
#include "kernels/arena.hpp"
#include "kernels/child_sequences.hpp"
#include "kernels/partial_tree_index.hpp"
#include "kernels/tree_parameters.hpp"
#include "kernels/wide.hpp"

namespace hedgerow {

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
