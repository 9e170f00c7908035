// Models whose scores are rows of kernel values times a matrix of weights.
#pragma once

#include <vector>

#include "models/kernel_model.hpp"
#include "models/slot_weights.hpp"

namespace hedgerow::models {

// A subclass gives rows and keeps the items: row, support_row, some_rows, put_item, erase_item, save_items,
// load_items.
class RowModel : public KernelModel {
 public:
  void scores(std::int64_t item, std::int32_t columns, double* out) override;
  void support_scores(std::int32_t slot, std::int32_t columns, double* out) override;
  void put(std::int32_t slot, std::int64_t item) override;
  void add_weight(std::int32_t slot, std::int32_t column, double delta) override {
    weights_[column].add(slot, delta);
  }
  void drop_weight(std::int32_t slot, std::int32_t column) override { weights_[column].drop(slot); }
  void scale_weights(std::int32_t column, double factor) override { weights_[column].scale(factor); }
  void erase(std::int32_t slot) override;
  void rearrange(std::span<const std::int32_t> from) override {
    rearrange_rows(weights_, columns(), from);
    KernelModel::rearrange(from);
  }
  void score_batch(const Items& batch, std::int32_t columns, int threads, double* out) const override;
  void save(State& state, const std::string& prefix) const override;
  void load(const State& state, const std::string& prefix) override;

 protected:
  explicit RowModel(std::int32_t columns) : KernelModel(columns), weights_(columns) {}

  double weight(std::int32_t slot, std::int32_t column) const { return weights_[column][slot]; }

  virtual void put_item(std::int32_t slot, std::int64_t item) = 0;
  // The slot's place in rows must stay finite, since its weight of 0 is multiplied with it.
  virtual void erase_item(std::int32_t slot) = 0;
  virtual void save_items(State& state, const std::string& prefix) const = 0;
  virtual void load_items(const State& state, const std::string& prefix) = 0;

 private:
  // Throws overflow_error when a score is no number.
  void combine(const double* row, std::int32_t columns, double* out) const;

  std::vector<SlotWeights> weights_;  // of each column
  std::vector<double> values_;        // scratch
};

}  // namespace hedgerow::models
