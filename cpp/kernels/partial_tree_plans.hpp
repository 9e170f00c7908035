// How the children of a node match those of the productions of an index.
//
// For a node of x, which pairs of children match is the same for all subtrees of one production, and the same
// for all nodes of x with one production: it is worked out once and kept.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "data/forest.hpp"
#include "kernels/partial_tree_index.hpp"
#include "kernels/partial_tree_loops.hpp"
#include "kernels/wide.hpp"

namespace hedgerow::kernels {

template <class Real>
class PartialTreePlans {
 public:
  // A pair of matching children.
  struct Cell {
    std::int32_t left, right;  // which child of the x node, which child of the production
    std::int32_t first_earlier, n_earlier;
  };
  // How the children of one production of x match those of the members of a block.
  struct Match {
    std::int32_t block;
    std::int32_t first_cell, n_cells;  // no cells: too many to list, or lengths are bounded
  };
  // Subtrees from blocks of one member that match in the same way, laid out as a block is. The capacity is a
  // multiple of PartialTreeIndex::lanes.
  struct Gathered {
    std::int32_t pattern, first_cell, n_cells;
    std::int32_t capacity = 0;
    std::vector<std::int32_t> positions{};        // in the bucket
    std::vector<std::int32_t> child_positions{};  // cell by cell
  };
  struct Plan {
    std::vector<std::int32_t> child_labels;  // distinct
    std::vector<std::size_t> seen;           // for each: how many of its blocks_with_child were looked at
    std::int32_t seen_blocks = 0;            // of the bucket, when it was looked at
    bool all_known = true;                   // whether the index's vocabulary had all labels
    std::vector<Match> matches;
    std::vector<Gathered> gathered;
    std::size_t gathered_bytes = 0;
    std::int32_t only_block = PartialTreeIndex::none;  // the one that matches, when there is no other
    std::size_t bytes() const;
  };

  explicit PartialTreePlans(const PartialTreeIndex& index) : index_(index) {}

  // The plan for a node of x, which holds until the next call. Nodes of equal production (any number but
  // no_production) must have children with equal labels; labels that the index does not know are negative.
  const Plan& plan_for(const data::TreeView& x, std::int32_t node, const PartialTreeIndex::Bucket& bucket);
  const Cell* cells() const { return cells_.data(); }
  const EarlierCell<Real>* earlier() const { return earlier_.data(); }
  // Drops the plans of negative productions: the same numbers will mean others.
  void forget_unknown();

 private:
  void extend(Plan& plan, const data::TreeView& x, std::int32_t node);
  void add_block(Plan& plan, const data::TreeView& x, std::int32_t node, std::int32_t block);
  // Lists the matching pairs of children in pairs_; returns false when they are not to be listed.
  bool find_pairs(const data::TreeView& x, std::int32_t node, std::span<const std::int32_t> labels);
  // The pattern of pairs_.
  std::int32_t pattern();
  void gather(Plan& plan, std::int32_t pattern, const PartialTreeIndex::Block& block);
  // The plan's subtrees of this pattern.
  Gathered& gathered_as(Plan& plan, std::int32_t pattern);

  const PartialTreeIndex& index_;
  std::unordered_map<std::int32_t, Plan> plans_;  // by production of x
  std::size_t bytes_ = 0;
  data::SequenceTable<std::int32_t> patterns_;  // pairs of matching children, see pair_of
  struct Recent {
    std::uint64_t key = 0;
    std::int32_t pattern = 0;
  };
  std::array<Recent, 1024> recent_{};     // patterns that were looked up, by a hash of their key
  std::vector<std::int32_t> first_cell_;  // by pattern
  std::vector<Cell> cells_;
  std::vector<EarlierCell<Real>> earlier_;
  std::vector<std::int32_t> pairs_;        // scratch
  std::vector<double> powers_;             // of decay
  std::vector<std::int64_t> block_stamp_;  // by block: the extension of a plan that met it last
  std::int64_t extensions_ = 0;
  struct Place {
    std::int64_t extension = 0;  // for which it holds
    std::int32_t place = 0;
  };
  std::vector<Place> place_of_pattern_;  // in the list of the plan that is extended
  std::int64_t last_placed_ = 0;         // the extension for which places are known
};

extern template class PartialTreePlans<float>;
extern template class PartialTreePlans<double>;
extern template class PartialTreePlans<Wide>;

}  // namespace hedgerow::kernels
