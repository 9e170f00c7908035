// Parse: a tree with what features of parses look at: tags, parents, spans and heads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/forest.hpp"
#include "features/head_table.hpp"

namespace hedgerow::features {

class Parse {
 public:
  static constexpr std::int32_t nothing = -1;  // where there is no node, label or word

  explicit Parse(const HeadTable& heads) : heads_(heads) {}
  // Takes up a tree, which must stay where it is.
  void read(const data::TreeView& tree);

  // ---- nodes, in post-order
  std::int32_t size() const { return tree_.size; }
  std::int32_t label(std::int32_t node) const { return node == nothing ? nothing : tree_.label[node]; }
  std::int32_t parent(std::int32_t node) const { return node == nothing ? nothing : parent_[node]; }
  std::span<const std::int32_t> children(std::int32_t node) const { return tree_.children(node); }
  bool is_leaf(std::int32_t node) const { return tree_.is_leaf(node); }
  bool is_phrase(std::int32_t node) const { return is_phrase_[node]; }  // neither a word nor a tag
  std::int32_t begin(std::int32_t node) const { return begin_[node]; }  // its first word
  std::int32_t end(std::int32_t node) const { return end_[node]; }      // behind its last word
  std::int32_t length(std::int32_t node) const { return end_[node] - begin_[node]; }
  // The word that is the head, and the child that has it.
  std::int32_t head(std::int32_t node, HeadKind kind) const { return head_[of(kind)][node]; }
  std::int32_t head_child(std::int32_t node, HeadKind kind) const { return head_child_[of(kind)][node]; }

  // ---- words, from left to right; outside of the sentence there is nothing
  std::int32_t words() const { return static_cast<std::int32_t>(leaf_.size()); }
  std::int32_t leaf(std::int32_t word) const { return leaf_[word]; }
  std::int32_t word(std::int32_t word) const { return inside(word) ? tree_.label[leaf_[word]] : nothing; }
  std::int32_t tag(std::int32_t word) const { return inside(word) ? label(parent_[leaf_[word]]) : nothing; }

  const HeadTable& table() const { return heads_; }

 private:
  static std::size_t of(HeadKind kind) { return kind == HeadKind::syntax ? 0 : 1; }
  bool inside(std::int32_t word) const { return word >= 0 && word < words(); }

  const HeadTable& heads_;
  data::TreeView tree_;
  std::vector<std::int32_t> parent_, begin_, end_, head_[2], head_child_[2], leaf_, child_labels_;
  std::vector<bool> is_phrase_;
};

}  // namespace hedgerow::features
