#include "data/subtree_blocks.hpp"

#include <algorithm>

namespace hedgerow::data {
namespace {

constexpr auto leaf = SubtreeBlock::leaf;

// Numbers pay where this many trees have at least a quarter fewer subtrees than nodes.
constexpr std::int64_t sample = 64;
constexpr std::int32_t longest_rest = 16;

}  // namespace

SubtreeBlock SubtreeNumbering::number(const Forest& forest, std::int64_t begin, std::int64_t end) {
  constexpr std::int32_t large = 256;  // nodes; vectors of a large tree fill the memory
  SubtreeBlock block;
  block.tree_begin_.assign(end - begin + 1, 0);
  if (resting_ > 0) {
    --resting_;
    return block;
  }
  known_.clear();
  number_.clear();
  for (const std::int32_t production : preterminals_) preterminal_[production] = leaf;
  preterminals_.clear();
  preterminal_.resize(forest.symbols->productions.size(), leaf);
  looked_up_ = 0;
  for (std::int64_t tree = begin; tree < end; ++tree) {
    const TreeView x = forest[tree];
    if (x.size <= large && !number(x, block)) block.of_node_.resize(block.tree_begin_[tree - begin]);
    block.tree_begin_[tree - begin + 1] = static_cast<std::int32_t>(block.of_node_.size());
    if (tree - begin + 1 == sample && 4 * static_cast<std::int64_t>(number_.size()) > 3 * looked_up_) {
      block = {};
      block.tree_begin_.assign(end - begin + 1, 0);
      resting_ = rest_ = std::clamp(2 * rest_, 1, longest_rest);
      return block;
    }
  }
  rest_ = 0;
  for (auto* const array : {&block.production_, &block.child_begin_}) array->shrink_to_fit();
  for (auto* const array : {&block.child_, &block.of_node_}) array->shrink_to_fit();
  return block;
}

// False when there are too many subtrees.
bool SubtreeNumbering::number(const TreeView& tree, SubtreeBlock& block) {
  of_node_.resize(tree.size);
  for (std::int32_t v = 0; v < tree.size; ++v) {
    of_node_[v] = leaf;
    if (tree.is_leaf(v)) continue;
    const std::int32_t production = tree.production[v];
    key_.assign(1, production);
    bool all_leaves = true;
    for (const std::int32_t child : tree.children(v)) {
      key_.push_back(of_node_[child]);
      all_leaves = all_leaves && of_node_[child] == leaf;
    }
    SubtreeBlock::Number& number = of_node_[v];
    if (all_leaves) {  // a third to a half of all: known by their production alone
      number = preterminal_[production];
      if (number == leaf) {
        number = preterminal_[production] = add(key_, block);
        preterminals_.push_back(production);
      }
    } else {
      ++looked_up_;
      const std::int32_t id = known_.intern(key_);
      if (static_cast<std::size_t>(id) == number_.size()) number_.push_back(add(key_, block));
      number = number_[id];
    }
    if (number == leaf) return false;
    block.of_node_.push_back(number);
  }
  return true;
}

SubtreeBlock::Number SubtreeNumbering::add(std::span<const std::int32_t> key, SubtreeBlock& block) {
  if (block.size() == leaf) return leaf;
  block.production_.push_back(key[0]);
  for (const std::int32_t child : key.subspan(1)) {
    block.child_.push_back(static_cast<SubtreeBlock::Number>(child));
    if (child != leaf) block.is_child_[child] = true;
  }
  block.child_begin_.push_back(static_cast<std::int32_t>(block.child_.size()));
  block.is_child_.push_back(false);
  return static_cast<SubtreeBlock::Number>(block.size() - 1);
}

}  // namespace hedgerow::data
