// A forest as its distinct subtrees: the form in which fragments are searched for.
//
// The subtrees of a model (its supports) and of an example (one tree) have numbers of their own, but share
// labels and productions: those of the example are looked up among the model's, and what the model lacks has
// none.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "data/forest.hpp"

namespace hedgerow::inspection {

class CollapsedForest {
 public:
  // Subtrees are numbered in order of first occurrence, so that children come before their parents. Labels
  // that `vocabulary` (the model, for an example) lacks have negative numbers, each its own.
  explicit CollapsedForest(const data::Forest& forest, const CollapsedForest* vocabulary = nullptr);

  std::int32_t size() const { return static_cast<std::int32_t>(label_.size()); }
  const std::vector<std::int32_t>& of_node() const { return of_node_; }  // the subtree of each node
  std::int32_t label(std::int32_t subtree) const { return label_[subtree]; }
  std::int64_t first_child(std::int32_t subtree) const { return child_begin_[subtree]; }
  std::int64_t links() const { return static_cast<std::int64_t>(child_.size()); }
  std::span<const std::int32_t> children(std::int32_t subtree) const {
    return {child_.data() + child_begin_[subtree], child_.data() + child_begin_[subtree + 1]};
  }
  bool is_leaf(std::int32_t subtree) const { return child_begin_[subtree] == child_begin_[subtree + 1]; }
  // The label with those of the children, as a number; -1 for a leaf, -2 for one that the vocabulary lacks.
  std::int32_t production(std::int32_t subtree) const { return production_[subtree]; }
  std::span<const std::int32_t> labels_of(std::int32_t production) const { return productions_[production]; }
  // The same subtree in the vocabulary, negative if there is none.
  std::int32_t same_in_vocabulary(std::int32_t subtree) const { return same_[subtree]; }

  // Subtrees of a production or with a label, which may be unknown; and a subtree's place among these.
  std::int32_t productions() const { return by_production_.groups(); }
  std::int32_t labels() const { return by_label_.groups(); }
  std::span<const std::int32_t> with_production(std::int32_t production) const {
    return by_production_[production];
  }
  std::span<const std::int32_t> with_label(std::int32_t label) const { return by_label_[label]; }
  std::int32_t place_in_production(std::int32_t subtree) const { return by_production_.place[subtree]; }
  std::int32_t place_in_label(std::int32_t subtree) const { return by_label_.place[subtree]; }

 private:
  // Subtrees in groups.
  struct Groups {
    void fill(std::span<const std::int32_t> group_of);
    std::int32_t groups() const { return static_cast<std::int32_t>(begin.size()) - 1; }
    std::span<const std::int32_t> operator[](std::int32_t group) const {
      if (group < 0 || group >= groups()) return {};
      return {members.data() + begin[group], members.data() + begin[group + 1]};
    }
    std::vector<std::int32_t> begin{0}, members, place;
  };

  // Adds a subtree: its label, then the numbers of its children.
  void add(std::span<const std::int32_t> subtree, const CollapsedForest* vocabulary);

  std::shared_ptr<const data::Symbols> symbols_;
  std::vector<std::int32_t> of_node_, label_, child_, production_, same_;
  std::vector<std::int64_t> child_begin_{0};
  data::SequenceTable<std::int32_t> subtrees_;     // a label, then the numbers of the children
  data::SequenceTable<std::int32_t> productions_;  // a label, then those of the children; of a model
  Groups by_production_, by_label_;
};

}  // namespace hedgerow::inspection
