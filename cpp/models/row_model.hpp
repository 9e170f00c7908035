// Models whose scores are rows of kernel values times a matrix of weights.
#pragma once

#include <algorithm>
#include <vector>

#include "models/kernel_model.hpp"
#include "parallel.hpp"

namespace hedgerow {

// A subclass gives rows and keeps the items: put_item, erase_item, save_items, load_items.
class RowModel : public KernelModel {
 public:
  void scores(std::int64_t item, std::int32_t columns, double* out) final {
    values_.resize(slots());
    row(item, values_.data());
    combine(values_.data(), columns, out);
  }
  void support_scores(std::int32_t slot, std::int32_t columns, double* out) final {
    values_.resize(slots());
    support_row(slot, values_.data());
    combine(values_.data(), columns, out);
  }
  void put(std::int32_t slot, std::int64_t item) final {
    put_item(slot, item);
    weights_.resize(static_cast<std::size_t>(slots()) * columns(), 0.0);
  }
  void add_weight(std::int32_t slot, std::int32_t column, double delta) final {
    weights_[static_cast<std::size_t>(slot) * columns() + column] += delta;
  }
  void scale_weights(std::int32_t column, double factor) final {
    for (std::size_t i = column; i < weights_.size(); i += columns()) weights_[i] *= factor;
  }
  void erase(std::int32_t slot) final {
    std::fill_n(weights_.begin() + static_cast<std::ptrdiff_t>(slot) * columns(), columns(), 0.0);
    erase_item(slot);
  }
  void score_batch(const Items& batch, std::int32_t columns, int threads, double* out) const final;
  void save(State& state, const std::string& prefix) const final;
  void load(const State& state, const std::string& prefix) final;

 protected:
  using KernelModel::KernelModel;

  virtual void put_item(std::int32_t slot, std::int64_t item) = 0;
  // The slot's place in rows must stay finite, since its weight of 0 is multiplied with it.
  virtual void erase_item(std::int32_t slot) = 0;
  // Rows of items [begin, end) of a batch.
  virtual void some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                         double* out) const = 0;
  virtual void save_items(State& state, const std::string& prefix) const = 0;
  virtual void load_items(const State& state, const std::string& prefix) = 0;

  void row_batch(const Items& batch, int threads, double* out) const final {
    some_rows(batch, 0, batch.size(), threads, out);
  }

 private:
  void combine(const double* row, std::int32_t columns, double* out) const;

  std::vector<double> weights_;  // slot by slot
  std::vector<double> values_;   // scratch
};

}  // namespace hedgerow
