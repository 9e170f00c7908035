#include "inspection/collapsed_forest.hpp"

#include <algorithm>

namespace hedgerow::inspection {

CollapsedForest::CollapsedForest(const data::Forest& forest, const CollapsedForest* vocabulary)
    : symbols_(forest.symbols), of_node_(forest.node_count()) {
  const auto number = [&](std::int32_t label) {
    if (!vocabulary) return label;
    const std::int32_t known = vocabulary->symbols_->labels.find(symbols_->labels[label]);
    return known >= 0 ? known : -2 - label;
  };
  std::vector<std::int32_t> key;
  for (std::int64_t t = 0; t < forest.size(); ++t) {
    const data::TreeView tree = forest[t];
    std::int32_t* of_node = of_node_.data() + forest.tree_begin[t];
    for (std::int32_t v = 0; v < tree.size; ++v) {
      key.assign(1, number(tree.label[v]));
      for (const std::int32_t c : tree.children(v)) key.push_back(of_node[c]);
      of_node[v] = subtrees_.intern(key);
      if (of_node[v] == size()) add(key, vocabulary);
    }
  }
  by_production_.fill(production_);
  by_label_.fill(label_);
}

void CollapsedForest::add(std::span<const std::int32_t> subtree, const CollapsedForest* vocabulary) {
  const std::int32_t label = subtree[0];
  const std::span<const std::int32_t> below = subtree.subspan(1);
  std::vector<std::int32_t> labels{label}, same{label};
  for (const std::int32_t c : below) {
    labels.push_back(label_[c]);
    same.push_back(same_[c]);
  }
  std::int32_t production = -1;
  if (!below.empty()) {
    production = vocabulary ? vocabulary->productions_.find(labels) : productions_.intern(labels);
    if (production < 0) production = -2;
  }
  const bool known = std::ranges::all_of(below, [&](std::int32_t c) { return same_[c] >= 0; });
  same_.push_back(!vocabulary ? size() : known ? vocabulary->subtrees_.find(same) : -1);
  production_.push_back(production);
  label_.push_back(label);
  child_.insert(child_.end(), below.begin(), below.end());
  child_begin_.push_back(links());
}

void CollapsedForest::Groups::fill(std::span<const std::int32_t> group_of) {
  const auto number = static_cast<std::int32_t>(group_of.size());
  const std::int32_t largest = number == 0 ? -1 : std::max(std::ranges::max(group_of), -1);
  begin.assign(largest + 2, 0);
  for (const std::int32_t group : group_of)
    if (group >= 0) ++begin[group + 1];
  for (std::int32_t g = 0; g <= largest; ++g) begin[g + 1] += begin[g];
  members.resize(begin.back());
  place.assign(number, -1);
  std::vector<std::int32_t> filled(largest + 1, 0);
  for (std::int32_t s = 0; s < number; ++s) {
    const std::int32_t group = group_of[s];
    if (group < 0) continue;
    place[s] = filled[group]++;
    members[begin[group] + place[s]] = s;
  }
}

}  // namespace hedgerow::inspection
