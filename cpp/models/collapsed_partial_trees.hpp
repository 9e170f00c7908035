// Support trees of a partial tree kernel, collapsed into their distinct subtrees with weights.
//
// Trees come and go. What a tree leaves behind are subtrees without weight and postings that nobody asks for;
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
#include "models/subtree_weights.hpp"

namespace hedgerow::models {

class CollapsedPartialTrees {
 public:
  // Trees over one vocabulary, which may grow.
  CollapsedPartialTrees(const kernels::PartialTreeParameters& parameters,
                        std::shared_ptr<const data::Symbols> symbols, std::int32_t columns);

  const kernels::PartialTreeIndex& index() const { return index_; }
  // Adds to out[c] the sum over all subtrees s of weight(s, c) * (sum over the nodes n of x of what D(n, s)
  // counts for), for the first `columns` columns. `sums` are those of x; `zeros` holds nothing else, before
  // and after.
  void add_scores(kernels::PartialTreeSums<double>& sums, std::int32_t columns, std::vector<double>& zeros,
                  double* out) const;

  // Adds a tree with weight 0. Returns its number in the index.
  std::int32_t insert(const data::TreeView& tree);
  // For a tree that is here, by its number: adds to its weight.
  void add_weight(const data::TreeView& tree, std::int32_t number, std::int32_t column, double delta);
  void scale_weights(std::int32_t column, double factor);
  // A column comes to a tree, with its weight, or leaves it: subtrees that no tree of the column has any more
  // then weigh exactly 0.
  void join(const data::TreeView& tree, std::int32_t number, std::int32_t column, double weight);
  void leave(const data::TreeView& tree, std::int32_t number, std::int32_t column, double weight);

  // Column c becomes what column from[c] was; -1: a new one.
  void rearrange(std::span<const std::int32_t> from);
  // Copies the weights of a tree's subtrees, in their order, from other collapsed trees, where it has another
  // number and other labels. All trees must be here before; after all trees, `look_at_orders`.
  void take_over(const data::TreeView& tree, std::int32_t number, const CollapsedPartialTrees& old,
                 std::int32_t old_number, std::span<const std::int32_t> old_labels);
  void look_at_orders() { weights_.look_at_orders(); }
  // Copies the weights of a tree's subtrees to those for another index that has them, where its nodes have
  // the given ids.
  template <class Real>
  void copy_weights(const data::TreeView& tree, std::int32_t number, const kernels::PartialTreeIndex& other,
                    const std::int32_t* other_ids, PartialTreeWeights<Real>& to) const;

  // The distinct subtrees, in order of arrival, with their weights as they have been added up.
  void save(State& state, const std::string& prefix) const;
  // Into an empty object over the vocabulary that was in use; the trees then have to be inserted once more,
  // and joined, before their weights can be loaded. Throws invalid_argument for arrays that describe no
  // subtrees.
  void load(const State& state, const std::string& prefix);
  void load_weights(const State& state, const std::string& prefix);

 private:
  std::size_t at(std::int32_t label, std::int32_t column) const {
    return static_cast<std::size_t>(label) * columns_ + column;
  }
  double single_score(std::span<const kernels::PartialTreeSums<double>::Single> singles, std::int32_t label,
                      std::int32_t column, std::vector<double>& zeros) const;
  // Where the index has the subtrees under the nodes of a tree.
  const std::int32_t* positions(std::int32_t number) const {
    return positions_.data() + first_position_[number];
  }

  std::int32_t columns_;
  std::shared_ptr<const data::Symbols> symbols_;
  kernels::PartialTreeIndex index_;
  SubtreeWeights weights_;                 // by label
  std::vector<double> internal_;           // label by label: the sum of the weights of internal nodes
  std::vector<std::int32_t> inner_nodes_;  // likewise: how many internal nodes the trees of a column have
  std::vector<std::int32_t> positions_;    // of the nodes of all trees, one tree behind the other
  std::vector<std::size_t> first_position_{0};  // by number
  std::vector<std::int32_t> node_ids_;          // scratch of insert
};

}  // namespace hedgerow::models
