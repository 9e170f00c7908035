// Support trees of a partial tree kernel, collapsed into their distinct subtrees with weights.
//
// Trees come and go. What a tree leaves behind are subtrees of weight 0 and postings that nobody asks for;
// the owner starts afresh when that has become too much.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/forest.hpp"
#include "kernels/partial_tree_index.hpp"
#include "models/partial_tree_weights.hpp"
#include "models/state.hpp"

namespace hedgerow::models {

class CollapsedPartialTrees {
 public:
  // Trees over one vocabulary, which may grow.
  CollapsedPartialTrees(const kernels::PartialTreeParameters& parameters,
                        std::shared_ptr<const data::Symbols> symbols, std::int32_t columns);

  const kernels::PartialTreeIndex& index() const { return index_; }
  const PartialTreeWeights<double>& weights() const { return weights_; }

  // Adds a tree with weight 0. Returns its number in the index.
  std::int32_t insert(const data::TreeView& tree);
  // For a tree that is here, by its number: adds to its weight.
  void add_weight(const data::TreeView& tree, std::int32_t number, std::int32_t column, double delta);
  void scale_weights(std::int32_t column, double factor) { weights_.scale(column, factor); }
  // Takes a tree out, after its weights were taken back. Subtrees that no tree has any more then weigh
  // exactly 0.
  void remove(const data::TreeView& tree, std::int32_t number);

  // Copies the weights of a tree's subtrees to those for another index that has them, where its nodes have
  // the given ids.
  template <class Real>
  void copy_weights(const data::TreeView& tree, std::int32_t number, const kernels::PartialTreeIndex& other,
                    const std::int32_t* other_ids, PartialTreeWeights<Real>& to) const;

  // The distinct subtrees, in order of arrival, with their weights as they have been added up.
  void save(State& state, const std::string& prefix) const;
  // Into an empty object over the vocabulary that was in use; the trees then have to be inserted once more.
  // Throws invalid_argument for arrays that describe no subtrees.
  void load(const State& state, const std::string& prefix);

 private:
  // The subtrees under the nodes of a tree.
  std::span<const std::int32_t> ids(std::int32_t number) const {
    return {ids_.data() + first_id_[number], ids_.data() + first_id_[number + 1]};
  }

  std::int32_t columns_;
  std::shared_ptr<const data::Symbols> symbols_;
  kernels::PartialTreeIndex index_;
  PartialTreeWeights<double> weights_;
  std::vector<std::int32_t> ids_;          // of the nodes of all trees, one tree behind the other
  std::vector<std::int64_t> first_id_{0};  // by number
  std::vector<std::int64_t> nodes_with_;   // by subtree: how many nodes of the trees that are here have it
  std::vector<std::int64_t> inner_nodes_;  // by label: how many internal nodes of these trees have it
};

}  // namespace hedgerow::models
