// Expansions under the subset tree kernel, collapsed onto the distinct subtrees of the supports:
//
//   f_c(x) = sum over nodes n of x and distinct subtrees s of weight_c(s) * D(n, s)
//
// where weight_c(s) adds up, over the supports, weight(support, c) * (how often s occurs in it) / (its norm).
//
// Supports and items whose norms are outside the comfortable range of doubles are left out of these sums:
// their kernel values are computed one by one with wide numbers.
#pragma once

#include <memory>
#include <vector>

#include "kernels/subset_tree_row.hpp"
#include "models/batch_norms.hpp"
#include "models/frozen_subset_trees.hpp"
#include "models/kernel_model.hpp"
#include "models/pass_subtrees.hpp"
#include "models/subtree_shares.hpp"
#include "models/subtree_weights.hpp"
#include "models/tree_supports.hpp"

namespace hedgerow::models {

class SubsetTreeModel final : public KernelModel {
 public:
  SubsetTreeModel(const kernels::SubsetTreeParameters& parameters, bool normalized, std::int32_t columns);

  std::unique_ptr<KernelModel> empty(std::int32_t columns) const override {
    return std::make_unique<SubsetTreeModel>(index_.parameters(), normalized_, columns);
  }
  std::int32_t slots() const override { return trees_.slots(); }
  std::size_t growth() const override {
    const std::size_t each = 256 + 64 * static_cast<std::size_t>(columns());
    return KernelModel::growth() + trees_.growth() + each * index_.subtrees();
  }

  void open(std::shared_ptr<const Items> batch) override;
  void close() override {
    trees_.close();
    in_turn_.stop();
  }
  double self_kernel(std::int64_t item) override;
  void scores(std::int64_t item, std::int32_t columns, double* out) override;
  void row(std::int64_t item, double* out) override;
  void put(std::int32_t slot, std::int64_t item) override;

  void add_weight(std::int32_t slot, std::int32_t column, double delta) override;
  void drop_weight(std::int32_t slot, std::int32_t column) override;
  void scale_weights(std::int32_t column, double factor) override;
  void erase(std::int32_t slot) override;
  void rearrange(std::span<const std::int32_t> from) override;
  double support_self_kernel(std::int32_t slot) override;
  void support_scores(std::int32_t slot, std::int32_t columns, double* out) override;
  void support_row(std::int32_t slot, double* out) override;
  std::shared_ptr<const Items> supports(std::span<const std::int32_t> slots) const override {
    return trees_.supports(slots);
  }

  void score_batch(const Items& batch, std::int32_t columns, int threads, double* out) const override;
  void some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                 double* out) const override;
  void some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                         double* out) const override;
  void freeze(bool single) override;

  void save(State& state, const std::string& prefix) const override;
  void load(const State& state, const std::string& prefix) override;
  bool can_be(std::int32_t slot, bool is_free) const override { return trees_.holds(slot) != is_free; }

 private:
  // Where the index has one.
  struct Subtree {
    std::int32_t production, position;
  };
  struct Support {
    std::int32_t tree = -1;         // its number in the index
    std::vector<Subtree> subtrees;  // one for each internal node
    double self = 0;                // K(s, s); only un-normalised
    kernels::TreeNorm norm;
  };
  // Memory for one thread.
  struct Scratch {
    explicit Scratch(const kernels::SubsetTreeIndex& index) : vectors(index), row(index) {}
    kernels::SubsetTreeVectors<double> vectors;
    FrozenSubsetTrees<double>::Scratch frozen;
    FrozenSubsetTrees<float>::Scratch frozen_single;
    kernels::SubsetTreeRow<double> row;
    std::vector<double> values;
    SubtreeShares<double> shares;
    SubtreeShares<float> shares_single;
  };

  // x is in the model's vocabulary; its norm is not looked at when the model is not normalised.
  void score(const data::TreeView& x, const kernels::TreeNorm& norm, std::int32_t columns, double* out,
             Scratch& scratch) const;
  // The same when out has the sums over distinct subtrees. get_x() is x.
  template <class GetTree>
  void finish_score(GetTree&& get_x, const kernels::TreeNorm& norm, std::int32_t columns, double* out,
                    Scratch& scratch) const;
  // Adds the sums over distinct subtrees, by the fastest layout that there is.
  void add_subtrees(const data::TreeView& x, std::int32_t columns, double* out, Scratch& scratch) const;
  void add_leaves(const data::TreeView& x, std::int32_t columns, double* out) const;
  // Adds weight times kernel value, over the slots.
  void add_products(const std::vector<double>& row, std::int32_t columns, double* out) const;
  void score_by_row(const data::TreeView& x, const kernels::TreeNorm& norm, std::int32_t columns, double* out,
                    Scratch& scratch) const;
  void row_of(const data::TreeView& x, const kernels::TreeNorm& norm, double* out, Scratch& scratch) const;
  // Sets out[slot] for the supports that need wide numbers: all, or those with extreme norms.
  void wide_row(const data::TreeView& x, const kernels::TreeNorm& norm, bool all, double* out) const;

  // Reads a batch, on one thread.
  struct Reader;
  // Calls body(first, last, reader) for blocks of trees [begin, end) of a batch.
  template <class Body>
  void for_each_block(const TreeItems& batch, std::int64_t begin, std::int64_t end, std::int64_t block,
                      int threads, Body&& body) const;
  // The index and the weights as they are, for SubtreeShares.
  class Growing;
  // Calls body(matcher, shares) with what scores fastest: of the scratch memory, those that fit.
  template <class Body>
  void with_matcher(Scratch& scratch, Body&& body) const;
  // As score(), for a tree whose subtrees have numbers in a block: `source` as it is in the batch,
  // production(id) one of its productions in the model, get_x() the tree.
  template <class Production, class GetTree>
  void score_numbered(const data::SubtreeBlock& block, std::span<const data::SubtreeBlock::Number> subtrees,
                      const data::TreeView& source, const Production& production, GetTree&& get_x,
                      const kernels::TreeNorm& norm, std::int32_t columns, double* out,
                      Scratch& scratch) const;

  const kernels::TreeNorm& norm_of(std::int64_t item);
  // Inserts the tree of a slot into the index, with weights 0.
  void index_tree(std::int32_t slot);
  // Notes that the weights of a support's subtrees, or those that there are, are about to change.
  void note_change(std::int32_t slot);
  void join(std::int32_t slot, std::int32_t column, double coefficient);
  // 0 for extreme supports, which are not collapsed.
  double weight_of_subtrees(std::int32_t slot, double coefficient) const;
  // Calls body(where the columns of the leaf's label start), for bag_of_words.
  template <class Body>
  void for_each_leaf(std::int32_t slot, Body&& body) const;
  std::size_t at(std::int32_t slot, std::int32_t column) const {
    return static_cast<std::size_t>(slot) * columns() + column;
  }
  void rebuild();
  void thaw();
  std::vector<std::int32_t> slots_in_order() const;
  void load_subtrees(const std::vector<std::int32_t>& keys, const std::string& name);
  void load_supports(const std::vector<std::int32_t>& order, const std::string& prefix);
  void load_weights(const State& state, const std::string& prefix);

  bool normalized_;
  TreeSupports trees_;
  BatchNorms<kernels::SubsetTreeParameters> norms_;
  SubtreesInTurn in_turn_;  // of the open batch
  kernels::SubsetTreeIndex index_;
  std::vector<Support> supports_;        // by slot
  std::vector<std::int32_t> slot_of_;    // by number of a tree in the index; -1: erased
  std::vector<double> inverse_norm_of_;  // likewise, side by side for rows
  std::vector<double> coefficients_;     // slot by slot
  std::vector<std::uint8_t> joined_;     // likewise: whether the column has the support
  SubtreeWeights weights_;
  std::vector<std::int64_t> changed_;  // by production: when its weights did last
  std::int64_t changes_ = 0;
  std::vector<double> leaf_weights_;     // label by label, for bag_of_words
  std::vector<std::int32_t> leaf_uses_;  // likewise
  std::int32_t extreme_supports_ = 0;
  std::vector<std::int32_t> ids_;  // scratch of index_tree
  std::unique_ptr<Scratch> scratch_;
  // Null while learning.
  std::unique_ptr<FrozenSubsetTrees<double>> frozen_;
  std::unique_ptr<FrozenSubsetTrees<float>> frozen_single_;
};

}  // namespace hedgerow::models
