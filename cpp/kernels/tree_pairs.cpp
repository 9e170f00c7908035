#include "kernels/tree_pairs.hpp"

namespace hedgerow::kernels {
namespace {

constexpr std::size_t nowhere = SIZE_MAX;

}  // namespace

void NodeGroups::assign(const std::int32_t* key, std::int32_t nodes) {
  for (std::int32_t k : used_) group_[k] = {};
  used_.clear();
  rank_.resize(nodes);
  for (std::int32_t v = 0; v < nodes; ++v) {
    if (key[v] < 0) continue;
    Group& group = group_[key[v]];
    if (group.size == 0) used_.push_back(key[v]);
    rank_[v] = group.size++;
  }
  std::int32_t begin = 0;
  for (std::int32_t k : used_) {
    group_[k].begin = begin;
    begin += group_[k].size;
  }
  order_.resize(begin);
  for (std::int32_t v = 0; v < nodes; ++v)
    if (key[v] >= 0) order_[group_[key[v]].begin + rank_[v]] = v;
}

// ---- subset trees

void SubsetTreePairs::set_left(const data::TreeView& tree) {
  if (parameters_.bag_of_words)
    for (std::int32_t v = 0; v < left_.size; ++v)
      if (left_.label[v] >= 0) leaves_[left_.label[v]] = 0;
  left_ = tree;
  groups_.assign(tree.production, tree.size);
  if (parameters_.bag_of_words)
    for (std::int32_t v = 0; v < tree.size; ++v)
      if (tree.is_leaf(v) && tree.label[v] >= 0) ++leaves_[tree.label[v]];
}

double SubsetTreePairs::with(const data::TreeView& right) {
  const double decay = parameters_.decay;
  double total = 0;
  arena_.clear();
  place_.resize(right.size);
  low_.resize(right.size);
  for (std::int32_t z = 0; z < right.size; ++z) {
    place_[z] = nowhere;
    if (right.is_leaf(z)) {
      low_[z] = arena_.top();
      if (parameters_.bag_of_words && leaves_[right.label[z]]) total += decay * leaves_[right.label[z]];
      continue;
    }
    const auto right_children = right.children(z);
    low_[z] = low_[right_children[0]];
    const NodeGroups::Group group = groups_.of(right.production[z]);
    if (group.size == 0) continue;
    const std::size_t place = arena_.take(group.size);
    double* const d = arena_.at(place);
    for (std::int32_t q = 0; q < group.size; ++q) {
      const auto left_children = left_.children(groups_.nodes(group)[q]);
      double product = decay;
      for (std::size_t j = 0; j < right_children.size(); ++j) {
        const std::int32_t x = left_children[j], y = right_children[j];
        if (place_[y] != nowhere && left_.production[x] == right.production[y])
          product *= 1 + arena_.at(place_[y])[groups_.rank(x)];
      }
      d[q] = product;
      total += product;
    }
    place_[z] = arena_.settle(place, group.size, low_[z]);
  }
  return total;
}

double SubsetTreePairs::with_itself(const data::TreeView& tree) {
  set_left(tree);
  const double value = with(tree);
  set_left({});  // nothing may be kept of a tree that need not outlive the call
  return value;
}

// ---- partial trees

void PartialTreePairs::set_left(const data::TreeView& tree) {
  left_ = tree;
  groups_.assign(tree.label, tree.size);
}

double PartialTreePairs::with(const data::TreeView& right, double* of_nodes) {
  const double base = parameters_.base(), leaves = parameters_.base_leaves(),
               mixed = parameters_.base_mixed();
  double total = 0;
  arena_.clear();
  place_.resize(right.size);
  low_.resize(right.size);
  for (std::int32_t z = 0; z < right.size; ++z) {
    const auto right_children = right.children(z);
    const bool right_leaf = right_children.empty();
    low_[z] = right_leaf ? arena_.top() : low_[right_children[0]];
    const NodeGroups::Group group = groups_.of(right.label[z]);
    if (group.size == 0) {
      place_[z] = nowhere;
      continue;
    }
    const std::size_t place = arena_.take(group.size);
    for (std::int32_t q = 0; q < group.size; ++q) {
      const std::int32_t n = groups_.nodes(group)[q];
      const bool left_leaf = left_.is_leaf(n);
      const double single = left_leaf && right_leaf ? leaves : left_leaf || right_leaf ? mixed : base;
      double more = 0;
      if (!left_leaf && !right_leaf) {
        const auto left_children = left_.children(n);
        const auto value = [&](std::int32_t i, std::int32_t j) -> const double* {
          const std::int32_t x = left_children[i], y = right_children[j];
          return left_.label[x] == right.label[y] ? arena_.at(place_[y]) + groups_.rank(x) : nullptr;
        };
        more = parameters_.vertical_decay *
               sum_child_sequences<double>(static_cast<std::int32_t>(left_children.size()),
                                           static_cast<std::int32_t>(right_children.size()),
                                           parameters_.decay, parameters_.max_length, value, scratch_);
      }
      arena_.at(place)[q] = single + more;
      const double added = parameters_.lexical ? single + more : more;
      total += added;
      if (of_nodes) of_nodes[z] += added;
    }
    place_[z] = arena_.settle(place, group.size, low_[z]);
  }
  return total;
}

}  // namespace hedgerow::kernels
