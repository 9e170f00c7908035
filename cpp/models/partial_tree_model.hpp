// Expansions under the partial tree kernel, normalised or not.
//
// The weights of the supports are collapsed onto their distinct subtrees: a score is a sum of inner products
// with D, which all columns share. Where numbers leave the range of doubles, scores come from rows of wide
// numbers instead.
#pragma once

#include <memory>
#include <vector>

#include "kernels/partial_tree_row.hpp"
#include "kernels/tree_norms.hpp"
#include "kernels/tree_parameters.hpp"
#include "models/batch_norms.hpp"
#include "models/collapsed_partial_trees.hpp"
#include "models/kernel_model.hpp"
#include "models/spare_scratch.hpp"
#include "models/tree_supports.hpp"

namespace hedgerow::models {

class PartialTreeModel final : public KernelModel {
 public:
  PartialTreeModel(const kernels::PartialTreeParameters& parameters, bool normalized, std::int32_t columns);
  ~PartialTreeModel() override;

  std::unique_ptr<KernelModel> empty(std::int32_t columns) const override;
  std::int32_t slots() const override { return supports_.slots(); }
  std::size_t growth() const override;

  void open(std::shared_ptr<const Items> batch) override;
  void close() override { supports_.close(); }
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
    return supports_.supports(slots);
  }

  void score_batch(const Items& batch, std::int32_t columns, int threads, double* out) const override;
  void some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                 double* out) const override;
  void some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                         double* out) const override;
  // What changes the model afterwards undoes this.
  void freeze(bool single) override;

  void save(State& state, const std::string& prefix) const override;
  void load(const State& state, const std::string& prefix) override;
  bool can_be(std::int32_t slot, bool is_free) const override { return supports_.holds(slot) != is_free; }

 private:
  using SelfKernels = kernels::TreeSelfKernels<kernels::PartialTreeParameters>;

  struct Support {
    std::int32_t number = 0;  // among the collapsed trees
    double self_kernel = 0;
    kernels::TreeNorm norm;  // only when normalised
  };
  // A tree in the model's vocabulary, to be compared with the supports.
  struct Example {
    data::TreeView tree;
    kernels::TreeNorm norm;  // only when normalised
  };
  // The supports laid out anew, for reading only.
  template <class Real>
  struct Frozen {
    Frozen(const kernels::PartialTreeParameters& parameters, std::shared_ptr<const data::Symbols> symbols,
           std::int32_t columns)
        : index(parameters, std::move(symbols)), weights(columns) {}
    kernels::PartialTreeIndex index;
    PartialTreeWeights<Real> weights;
    mutable SpareScratch<kernels::PartialTreeSums<Real>> spare;  // with plans, which take time to make
  };
  struct Scratch;     // what a thread needs to compare trees with the supports
  class BatchReader;  // what a thread needs to read the trees of a batch

  Example example(std::int64_t item);
  Example support(std::int32_t slot) const;
  Scratch& scratch();

  void score(const Example& x, std::int32_t columns, Scratch& scratch, double* out) const;
  template <class Real, class AddScores>
  bool score_collapsed(const Example& x, std::int32_t columns, kernels::PartialTreeSums<Real>& sums,
                       const AddScores& add_scores, double* out) const;
  void score_by_row(const Example& x, std::int32_t columns, Scratch& scratch, double* out) const;
  void write_row(const Example& x, Scratch& scratch, double* out) const;

  // The factor that the weights of a support carry: 0 for extreme ones, which are not collapsed.
  double weight_factor(const Support& support) const { return normalized_ ? support.norm.inverse : 1.0; }
  std::size_t at(std::int32_t slot, std::int32_t column) const {
    return static_cast<std::size_t>(slot) * columns() + column;
  }
  void start_afresh();
  template <class Real>
  std::unique_ptr<Frozen<Real>> frozen() const;
  void changed();

  kernels::PartialTreeParameters parameters_;
  bool normalized_;
  TreeSupports supports_;
  std::vector<Support> support_;       // by slot
  std::vector<double> weights_;        // slot by slot
  std::vector<std::uint8_t> joined_;   // likewise: whether the column has the support
  std::int32_t extreme_supports_ = 0;  // with a norm that is extreme
  std::unique_ptr<CollapsedPartialTrees> collapsed_;
  std::unique_ptr<Frozen<float>> frozen_single_;
  std::unique_ptr<Frozen<double>> frozen_double_;

  // ---- of the open batch, and of those before it over the same vocabulary
  std::shared_ptr<const data::Symbols> batch_symbols_;
  BatchNorms<kernels::PartialTreeParameters> norms_;
  std::unique_ptr<Scratch> scratch_;
  std::vector<std::int32_t> productions_;  // of the example
};

}  // namespace hedgerow::models
