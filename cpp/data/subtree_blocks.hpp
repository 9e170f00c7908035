// The distinct subtrees of some neighbouring trees, for what depends on a node's subtree alone.
//
// Trees that come from one sentence, or from one author, have much in common: what is computed for each
// distinct subtree, instead of each node, then costs a fraction.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/forest.hpp"
#include "data/sequence_table.hpp"

namespace hedgerow::data {

// Subtrees have internal roots, and numbers in order of first occurrence: children come before parents.
class SubtreeBlock {
 public:
  using Number = std::uint16_t;
  static constexpr Number leaf = UINT16_MAX;  // in place of a child's number

  std::int32_t size() const { return static_cast<std::int32_t>(production_.size()); }
  std::int32_t production(std::int32_t subtree) const { return production_[subtree]; }
  std::span<const Number> children(std::int32_t subtree) const {
    return {child_.data() + child_begin_[subtree], child_.data() + child_begin_[subtree + 1]};
  }
  // Where its children begin among those of all subtrees, and how many these are.
  std::int32_t child_begin(std::int32_t subtree) const { return child_begin_[subtree]; }
  std::int32_t links() const { return child_begin_.back(); }
  bool is_child(std::int32_t subtree) const { return is_child_[subtree]; }  // of another

  // Those of a tree's internal nodes, in post-order. None where the tree is better looked at on its own.
  std::span<const Number> of_tree(std::int64_t tree) const {
    return {of_node_.data() + tree_begin_[tree], of_node_.data() + tree_begin_[tree + 1]};
  }

 private:
  friend class SubtreeNumbering;

  std::vector<std::int32_t> production_;      // by subtree
  std::vector<std::int32_t> child_begin_{0};  // likewise, and the end
  std::vector<Number> child_;
  std::vector<bool> is_child_;
  std::vector<std::int32_t> tree_begin_{0};
  std::vector<Number> of_node_;
};

// Makes blocks. One for each thread.
class SubtreeNumbering {
 public:
  // Of trees [begin, end). No tree has numbers if the first ones have little in common, or if that was so in
  // blocks before.
  SubtreeBlock number(const Forest& forest, std::int64_t begin, std::int64_t end);

 private:
  bool number(const TreeView& tree, SubtreeBlock& block);
  SubtreeBlock::Number add(std::span<const std::int32_t> key, SubtreeBlock& block);

  SequenceTable<std::int32_t> known_;              // production, then the numbers of the children
  std::vector<SubtreeBlock::Number> number_;       // by id in known_
  std::vector<SubtreeBlock::Number> preterminal_;  // by production: its subtree without internal children
  std::vector<std::int32_t> preterminals_;         // productions that have one
  std::vector<SubtreeBlock::Number> of_node_;      // of the tree at hand
  std::vector<std::int32_t> key_;
  std::int64_t looked_up_ = 0;
  std::int32_t resting_ = 0, rest_ = 0;  // blocks that get no numbers
};

}  // namespace hedgerow::data
