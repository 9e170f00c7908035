#include "kernels/tree_pairs.hpp"

#include <algorithm>
#include <utility>

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

// As `with`, but every pair is computed once, and most nodes are alone with their production: no groups are
// made.
double SubsetTreePairs::with_itself(const data::TreeView& tree) {
  set_left({});
  struct Forgotten {  // at the end, even when memory runs out
    SubsetTreePairs& self;
    const data::TreeView& tree;
    ~Forgotten() {
      for (std::int32_t z = 0; z < tree.size; ++z)
        if (tree.is_leaf(z))
          self.leaves_[tree.label[z]] = 0;
        else
          self.last_[tree.production[z]] = -1;
    }
  } const forgotten{*this, tree};
  const double decay = parameters_.decay;
  double total = 0;
  arena_.clear();
  own_.resize(tree.size);
  for (std::int32_t z = 0; z < tree.size; ++z) {
    if (tree.is_leaf(z)) {
      if (parameters_.bag_of_words) total += decay * (2 * leaves_[tree.label[z]]++ + 1);
      continue;
    }
    const auto children = tree.children(z);
    std::int32_t& last = last_[tree.production[z]];
    const std::int32_t rank = last < 0 ? 0 : own_[last].rank + 1;
    own_[z] = {arena_.take(rank + 1), rank, std::exchange(last, z)};
    double* const d = arena_.at(own_[z].place);
    double product = decay;
    for (std::int32_t y : children)
      if (!tree.is_leaf(y)) product *= 1 + value_of_own(y, y);
    d[rank] = product;
    double others = 0;
    for (std::int32_t q = own_[z].before; q >= 0; q = own_[q].before) {
      const auto others_children = tree.children(q);
      product = decay;
      for (std::size_t j = 0; j < children.size(); ++j) {
        const std::int32_t x = others_children[j], y = children[j];
        if (!tree.is_leaf(y) && tree.production[x] == tree.production[y])
          product *= 1 + value_of_own(std::min(x, y), std::max(x, y));
      }
      d[own_[q].rank] = product;
      others += product;
    }
    total += d[rank] + 2 * others;
  }
  return total;
}

// ---- partial trees

void PartialTreePairs::set_left(const data::TreeView& tree) {
  left_ = tree;
  groups_.assign(tree.label, tree.size);
}

double PartialTreePairs::with(const data::TreeView& right) {
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
    double of_node = 0;  // added up first: rounding of very many small and equal terms would add up too
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
      of_node += parameters_.lexical ? single + more : more;
    }
    total += of_node;
    place_[z] = arena_.settle(place, group.size, low_[z]);
  }
  return total;
}

}  // namespace hedgerow::kernels
