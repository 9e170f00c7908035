#include "data/distinct_subtrees.hpp"

#include <algorithm>

#include "data/sequence_table.hpp"

namespace hedgerow::data {

DistinctSubtrees distinct_subtrees(const Forest& forest) {
  DistinctSubtrees found;
  found.of_node.resize(forest.node_count());
  found.parent_of_node.assign(forest.node_count(), -1);
  SequenceTable<std::int32_t> table;
  std::vector<std::int32_t> key;
  for (std::int64_t t = 0; t < forest.size(); ++t) {
    const TreeView tree = forest[t];
    const std::int64_t first = forest.tree_begin[t];
    for (std::int32_t v = 0; v < tree.size; ++v) {
      // The label, then the subtrees of the children.
      key.assign(1, tree.label[v]);
      for (std::int32_t c : tree.children(v)) {
        key.push_back(found.of_node[first + c]);
        found.parent_of_node[first + c] = first + v;
      }
      const std::int32_t id = table.intern(key);
      found.of_node[first + v] = id;
      if (id < static_cast<std::int32_t>(found.label.size())) continue;
      std::int32_t height = 0;
      for (std::size_t i = 1; i < key.size(); ++i) height = std::max(height, found.height[key[i]] + 1);
      found.label.push_back(key[0]);
      found.height.push_back(height);
      found.child.insert(found.child.end(), key.begin() + 1, key.end());
      found.child_begin.push_back(static_cast<std::int64_t>(found.child.size()));
    }
  }
  return found;
}

}  // namespace hedgerow::data
