#include "neighbors/partial_tree_groups.hpp"

#include <algorithm>

namespace hedgerow::neighbors {
namespace {

constexpr std::int32_t others = -1;  // in names
constexpr double rounding = 1e-12;   // of differences of sums

double beyond(double all, double paths) { return std::max(all - paths, 0.0) + rounding * all; }
// Paths are next to nothing of what is beyond the range of doubles.
kernels::Wide beyond(const kernels::Wide& all, const kernels::Wide&) { return all; }

}  // namespace

template <class Number>
void PartialTreeGroups<Number>::count_paths(const data::TreeView& own) {
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

template <class Number>
Number PartialTreeGroups<Number>::self(kernels::LoneTree<kernels::PartialTreeParameters>& tree) {
  const data::TreeView own = tree.view();
  of_label_.assign(own.size, Number(0));  // there are no more labels than nodes
  return tree.value<Number>(own, of_label_.data());
}

template <class Number>
void PartialTreeGroups<Number>::collect(const data::TreeView& own, const data::TreeView& known,
                                        GroupSquares<Number>& squares) {
  squares.clear();
  count_paths(own);
  tops_.assign(own.size, {});
  for (std::int32_t v = 0; v < own.size; ++v)
    tops_[own.label[v]] = {of_label_[own.label[v]], Number(0), known.label[v]};
  for (std::int32_t id = 0; id < static_cast<std::int32_t>(paths_.size()); ++id) {
    const auto [bottom, nodes, count] = paths_[id];
    if (nodes == 1 && !parameters_.lexical) continue;
    // What leaves and internal nodes count beyond each other is left to the others.
    double square = parameters_.base_mixed() * count * count;
    for (int n = 1; n < nodes; ++n) square *= parameters_.vertical_decay;
    tops_[path_ids_[id].back()].paths += Number(square);
    key_.clear();
    for (std::int32_t n = 0, u = bottom; n < nodes; ++n, u = parent_[u]) key_.push_back(known.label[u]);
    if (std::ranges::min(key_) >= 0 && square > 0) squares.add(key_, Number(square));
  }
  for (const auto& [all, paths, label] : tops_) {
    const std::int32_t name[] = {others, label};
    if (label >= 0) squares.add(name, beyond(all, paths));
  }
}

template class PartialTreeGroups<double>;
template class PartialTreeGroups<kernels::Wide>;

}  // namespace hedgerow::neighbors
