// Tree kernels whose features can be listed: complete subtrees and paths.
#pragma once

#include <stdexcept>
#include <string>

#include "data/forest.hpp"
#include "kernels/feature_table.hpp"
#include "kernels/vocabulary.hpp"

namespace hedgerow::kernels {

// A tree whose labels are numbered by `code`, or as in its forest when there is none.
struct CodedTree {
  data::TreeView tree;
  const std::int32_t* code = nullptr;

  std::int32_t label(std::int32_t node) const { return code ? code[tree.label[node]] : tree.label[node]; }
};

// ST. A feature is a complete subtree of an internal node, worth decay^(its number of internal nodes).
class SubtreeExtractor {
 public:
  using Item = CodedTree;

  explicit SubtreeExtractor(double decay) : decay_(decay) {}

  template <class Names>
  void operator()(const CodedTree& coded, Names& names, FeatureCounts& counts) {
    const data::TreeView& tree = coded.tree;
    ids_.resize(tree.size);
    for (std::int32_t v = 0; v < tree.size; ++v) {
      if (tree.is_leaf(v)) {
        ids_[v] = -1 - coded.label(v);
        continue;
      }
      // The label, then what the children are: features, or negative numbers for leaves.
      key_.assign(1, coded.label(v));
      double weight = decay_;
      for (std::int32_t child : tree.children(v)) {
        key_.push_back(ids_[child]);
        if (ids_[child] >= 0) weight *= names.weight(ids_[child]);
      }
      ids_[v] = names.intern(key_, weight);
      counts.add(ids_[v], weight);
    }
  }

 private:
  double decay_;
  std::vector<std::int32_t> ids_, key_;  // scratch
};

// Subpaths. A feature is a path of labels from a node towards the root, worth decay^(its number of nodes).
// Takes as many steps as the depths of all nodes add up to.
class PathExtractor {
 public:
  using Item = CodedTree;

  explicit PathExtractor(double decay) : decay_(decay) {}

  template <class Names>
  void operator()(const CodedTree& coded, Names& names, FeatureCounts& counts) {
    find_parents(coded.tree);
    for (std::int32_t v = 0; v < coded.tree.size; ++v) {
      std::int32_t path = -1;
      double weight = 1;
      for (std::int32_t up = v; up >= 0; up = parent_[up]) {
        const std::int32_t key[] = {path, coded.label(up)};
        weight *= decay_;
        path = names.intern(key, weight);
        counts.add(path, weight);
      }
    }
  }

 private:
  // Better an error than a machine without memory: reached by a chain of 8,000 nodes.
  static constexpr std::int64_t most_paths = std::int64_t{1} << 25;

  void find_parents(const data::TreeView& tree) {
    parent_.assign(tree.size, -1);
    depth_.assign(tree.size, 1);
    std::int64_t paths = 0;
    for (std::int32_t v = tree.size; v-- > 0;) {
      paths += depth_[v];
      for (std::int32_t child : tree.children(v)) {
        parent_[child] = v;
        depth_[child] = depth_[v] + 1;
      }
    }
    if (paths > most_paths)
      throw std::length_error("a tree is too deep for a model of paths: it has " + std::to_string(paths) +
                              ", more than " + std::to_string(most_paths));
  }

  double decay_;
  std::vector<std::int32_t> parent_, depth_;  // scratch
};

FeatureTable subtree_features(const data::Forest& forest, double decay);

// Paths that the same nodes have are put together, so time grows almost linearly whatever the depths.
FeatureTable path_features(const data::Forest& forest, double decay);

}  // namespace hedgerow::kernels
