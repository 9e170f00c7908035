#include "kernels/tree_features.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hedgerow::kernels {

FeatureTable subtree_features(const data::Forest& forest, double decay) {
  FeatureTable table;
  Vocabulary subtrees;
  SubtreeExtractor extract(decay);
  FeatureCounts counts;
  for (std::int64_t t = 0; t < forest.size(); ++t) {
    counts.clear();
    extract({forest[t]}, subtrees, counts);
    counts.append_row(table);
  }
  table.weight = subtrees.weights();
  return table;
}

namespace {

constexpr std::int32_t above_root = -1;

// All nodes of a forest, ordered by the labels on their way to the root.
class UpwardPaths {
 public:
  explicit UpwardPaths(const data::Forest& forest) : parent_(forest.node_count(), above_root) {
    for (std::int64_t t = 0; t < forest.size(); ++t) {
      const data::TreeView tree = forest[t];
      const std::int64_t base = forest.tree_begin[t];
      for (std::int32_t v = 0; v < tree.size; ++v)
        for (std::int32_t child : tree.children(v))
          parent_[base + child] = static_cast<std::int32_t>(base + v);
    }
    // Prefix doubling: ranks_[k] orders nodes by the first 2^k labels of their paths, jumps_[k] leads 2^k
    // nodes up.
    ranks_.push_back(forest.label);
    jumps_.push_back(parent_);
    std::vector<std::int64_t> keys(parent_.size());
    while (std::any_of(jumps_.back().begin(), jumps_.back().end(),
                       [](std::int32_t up) { return up != above_root; })) {
      const auto& rank = ranks_.back();
      const auto& jump = jumps_.back();
      for (std::size_t v = 0; v < parent_.size(); ++v)
        keys[v] = static_cast<std::int64_t>(rank[v]) << 32 | (jump[v] == above_root ? 0 : rank[jump[v]] + 1);
      ranks_.push_back(rank_of(keys));
      std::vector<std::int32_t> further(parent_.size());
      for (std::size_t v = 0; v < parent_.size(); ++v)
        further[v] = jump[v] == above_root ? above_root : jump[jump[v]];
      jumps_.push_back(std::move(further));
    }
  }

  std::vector<std::int32_t> order() const {
    std::vector<std::int32_t> nodes(parent_.size());
    std::iota(nodes.begin(), nodes.end(), 0);
    std::sort(nodes.begin(), nodes.end(), [&](std::int32_t a, std::int32_t b) {
      return ranks_.back()[a] != ranks_.back()[b] ? ranks_.back()[a] < ranks_.back()[b] : a < b;
    });
    return nodes;
  }

  // Number of labels that the paths of two nodes have in common, from the nodes on.
  std::int32_t common_length(std::int32_t a, std::int32_t b) const {
    std::int32_t length = 0;
    for (std::size_t k = ranks_.size(); k-- > 0 && a != above_root && b != above_root;) {
      // Equal ranks mean equal paths of 2^k labels, or equal shorter ones that end at the root.
      if (ranks_[k][a] != ranks_[k][b]) continue;
      const std::int32_t up_a = jumps_[k][a];
      if (up_a == above_root) return length + depth(a);
      length += std::int32_t{1} << k;
      a = up_a;
      b = jumps_[k][b];
    }
    return length;
  }

  // Number of labels on the way to the root.
  std::int32_t depth(std::int32_t node) const {
    std::int32_t length = 1;
    for (std::size_t k = jumps_.size(); k-- > 0;)
      while (jumps_[k][node] != above_root) {
        node = jumps_[k][node];
        length += std::int32_t{1} << k;
      }
    return length;
  }

 private:
  static std::vector<std::int32_t> rank_of(const std::vector<std::int64_t>& keys) {
    std::vector<std::int64_t> distinct(keys);
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    std::vector<std::int32_t> rank(keys.size());
    for (std::size_t v = 0; v < keys.size(); ++v)
      rank[v] = static_cast<std::int32_t>(std::lower_bound(distinct.begin(), distinct.end(), keys[v]) -
                                          distinct.begin());
    return rank;
  }

  std::vector<std::int32_t> parent_;
  std::vector<std::vector<std::int32_t>> ranks_, jumps_;
};

// The sum of decay^L over the lengths L above `from` up to `to`, without cancellation.
double sum_of_powers(double decay, std::int32_t from, std::int32_t to) {
  const double terms = decay == 1 ? to - from : -std::expm1((to - from) * std::log(decay)) / (1 - decay);
  return std::pow(decay, from + 1) * terms;
}

// Sorted by their upward paths, nodes that share a path of L labels are neighbours. Paths that the same nodes
// have are put together in one feature, a node of the tree of common prefixes: fewer features than twice the
// nodes.
struct PathTree {
  std::vector<std::int32_t> parent;   // of a feature: the one with the next shorter paths, or -1
  std::vector<std::int32_t> length;   // of a feature: its longest path
  std::vector<std::int32_t> of_node;  // the feature of a node's whole path

  std::int32_t add(std::int32_t parent_feature, std::int32_t longest) {
    parent.push_back(parent_feature);
    length.push_back(longest);
    return static_cast<std::int32_t>(parent.size()) - 1;
  }

  explicit PathTree(const data::Forest& forest) : of_node(forest.node_count()) {
    const UpwardPaths paths(forest);
    const std::vector<std::int32_t> order = paths.order();
    std::vector<std::int32_t> open;  // features that the node at hand has, shorter paths first
    const auto last = [&] { return open.empty() ? -1 : open.back(); };
    const auto covered = [&] { return open.empty() ? 0 : length[open.back()]; };
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::int32_t common = i == 0 ? 0 : paths.common_length(order[i - 1], order[i]);
      std::int32_t closed = -1;
      while (covered() > common) {
        closed = open.back();
        open.pop_back();
      }
      if (common > covered()) {  // the paths part inside a feature: its upper part is shared with this node
        const std::int32_t shared = add(last(), common);
        parent[closed] = shared;
        open.push_back(shared);
      }
      const std::int32_t depth = paths.depth(order[i]);
      if (depth > covered()) open.push_back(add(last(), depth));
      of_node[order[i]] = open.back();
    }
  }
};

}  // namespace

FeatureTable path_features(const data::Forest& forest, double decay) {
  const PathTree paths(forest);
  FeatureTable table;
  for (std::size_t f = 0; f < paths.parent.size(); ++f) {
    const std::int32_t shorter = paths.parent[f] < 0 ? 0 : paths.length[paths.parent[f]];
    table.weight.push_back(sum_of_powers(decay, shorter, paths.length[f]));
  }
  // A node counts for its own feature and for all shorter ones.
  std::vector<double> count(paths.parent.size(), 0.0);
  std::vector<char> seen(paths.parent.size(), 0);
  std::vector<std::int32_t> found;
  for (std::int64_t t = 0; t < forest.size(); ++t) {
    found.clear();
    for (std::int64_t v = forest.tree_begin[t]; v < forest.tree_begin[t + 1]; ++v) {
      count[paths.of_node[v]] += 1;
      for (std::int32_t f = paths.of_node[v]; f >= 0 && !seen[f]; f = paths.parent[f]) {
        seen[f] = 1;
        found.push_back(f);
      }
    }
    const auto longer = [&](std::int32_t a, std::int32_t b) { return paths.length[a] > paths.length[b]; };
    std::sort(found.begin(), found.end(), longer);
    for (std::int32_t f : found)
      if (paths.parent[f] >= 0) count[paths.parent[f]] += count[f];
    std::sort(found.begin(), found.end());
    for (std::int32_t f : found) {
      table.feature.push_back(f);
      table.value.push_back(count[f]);
      count[f] = 0;
      seen[f] = 0;
    }
    table.row_begin.push_back(static_cast<std::int64_t>(table.feature.size()));
  }
  return table;
}

}  // namespace hedgerow::kernels
