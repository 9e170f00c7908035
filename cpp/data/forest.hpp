// Forest: labelled ordered trees in flat arrays.
//
// The nodes of a tree are contiguous and in post-order, so children come before their parent and the root is
// last. A node without children is a leaf; its production is no_production. A tree may be empty (no nodes).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "data/symbols.hpp"

namespace hedgerow::data {

inline constexpr std::int32_t no_production = -1;

// One tree, seen in the arrays of its forest. Node and child indices count from the tree's first node.
struct TreeView {
  std::int32_t size = 0;
  const std::int32_t* label = nullptr;
  const std::int32_t* production = nullptr;
  const std::int32_t* child_begin = nullptr;  // one entry a node: where its children start in `child`
  const std::int32_t* child = nullptr;

  std::int32_t arity(std::int32_t node) const {
    return (node + 1 < size ? child_begin[node + 1] : size - 1) - child_begin[node];
  }
  std::span<const std::int32_t> children(std::int32_t node) const {
    return {child + child_begin[node], static_cast<std::size_t>(arity(node))};
  }
  bool is_leaf(std::int32_t node) const { return production[node] == no_production; }
};

struct Forest {
  std::shared_ptr<const Symbols> symbols = std::make_shared<Symbols>();
  std::vector<std::int64_t> tree_begin{0};
  // One entry a node. A tree of n nodes has n - 1 child links, so the links of a tree fit where its nodes are
  // (the last place stays unused) and need no offsets of their own.
  std::vector<std::int32_t> label, production, child_begin, child;

  std::int64_t size() const { return static_cast<std::int64_t>(tree_begin.size()) - 1; }
  std::int64_t node_count() const { return tree_begin.back(); }
  std::int32_t tree_size(std::int64_t tree) const {
    return static_cast<std::int32_t>(tree_begin[tree + 1] - tree_begin[tree]);
  }
  TreeView operator[](std::int64_t tree) const {
    const std::int64_t b = tree_begin[tree];
    return {tree_size(tree), label.data() + b, production.data() + b, child_begin.data() + b,
            child.data() + b};
  }
  // Adds a tree over the same vocabulary.
  void append(const TreeView& tree);
};

// The named trees, in that order.
Forest select(const Forest& forest, std::span<const std::int64_t> trees);
// Trees [begin, end).
Forest part(const Forest& forest, std::int64_t begin, std::int64_t end);

// All trees of the forests, one after the other, over one vocabulary; that of the first forest keeps its ids.
Forest concatenate(std::span<const Forest* const> forests);

// The same forest over the vocabulary `target`, which gains the symbols that it lacks.
Forest translate(const Forest& forest, const std::shared_ptr<Symbols>& target);

// The subtrees under the root of a tree.
Forest subtrees_of_root(const Forest& forest, std::int64_t tree);

// These trees over a vocabulary of their own, in which the numbers of their labels are the names; productions
// are found afresh.
Forest renamed(std::span<const TreeView> trees);

// The same forest with its vocabulary reduced to the symbols that occur, numbered by first occurrence, so
// that equal forests become identical arrays whatever their history.
Forest compact(const Forest& forest);

bool operator==(const Forest& a, const Forest& b);

}  // namespace hedgerow::data
