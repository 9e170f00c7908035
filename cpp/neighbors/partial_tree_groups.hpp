// Groups of partial-tree fragments: short paths downwards, each alone, and all others by the label at the
// top.
//
// With the usual decays most of what trees share are small fragments, and of these most are paths. A path is
// one feature, so its group bounds nothing away; only what is left is bounded by the product of lengths.
#pragma once

#include <vector>

#include "data/forest.hpp"
#include "data/sequence_table.hpp"
#include "kernels/tree_pairs.hpp"
#include "kernels/tree_parameters.hpp"
#include "neighbors/group_squares.hpp"

namespace hedgerow::neighbors {

// One for each thread.
class PartialTreeGroups {
 public:
  static constexpr int longest = 3;  // nodes of a path

  PartialTreeGroups(const kernels::PartialTreeParameters& parameters, const data::Symbols& symbols)
      : parameters_(parameters), pairs_(parameters, symbols) {}

  // `own` is a tree in its own vocabulary, `known` the same tree in another one, by which groups are named;
  // those that it has no names for are left out.
  void collect(const data::TreeView& own, const data::TreeView& known, GroupSquares& squares);

 private:
  struct Path {
    std::int32_t bottom, nodes;  // where it occurs first
    double count;
  };
  struct Top {
    std::int32_t node;          // of this label, the first
    double all = 0, paths = 0;  // what fragments with this label at the top share with themselves
  };

  void count_paths(const data::TreeView& own);
  void sum_by_top(const data::TreeView& own);

  kernels::PartialTreeParameters parameters_;
  kernels::PartialTreePairs pairs_;
  std::vector<double> values_;                  // by node
  std::vector<std::int32_t> parent_;            // by node; -1 at the top
  data::SequenceTable<std::int32_t> path_ids_;  // labels upwards
  std::vector<Path> paths_;
  data::SequenceTable<std::int32_t> top_ids_;  // a label
  std::vector<Top> tops_;
  std::vector<std::int32_t> key_;
};

}  // namespace hedgerow::neighbors
