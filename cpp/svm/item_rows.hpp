// Rows of a kernel matrix that are computed when asked for, and cached.
//
// All items are supports of a model, whose rows are those of the matrix. When only some columns are left, a
// smaller model of these gives shorter rows for less.
#pragma once

#include <memory>

#include "models/kernel_model.hpp"
#include "svm/kernel_rows.hpp"
#include "svm/row_cache.hpp"

namespace hedgerow::svm {

template <class Real>
class ItemRows final : public KernelRows<Real> {
 public:
  // The kernel is that of the prototype. Rows take at most `bytes` of memory, but there are always two.
  ItemRows(const models::KernelModel& prototype, std::shared_ptr<const models::Items> items,
           std::size_t bytes);

  bool in_memory() const override { return false; }
  const Real* row(std::int32_t item) override;
  void widen() override;
  void narrow(std::span<const std::int32_t> items) override;
  void products(std::span<const std::int32_t> items, std::span<const double> coefficients,
                std::span<const std::int32_t> targets, int threads, double* out) override;
  double seconds_for_products(std::int64_t items, std::int64_t targets) const override;

 private:
  // A model whose supports are some of the items.
  struct Section {
    std::unique_ptr<models::KernelModel> model;
    std::vector<std::int32_t> items;      // none: all
    std::vector<std::int32_t> positions;  // of the columns, in its rows
  };

  std::unique_ptr<models::KernelModel> model_of(std::span<const std::int32_t> items) const;
  // The row of a support of this model, in values_.
  void compute(models::KernelModel& model, std::int32_t slot);
  std::size_t whole_bytes() const;

  std::shared_ptr<const models::Items> items_;
  std::unique_ptr<models::KernelModel> model_;
  Section section_;
  std::vector<std::int32_t> slot_in_section_;  // by item
  std::vector<std::int32_t> columns_;          // none: all
  std::size_t bytes_;
  RowCache<Real> whole_, narrow_;  // rows of all columns, and of those that are columns now
  std::vector<double> values_;
  double seconds_ = 0;  // spent on rows
};

}  // namespace hedgerow::svm
