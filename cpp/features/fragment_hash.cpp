#include "features/fragment_hash.hpp"

#include <optional>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "data/fragment_names.hpp"
#include "features/feature_hash.hpp"

namespace hedgerow::features {
namespace {

using Family = data::FragmentFamily;

constexpr int deepest = 20;

constexpr std::uint64_t seeds[] = {hash_text("production"), hash_text("subtree"), hash_text("path"),
                                   hash_text("siblings"), hash_text("leaves")};

std::vector<std::uint64_t> label_hashes(const data::Symbols& symbols) {
  std::vector<std::uint64_t> found(symbols.labels.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    found[i] = hash_text(symbols.label(static_cast<std::int32_t>(i)));
  return found;
}

std::uint64_t finished(Family family, std::uint64_t hash) {
  hash = hash_step(seeds[static_cast<int>(family)], hash);
  return hash ^ (hash >> 32);
}

// Finds the fragments of trees, one tree at a time, and calls take(hash, family, size, node) with each.
class Fragments {
 public:
  Fragments(const FragmentHashing& hashing, const std::vector<std::uint64_t>& labels)
      : hashing_(hashing), labels_(labels) {}

  template <class Take>
  void visit(const data::TreeView& tree, Take&& take) {
    below(tree, take);
    if (hashing_.paths > 0) paths(tree, take);
    if (hashing_.leaves > 0) leaves(tree, take);
  }

 private:
  const FragmentHashing& hashing_;
  const std::vector<std::uint64_t>& labels_;
  std::vector<std::uint64_t> tops_;  // node by node: what is below it, cut off below 0, 1, ... levels
  std::vector<std::int32_t> height_, parent_, leaves_;

  // A node is cut off at k levels only if it has so many: else it would be the same fragment again.
  template <class Take>
  void below(const data::TreeView& tree, Take&& take) {
    const int levels = std::max(hashing_.subtrees, 1) + 1;
    tops_.resize(static_cast<std::size_t>(tree.size) * levels);
    height_.resize(tree.size);
    parent_.assign(tree.size, -1);
    for (std::int32_t v = 0; v < tree.size; ++v) {
      std::uint64_t* const top = &tops_[static_cast<std::size_t>(v) * levels];
      const auto children = tree.children(v);
      const std::uint64_t label = labels_[tree.label[v]];
      height_[v] = 0;
      for (const std::int32_t c : children) {
        parent_[c] = v;
        height_[v] = std::max(height_[v], height_[c] + 1);
      }
      top[0] = label;
      const std::uint64_t start = hash_step(label, children.size() + 1);
      for (int k = 1; k < levels; ++k) {
        std::uint64_t h = children.empty() ? label : start;
        for (const std::int32_t c : children)
          h = hash_step(h, tops_[static_cast<std::size_t>(c) * levels + k - 1]);
        top[k] = h;
      }
      if (children.empty()) continue;
      if (hashing_.productions) take(finished(Family::production, top[1]), Family::production, 1, v);
      for (int k = 2; k <= std::min(hashing_.subtrees, height_[v]); ++k)
        take(finished(Family::subtree, top[k]), Family::subtree, k, v);
      if (!hashing_.siblings) continue;
      for (std::size_t j = 1; j < children.size(); ++j) {
        const std::uint64_t pair =
            hash_step(labels_[tree.label[children[j - 1]]], labels_[tree.label[children[j]]]);
        take(finished(Family::siblings, hash_step(label, pair)), Family::siblings, static_cast<int>(j), v);
      }
    }
  }

  template <class Take>
  void paths(const data::TreeView& tree, Take&& take) {
    for (std::int32_t v = 0; v < tree.size; ++v) {
      std::uint64_t h = 0;
      std::int32_t u = v;
      for (int n = 1; n <= hashing_.paths && u >= 0; ++n, u = parent_[u]) {
        h = hash_step(h, labels_[tree.label[u]]);
        take(finished(Family::path, h), Family::path, n, v);
      }
    }
  }

  template <class Take>
  void leaves(const data::TreeView& tree, Take&& take) {
    leaves_.clear();
    for (std::int32_t v = 0; v < tree.size; ++v)
      if (tree.is_leaf(v)) leaves_.push_back(v);
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      std::uint64_t h = 0;
      for (int n = 1; n <= hashing_.leaves && i + n <= leaves_.size(); ++n) {
        h = hash_step(h, labels_[tree.label[leaves_[i + n - 1]]]);
        take(finished(Family::leaves, h), Family::leaves, n, leaves_[i]);
      }
    }
  }
};

}  // namespace

void FragmentHashing::check() const {
  if (bits < 1 || bits > 30) throw std::invalid_argument("bits must be from 1 to 30");
  for (const int n : {subtrees, paths, leaves})
    if (n < 0 || n > deepest) throw std::invalid_argument("sizes of fragments must be from 0 to 20");
  if (counts == Counts::tf_idf) throw std::invalid_argument("counts must be raw, binary or log");
}

HashedRows FragmentHashing::vectors(const data::Forest& forest, int threads) const {
  check();
  const std::vector<std::uint64_t> labels = label_hashes(*forest.symbols);
  const std::uint64_t last = (std::uint64_t{1} << bits) - 1;
  const auto weight = [counts = counts](double count, std::int32_t) { return value_of(counts, count); };
  return hashed_rows(forest.size(), threads, [&] {
    return [&, fragments = Fragments(*this, labels), row = HashedRow(bits, norm)](std::int64_t tree,
                                                                                  HashedRows& rows) mutable {
      row.clear();
      fragments.visit(forest[tree], [&](std::uint64_t hash, Family, int, std::int32_t) {
        row.add(static_cast<std::int32_t>(hash & last), alternate_sign && hash >> 63);
      });
      row.count();
      row.add_to(rows, weight);
    };
  });
}

std::vector<NamedFragment> FragmentHashing::names(const data::Forest& forest, std::int64_t tree) const {
  check();
  const std::vector<std::uint64_t> labels = label_hashes(*forest.symbols);
  const std::uint64_t last = (std::uint64_t{1} << bits) - 1;
  const data::FragmentNames name(forest, tree);
  std::vector<NamedFragment> found;
  Fragments(*this, labels)
      .visit(forest[tree], [&](std::uint64_t hash, Family family, int size, std::int32_t node) {
        found.push_back({static_cast<std::int32_t>(hash & last), alternate_sign && hash >> 63, node,
                         family == Family::leaves ? name.leaf_after(node, size - 1) : node,
                         name(family, size, node)});
      });
  return found;
}

std::vector<ColumnFragment> FragmentHashing::behind(std::span<const std::int32_t> columns,
                                                    const data::Forest& forest) const {
  check();
  const std::vector<std::uint64_t> labels = label_hashes(*forest.symbols);
  const std::uint64_t last = (std::uint64_t{1} << bits) - 1;
  const std::unordered_set<std::int32_t> wanted(columns.begin(), columns.end());
  struct Met {
    std::size_t place;
    std::int64_t last_tree;
  };
  std::unordered_map<std::uint64_t, Met> met;  // by hash
  std::vector<ColumnFragment> found;
  Fragments fragments(*this, labels);
  for (std::int64_t tree = 0; tree < forest.size(); ++tree) {
    stop_if_asked();
    std::optional<data::FragmentNames> name;  // few trees need names
    fragments.visit(forest[tree], [&](std::uint64_t hash, Family family, int size, std::int32_t node) {
      const auto column = static_cast<std::int32_t>(hash & last);
      if (!wanted.contains(column)) return;
      const auto [entry, is_new] = met.try_emplace(hash, Met{found.size(), -1});
      if (is_new) {
        if (!name) name.emplace(forest, tree);
        found.push_back({column, alternate_sign && hash >> 63, 0, (*name)(family, size, node)});
      }
      if (entry->second.last_tree == tree) return;
      entry->second.last_tree = tree;
      ++found[entry->second.place].trees;
    });
  }
  return found;
}

}  // namespace hedgerow::features
