#include "data/forest_builder.hpp"

#include <stdexcept>
#include <utility>

namespace hedgerow::data {

void ForestBuilder::close() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  emit(frame.label, frame.first);
}

void ForestBuilder::node(std::int32_t label, std::int32_t arity) {
  if (arity < 0 || static_cast<std::size_t>(arity) > pending_.size())
    throw std::invalid_argument("a node claims more children than there are");
  emit(label, pending_.size() - arity);
}

void ForestBuilder::reserve(std::size_t nodes) {
  for (auto* array : {&forest_.label, &forest_.production, &forest_.child_begin, &forest_.child})
    array->reserve(nodes);
}

void ForestBuilder::emit(std::int32_t label, std::size_t first) {
  if (tree_size() == INT32_MAX - 1) throw std::length_error("a tree has more than 2^31 nodes");
  const std::span<const std::int32_t> children(pending_.data() + first, pending_.size() - first);
  const std::int64_t base = forest_.node_count();
  const std::int32_t node = tree_size();
  std::int32_t production = no_production;
  forest_.child_begin.push_back(links_);
  forest_.child.push_back(0);  // keeps the links as long as the nodes; overwritten by the links below
  if (!children.empty()) {
    key_.assign(1, label);
    for (std::int32_t child : children) {
      key_.push_back(forest_.label[base + child]);
      forest_.child[base + links_++] = child;
    }
    production = symbols_->productions.intern(key_);
  }
  forest_.label.push_back(label);
  forest_.production.push_back(production);
  pending_.resize(first);
  pending_.push_back(node);
}

void ForestBuilder::end_tree() {
  forest_.tree_begin.push_back(static_cast<std::int64_t>(forest_.label.size()));
  links_ = 0;
  frames_.clear();
  pending_.clear();
}

void ForestBuilder::truncate(std::int64_t trees) {
  forest_.tree_begin.resize(trees + 1);
  for (auto* array : {&forest_.label, &forest_.production, &forest_.child_begin, &forest_.child})
    array->resize(forest_.node_count());
  links_ = 0;
  frames_.clear();
  pending_.clear();
}

void ForestBuilder::pad_with_empty(std::int64_t trees) {
  while (size() < trees) end_tree();
}

Forest forest_from_postorder(std::span<const std::string_view> labels,
                             std::span<const std::int32_t> label_of_node,
                             std::span<const std::int32_t> arity_of_node,
                             std::span<const std::int64_t> size_of_tree) {
  if (label_of_node.size() != arity_of_node.size())
    throw std::invalid_argument("every node needs a label and a number of children");
  constexpr std::int32_t unseen = -1;
  ForestBuilder builder;
  builder.reserve(label_of_node.size());
  std::vector<std::int32_t> id_of_label(labels.size(), unseen);  // in the order of their first nodes
  std::size_t at = 0;
  for (std::int64_t size : size_of_tree) {
    if (size < 0 || static_cast<std::size_t>(size) > label_of_node.size() - at)
      throw std::invalid_argument("the sizes of the trees do not add up to the number of nodes");
    for (std::int64_t i = 0; i < size; ++i, ++at) {
      const std::int32_t label = label_of_node[at];
      if (label < 0 || static_cast<std::size_t>(label) >= labels.size())
        throw std::invalid_argument("a node's label is not in the list of labels");
      std::int32_t& id = id_of_label[label];
      if (id == unseen) id = builder.label_id(labels[label]);
      builder.node(id, arity_of_node[at]);
    }
    if (size > 0 && builder.children_of_open_node() != 1)
      throw std::invalid_argument("a tree does not end in one root");
    builder.end_tree();
  }
  if (at != label_of_node.size())
    throw std::invalid_argument("the sizes of the trees do not add up to the number of nodes");
  return builder.finish();
}

Forest ForestBuilder::finish() {
  truncate(size());
  Forest done = std::move(forest_);
  done.symbols = std::move(symbols_);
  for (auto* array : {&done.label, &done.production, &done.child_begin, &done.child}) array->shrink_to_fit();
  forest_ = Forest();
  symbols_ = std::make_shared<Symbols>();
  return done;
}

}  // namespace hedgerow::data
