// The model of gapped subsequences of strings or token lists: rows against panels of supports.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/subsequence_panel.hpp"
#include "models/row_model.hpp"
#include "models/sequence_store.hpp"

namespace hedgerow::models {

class SubsequenceModel final : public RowModel {
 public:
  SubsequenceModel(std::int32_t columns, const kernels::GappedSubsequences& kernel, bool normalized)
      : RowModel(columns), kernel_(kernel), normalized_(normalized) {}

  std::unique_ptr<KernelModel> empty(std::int32_t columns) const override {
    return std::make_unique<SubsequenceModel>(columns, kernel_, normalized_);
  }
  std::int32_t slots() const override { return store_.slots(); }
  std::size_t growth() const override { return KernelModel::growth() + 2 * store_.growth(); }

  void open(std::shared_ptr<const Items> batch) override;
  void close() override;
  double self_kernel(std::int64_t item) override { return shown(self_of_item(item)); }
  void row(std::int64_t item, double* out) override;

  double support_self_kernel(std::int32_t slot) override { return shown(self_[slot]); }
  void support_row(std::int32_t slot, double* out) override;
  std::shared_ptr<const Items> supports(std::span<const std::int32_t> slots) const override {
    return store_.supports(slots);
  }
  void some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                         double* out) const override;
  bool can_be(std::int32_t slot, bool is_free) const override { return store_.is_free(slot) == is_free; }

 protected:
  void put_item(std::int32_t slot, std::int64_t item) override;
  void erase_item(std::int32_t slot) override;
  void some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                 double* out) const override;
  void save_items(State& state, const std::string& prefix) const override { store_.save(state, prefix); }
  void load_items(const State& state, const std::string& prefix) override;

 private:
  using Item = SequenceStore::Item;
  struct Workspace {
    kernels::SubsequenceWorkspace sweep;
    SequenceStore::Scratch symbols;
  };

  // Self-kernels as users see them.
  double shown(double self) const { return normalized_ ? (self > 0 ? 1.0 : 0.0) : self; }
  // Un-normalised, of an item of the open batch.
  double self_of_item(std::int64_t item);
  // self: the un-normalised self-kernel, which normalised values need.
  void fill_row(Item item, double self, kernels::SubsequenceWorkspace& work, double* out) const;
  void make_panel(std::int32_t panel);
  void make_panels();

  kernels::GappedSubsequences kernel_;
  bool normalized_;
  SequenceStore store_;
  std::vector<kernels::SequencePanel<kernels::panel_lanes>>
      panels_;                // of slots in order; those that are free are empty lanes
  std::vector<double> self_;  // un-normalised, of slots
  Workspace work_;
  std::int64_t last_item_ = -1;  // whose self-kernel is last_self_
  double last_self_ = 0;
};

}  // namespace hedgerow::models
