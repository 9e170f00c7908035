// Small pieces of trees, by what they are made of, and what they are called.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "data/forest.hpp"

namespace hedgerow::data {

enum class FragmentFamily { production, subtree, path, siblings, leaves };

// Fragments of one tree in words. Sizes are levels of subtrees, nodes of paths, leaves in a row, and of
// siblings which child is the second.
class FragmentNames {
 public:
  FragmentNames(const Forest& forest, std::int64_t tree)
      : tree_(forest[tree]), symbols_(*forest.symbols), parent_(tree_.size, -1) {
    for (std::int32_t v = 0; v < tree_.size; ++v) {
      for (const std::int32_t c : tree_.children(v)) parent_[c] = v;
      if (tree_.is_leaf(v)) leaves_.push_back(v);
    }
  }

  std::string operator()(FragmentFamily family, int size, std::int32_t node) const {
    switch (family) {
      case FragmentFamily::production:
      case FragmentFamily::subtree:
        return below(node, size);
      case FragmentFamily::path: {
        std::string found = label(node);
        for (int n = 1; n < size; ++n) {
          node = parent_[node];
          found = label(node) + " > " + found;
        }
        return found;
      }
      case FragmentFamily::siblings: {
        const auto children = tree_.children(node);
        return label(node) + ": " + label(children[size - 1]) + " " + label(children[size]);
      }
      case FragmentFamily::leaves:
        break;
    }
    std::string found = label(node);
    for (int n = 1; n < size; ++n) found += " " + label(leaf_after(node, n));
    return found;
  }
  // The leaf that is n leaves after one.
  std::int32_t leaf_after(std::int32_t leaf, int n) const {
    return *(std::ranges::lower_bound(leaves_, leaf) + n);
  }

 private:
  TreeView tree_;
  const Symbols& symbols_;
  std::vector<std::int32_t> parent_, leaves_;

  std::string label(std::int32_t node) const { return std::string(symbols_.label(tree_.label[node])); }
  std::string below(std::int32_t node, int levels) const {
    if (levels == 0 || tree_.is_leaf(node)) return label(node);
    std::string found = "(" + label(node);
    for (const std::int32_t c : tree_.children(node)) found += " " + below(c, levels - 1);
    return found + ")";
  }
};

}  // namespace hedgerow::data
