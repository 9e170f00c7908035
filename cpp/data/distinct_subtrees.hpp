// The distinct subtrees of a forest: what many trees have in common is there once.
#pragma once

#include <cstdint>
#include <vector>

#include "data/forest.hpp"

namespace hedgerow::data {

// Subtrees in order of first occurrence, so that children come before their parents.
struct DistinctSubtrees {
  std::vector<std::int32_t> label, height;  // of each subtree: its root's label; 0 for a leaf
  std::vector<std::int64_t> child_begin{0};
  std::vector<std::int32_t> child;           // those of subtree s: [child_begin[s], child_begin[s + 1])
  std::vector<std::int32_t> of_node;         // of each node of the forest: its subtree
  std::vector<std::int64_t> parent_of_node;  // the node above, counted in the whole forest; -1 for a root
};

DistinctSubtrees distinct_subtrees(const Forest& forest);

}  // namespace hedgerow::data
