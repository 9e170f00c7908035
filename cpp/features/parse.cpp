#include "features/parse.hpp"

namespace hedgerow::features {

void Parse::read(const data::TreeView& tree) {
  tree_ = tree;
  leaf_.clear();
  parent_.assign(tree.size, nothing);
  is_phrase_.assign(tree.size, false);
  for (auto* column : {&begin_, &end_, &head_[0], &head_[1], &head_child_[0], &head_child_[1]})
    column->assign(tree.size, nothing);
  for (std::int32_t node = 0; node < tree.size; ++node) {  // children come before their parents
    if (tree.is_leaf(node)) {
      begin_[node] = head_[0][node] = head_[1][node] = words();
      leaf_.push_back(node);
      end_[node] = words();
      continue;
    }
    const auto below = tree.children(node);
    begin_[node] = begin_[below.front()];
    end_[node] = end_[below.back()];
    child_labels_.clear();
    for (const std::int32_t child : below) {
      parent_[child] = node;
      child_labels_.push_back(tree.label[child]);
      if (!tree.is_leaf(child)) is_phrase_[node] = true;
    }
    for (const HeadKind kind : {HeadKind::syntax, HeadKind::content}) {
      const std::int32_t child = below[heads_.head(tree.label[node], child_labels_, kind)];
      head_child_[of(kind)][node] = child;
      head_[of(kind)][node] = head_[of(kind)][child];
    }
  }
}

}  // namespace hedgerow::features
