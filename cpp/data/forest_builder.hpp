// Builds a Forest from a walk over its trees: open(label), leaf(label), close(), and so on.
#pragma once

#include <string_view>

#include "data/forest.hpp"

namespace hedgerow::data {

class ForestBuilder {
 public:
  // The walk. A bracket that is closed without children becomes a leaf.
  void open(std::string_view label) { frames_.push_back({symbols_->intern_label(label), pending_.size()}); }
  void leaf(std::string_view label) { emit(symbols_->intern_label(label), pending_.size()); }
  void close();
  // The same walk in post-order: a node that takes the last `arity` finished nodes as its children. Its label
  // is named by its id.
  std::int32_t label_id(std::string_view label) { return symbols_->intern_label(label); }
  void node(std::int32_t label, std::int32_t arity);
  // Makes room for so many nodes.
  void reserve(std::size_t nodes);

  std::size_t depth() const { return frames_.size(); }
  // Nodes of the tree under way, those of open brackets too.
  std::int64_t nodes() const { return tree_size() + static_cast<std::int64_t>(frames_.size()); }
  std::size_t children_of_open_node() const {
    return pending_.size() - (frames_.empty() ? 0 : frames_.back().first);
  }

  // Ends the tree that was walked (an empty one when nothing was), or forgets it.
  void end_tree();
  void abandon_tree() { truncate(forest_.size()); }
  // Drops trees from the end until `trees` are left, and the tree under way.
  void truncate(std::int64_t trees);
  // Adds empty trees until there are `trees` of them.
  void pad_with_empty(std::int64_t trees);

  std::int64_t size() const { return forest_.size(); }
  // Hands over the finished forest and starts an empty one with a new vocabulary.
  Forest finish();

 private:
  struct Frame {
    std::int32_t label;
    std::size_t first;  // its children are pending_[first ..]
  };

  std::int32_t tree_size() const {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(forest_.label.size()) - forest_.node_count());
  }
  // Adds a node whose children are the finished nodes pending_[first ..].
  void emit(std::int32_t label, std::size_t first);

  std::shared_ptr<Symbols> symbols_ = std::make_shared<Symbols>();
  Forest forest_;
  std::int32_t links_ = 0;             // child links of the tree under way
  std::vector<Frame> frames_;          // open brackets
  std::vector<std::int32_t> pending_;  // finished nodes that wait for their parent
  std::vector<std::int32_t> key_;      // scratch
};

// A forest from trees given node by node in post-order: an index into `labels` and a number of children each.
// Throws std::invalid_argument when they do not describe trees.
Forest forest_from_postorder(std::span<const std::string_view> labels,
                             std::span<const std::int32_t> label_of_node,
                             std::span<const std::int32_t> arity_of_node,
                             std::span<const std::int64_t> size_of_tree);

}  // namespace hedgerow::data
