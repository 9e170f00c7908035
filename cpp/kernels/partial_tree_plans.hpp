// How the children of a node match those of the productions of an index.
//
// For a node of x, which pairs of children match is the same for all subtrees of one production, and the same
// for all nodes of x with one production: it is worked out once and kept.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "data/forest.hpp"
#include "kernels/partial_tree_index.hpp"
#include "kernels/wide.hpp"

namespace hedgerow {

template <class Real>
class PartialTreePlans {
 public:
  static constexpr std::int32_t most_cells = 64;  // pairs of matching children that a plan lists

  // A cell that may come before another in a common subsequence of children, and decay^gaps between the two.
  struct EarlierCell {
    std::int32_t cell;
    Real factor;
  };
  // A pair of matching children.
  struct Cell {
    std::int32_t left, right;  // which child of the x node, which child of the production
    std::int32_t first_earlier, n_earlier;
  };
  // How the children of one production of x match those of a production of the index.
  struct Match {
    std::int32_t block;                // the first one of the production
    std::int32_t first_cell, n_cells;  // no cells: too many to list, or lengths are bounded
  };
  struct Plan {
    std::vector<std::int32_t> child_labels;  // distinct
    std::vector<std::size_t> seen;           // for each: how many of its blocks_with_child were looked at
    std::int32_t placed_productions = 0;     // of the index, when it was looked at
    bool all_known = true;                   // whether the index's vocabulary had all labels
    std::vector<Match> matches;
    std::size_t bytes() const;
  };

  explicit PartialTreePlans(const PartialTreeIndex& index) : index_(index) {}

  // The plan for a node of x, which holds until the next call. Nodes of equal production (any number but
  // no_production) must have children with equal labels; labels that the index does not know are negative.
  const Plan& plan_for(const TreeView& x, std::int32_t node);
  const Cell* cells(const Match& match) const { return cells_.data() + match.first_cell; }
  const EarlierCell* earlier() const { return earlier_.data(); }
  // Drops the plans of negative productions: the same numbers will mean others.
  void forget_unknown();

 private:
  void extend(Plan& plan, const TreeView& x, std::int32_t node);
  // Lists the matching pairs of children in pairs_; returns false when they are not to be listed.
  bool find_pairs(const TreeView& x, std::int32_t node, std::span<const std::int32_t> labels);
  void add_pattern();

  const PartialTreeIndex& index_;
  std::unordered_map<std::int32_t, Plan> plans_;  // by production of x
  std::size_t bytes_ = 0;
  SequenceTable<std::int32_t> patterns_;  // pairs of matching children, see pair_of
  std::vector<std::int32_t> first_cell_;  // by pattern
  std::vector<Cell> cells_;
  std::vector<EarlierCell> earlier_;
  std::vector<std::int32_t> pairs_;        // scratch
  std::vector<double> powers_;             // of decay
  std::vector<std::int64_t> block_stamp_;  // by block: the extension of a plan that met it last
  std::int64_t extensions_ = 0;
};

extern template class PartialTreePlans<float>;
extern template class PartialTreePlans<double>;
extern template class PartialTreePlans<Wide>;

}  // namespace hedgerow
