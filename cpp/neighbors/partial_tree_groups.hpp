// Groups of partial-tree fragments: short paths downwards, each alone, and all others by the label at the
// top.
//
// With the usual decays most of what trees share are small fragments, and of these most are paths. A path is
// one feature, so its group bounds nothing away; only what is left is bounded by the product of lengths.
#pragma once

#include <vector>

#include "data/forest.hpp"
#include "data/sequence_table.hpp"
#include "kernels/lone_tree.hpp"
#include "kernels/tree_parameters.hpp"
#include "neighbors/group_squares.hpp"

namespace hedgerow::neighbors {

// One for each thread. Numbers are doubles, or Wide for trees that are beyond their range.
template <class Number>
class PartialTreeGroups {
 public:
  static constexpr int longest = 3;  // nodes of a path

  explicit PartialTreeGroups(const kernels::PartialTreeParameters& parameters) : parameters_(parameters) {}

  // K(tree, tree).
  Number self(kernels::LoneTree<kernels::PartialTreeParameters>& tree);
  // After `self`, of the same tree: `known` is the tree in another vocabulary, by which groups are named;
  // those that it has no names for are left out.
  void collect(const data::TreeView& own, const data::TreeView& known, GroupSquares<Number>& squares);

 private:
  struct Path {
    std::int32_t bottom, nodes;  // where it occurs first
    double count;
  };
  struct Top {
    Number all = 0, paths = 0;  // what fragments with a label at the top share with themselves
    std::int32_t name = -1;     // of the label
  };

  void count_paths(const data::TreeView& own);

  kernels::PartialTreeParameters parameters_;
  std::vector<std::int32_t> parent_;            // by node; -1 at the top
  data::SequenceTable<std::int32_t> path_ids_;  // labels upwards
  std::vector<Path> paths_;
  std::vector<Number> of_label_;
  std::vector<Top> tops_;  // by label
  std::vector<std::int32_t> key_;
};

extern template class PartialTreeGroups<double>;
extern template class PartialTreeGroups<kernels::Wide>;

}  // namespace hedgerow::neighbors
