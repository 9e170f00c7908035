// Short fragments: what two trees have in common of a few families of small pieces, each counted once.
//
// Trees of hundreds of nodes share so many large fragments with themselves, and so few with others, that
// kernels over all fragments see every tree alone. Small pieces, as features::FragmentHashing lists them, are
// shared.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "data/forest.hpp"
#include "data/fragment_names.hpp"
#include "kernels/feature_table.hpp"
#include "kernels/tree_features.hpp"
#include "kernels/vocabulary.hpp"

namespace hedgerow::kernels {

// A family whose size is 0 is left out.
struct ShortFragments {
  std::int32_t subtrees = 3;  // nodes with all that is below them, cut off below 1, 2, ... levels
  std::int32_t paths = 4;     // chains of 1, 2, ... nodes downwards
  std::int32_t leaves = 3;    // 1, 2, ... neighbouring leaves
  bool siblings = true;       // two neighbouring children with their parent

  // Throws std::invalid_argument.
  void check() const;
};

// A feature is a fragment, worth 1.
class FragmentExtractor {
 public:
  using Item = CodedTree;

  explicit FragmentExtractor(const ShortFragments& sizes) : sizes_(sizes) {}

  template <class Names>
  void operator()(const CodedTree& coded, Names& names, FeatureCounts& counts) {
    visit(coded, names,
          [&](std::int32_t feature, Family, std::int32_t, std::int32_t) { counts.add_once(feature, 1.0); });
  }

  // Calls found(feature, family, size, node) with every fragment, as often as it occurs; data::FragmentNames
  // says what that is in words.
  template <class Names, class Found>
  void visit(const CodedTree& coded, Names& names, Found&& found) {
    find_parents(coded.tree);
    const auto take = [&](Family family, std::int32_t size, std::int32_t node) {
      const std::int32_t feature = names.intern(key_, 1.0);
      found(feature, family, size, node);
      return feature;
    };
    if (sizes_.subtrees > 0) subtrees(coded, take);
    if (sizes_.siblings) siblings(coded, take);
    if (sizes_.paths > 0) paths(coded, take);
    if (sizes_.leaves > 0) leaves(coded, take);
  }

 private:
  using Family = data::FragmentFamily;

  // What keys begin with.
  static constexpr std::int32_t code(Family family) { return static_cast<std::int32_t>(family); }

  void find_parents(const data::TreeView& tree) {
    parent_.assign(tree.size, -1);
    height_.assign(tree.size, 0);
    for (std::int32_t v = 0; v < tree.size; ++v)
      for (const std::int32_t child : tree.children(v)) {
        parent_[child] = v;
        height_[v] = std::max(height_[v], height_[child] + 1);
      }
  }

  // The key has the label, then what each child is, cut off one level earlier: a feature, or a negative
  // number for a label with nothing below it.
  template <class Take>
  void subtrees(const CodedTree& coded, Take&& take) {
    const std::size_t levels = sizes_.subtrees + 1;
    cut_.resize(coded.tree.size * levels);
    for (std::int32_t v = 0; v < coded.tree.size; ++v) {
      std::int32_t* const cut = &cut_[v * levels];
      cut[0] = -1 - coded.label(v);
      for (std::size_t k = 1; k < levels; ++k) {
        if (static_cast<std::int32_t>(k) > height_[v]) {  // all of it is there already
          cut[k] = cut[k - 1];
          continue;
        }
        key_.assign({code(Family::subtree), coded.label(v)});
        for (const std::int32_t child : coded.tree.children(v)) key_.push_back(cut_[child * levels + k - 1]);
        cut[k] = take(Family::subtree, static_cast<std::int32_t>(k), v);
      }
    }
  }

  template <class Take>
  void siblings(const CodedTree& coded, Take&& take) {
    for (std::int32_t v = 0; v < coded.tree.size; ++v) {
      const auto children = coded.tree.children(v);
      for (std::size_t j = 1; j < children.size(); ++j) {
        key_.assign(
            {code(Family::siblings), coded.label(v), coded.label(children[j - 1]), coded.label(children[j])});
        take(Family::siblings, static_cast<std::int32_t>(j), v);
      }
    }
  }

  template <class Take>
  void paths(const CodedTree& coded, Take&& take) {
    for (std::int32_t v = 0; v < coded.tree.size; ++v) {
      std::int32_t below = -1;
      for (std::int32_t n = 0, up = v; n < sizes_.paths && up >= 0; ++n, up = parent_[up]) {
        key_.assign({code(Family::path), below, coded.label(up)});
        below = take(Family::path, n + 1, v);
      }
    }
  }

  template <class Take>
  void leaves(const CodedTree& coded, Take&& take) {
    leaves_.clear();
    for (std::int32_t v = 0; v < coded.tree.size; ++v)
      if (coded.tree.is_leaf(v)) leaves_.push_back(v);
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      std::int32_t before = -1;
      const std::size_t end = std::min(leaves_.size(), i + sizes_.leaves);
      for (std::size_t j = i; j < end; ++j) {
        key_.assign({code(Family::leaves), before, coded.label(leaves_[j])});
        before = take(Family::leaves, static_cast<std::int32_t>(j - i + 1), leaves_[i]);
      }
    }
  }

  ShortFragments sizes_;
  std::vector<std::int32_t> parent_, height_, cut_, leaves_, key_;  // scratch
};

FeatureTable short_fragment_features(const data::Forest& forest, const ShortFragments& sizes);

// The fragments of one tree in words, each once, in the order of its row of features.
std::vector<std::string> short_fragment_names(const data::Forest& forest, std::int64_t tree,
                                              const ShortFragments& sizes);

}  // namespace hedgerow::kernels
