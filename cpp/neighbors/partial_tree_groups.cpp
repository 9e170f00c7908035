#include "neighbors/partial_tree_groups.hpp"

#include <algorithm>

namespace hedgerow::neighbors {
namespace {

constexpr std::int32_t others = -1;  // in names
constexpr double rounding = 1e-12;   // of differences of sums

}  // namespace

void PartialTreeGroups::count_paths(const data::TreeView& own) {
  parent_.assign(own.size, -1);
  for (std::int32_t v = 0; v < own.size; ++v)
    for (const std::int32_t child : own.children(v)) parent_[child] = v;
  path_ids_.clear();
  paths_.clear();
  for (std::int32_t v = 0; v < own.size; ++v) {
    key_.clear();
    std::int32_t u = v;
    for (int nodes = 1; nodes <= longest && u >= 0; ++nodes, u = parent_[u]) {
      key_.push_back(own.label[u]);
      const std::int32_t id = path_ids_.intern(key_);
      if (static_cast<std::size_t>(id) == paths_.size()) paths_.push_back({v, nodes, 0});
      ++paths_[id].count;
    }
  }
}

void PartialTreeGroups::sum_by_top(const data::TreeView& own) {
  values_.assign(own.size, 0.0);
  pairs_.set_left(own);
  pairs_.with(own, values_.data());
  pairs_.set_left({});
  top_ids_.clear();
  tops_.clear();
  for (std::int32_t v = 0; v < own.size; ++v) {
    const std::int32_t id = top_ids_.intern({own.label + v, 1});
    if (static_cast<std::size_t>(id) == tops_.size()) tops_.push_back({v});
    tops_[id].all += values_[v];
  }
}

void PartialTreeGroups::collect(const data::TreeView& own, const data::TreeView& known,
                                GroupSquares& squares) {
  squares.clear();
  count_paths(own);
  sum_by_top(own);
  for (std::int32_t id = 0; id < static_cast<std::int32_t>(paths_.size()); ++id) {
    const auto [bottom, nodes, count] = paths_[id];
    if (nodes == 1 && !parameters_.lexical) continue;
    // What leaves and internal nodes count beyond each other is left to the others.
    double square = parameters_.base_mixed() * count * count;
    for (int n = 1; n < nodes; ++n) square *= parameters_.vertical_decay;
    tops_[top_ids_.find(path_ids_[id].last(1))].paths += square;
    key_.clear();
    for (std::int32_t n = 0, u = bottom; n < nodes; ++n, u = parent_[u]) key_.push_back(known.label[u]);
    if (std::ranges::min(key_) >= 0 && square > 0) squares.add(key_, square);
  }
  for (const auto& [node, all, paths] : tops_) {
    const std::int32_t name[] = {others, known.label[node]};
    const double left = std::max(all - paths, 0.0) + rounding * all;
    if (name[1] >= 0 && left > 0) squares.add(name, left);
  }
}

}  // namespace hedgerow::neighbors
