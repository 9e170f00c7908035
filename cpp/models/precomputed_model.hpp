// The model of a kernel whose values are all known: items are rows of a matrix, supports are its columns.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/row_model.hpp"

namespace hedgerow::models {

// Kernel values of items with the examples of a fit. The examples themselves have a row for each column.
struct GramItems final : Items {
  std::int64_t size() const override { return static_cast<std::int64_t>(row.size()); }
  const char* kind() const override { return "rows of kernel values"; }
  std::shared_ptr<const Items> select(std::span<const std::int64_t> items) const override;
  bool has_values() const { return doubles || floats; }
  double value(std::int64_t r, std::int64_t column) const {
    return doubles ? doubles[r * width + column] : static_cast<double>(floats[r * width + column]);
  }

  const double* doubles = nullptr;  // row-major; or in single precision
  const float* floats = nullptr;
  std::int64_t width = 0;
  bool are_examples = false;      // so that their rows are their columns, too
  std::vector<std::int64_t> row;  // of each item
  std::shared_ptr<const void> owner;
};

class PrecomputedModel final : public RowModel {
 public:
  explicit PrecomputedModel(std::int32_t columns = 1) : RowModel(columns) {}
  std::unique_ptr<KernelModel> empty(std::int32_t columns) const override {
    return std::make_unique<PrecomputedModel>(columns);
  }
  std::int32_t slots() const override { return static_cast<std::int32_t>(example_.size()); }

  void open(std::shared_ptr<const Items> batch) override;
  void close() override { batch_.reset(); }
  double self_kernel(std::int64_t item) override {
    return examples().value(batch_->row[item], batch_->row[item]);
  }
  void row(std::int64_t item, double* out) override { pick(*batch_, batch_->row[item], out); }
  double support_self_kernel(std::int32_t slot) override {
    return examples().value(example_[slot], example_[slot]);
  }
  void support_row(std::int32_t slot, double* out) override { pick(examples(), example_[slot], out); }

  std::shared_ptr<const Items> supports(std::span<const std::int32_t> slots) const override;
  void some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                 double* out) const override;
  void some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                         double* out) const override;
  bool can_be(std::int32_t slot, bool is_free) const override { return (example_[slot] == free) == is_free; }

 protected:
  void put_item(std::int32_t slot, std::int64_t item) override;
  void erase_item(std::int32_t slot) override { example_[slot] = free; }
  void save_items(State& state, const std::string& prefix) const override {
    state.set(prefix + "examples", example_);
  }
  void load_items(const State& state, const std::string& prefix) override;

 private:
  static constexpr std::int64_t free = -1;

  void check_width(const GramItems& batch) const;
  // The open batch, which has the kernel values between examples.
  const GramItems& examples() const;
  void pick(const GramItems& batch, std::int64_t row, double* out) const;

  std::vector<std::int64_t> example_;  // by slot
  std::shared_ptr<const GramItems> batch_;
};

}  // namespace hedgerow::models
