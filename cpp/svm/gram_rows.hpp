// Rows of a kernel matrix that is in memory already.
#pragma once

#include <memory>

#include "svm/kernel_rows.hpp"
#include "svm/row_cache.hpp"

namespace hedgerow::svm {

template <class Real>
class GramRows final : public KernelRows<Real> {
 public:
  // size x size values, row-major; `owner` keeps their memory. Throws invalid_argument when one is not
  // finite.
  GramRows(const Real* gram, std::int32_t size, std::shared_ptr<const void> owner);

  bool in_memory() const override { return true; }
  const Real* row(std::int32_t item) override;
  void widen() override;
  void narrow(std::span<const std::int32_t> items) override;
  void products(std::span<const std::int32_t> items, std::span<const double> coefficients,
                std::span<const std::int32_t> targets, int threads, double* out) override;
  double seconds_for_products(std::int64_t items, std::int64_t) const override {
    return 1e-9 * static_cast<double>(items) * this->size();
  }

 private:
  const Real* whole(std::int32_t item) const {
    return gram_ + static_cast<std::int64_t>(item) * this->size();
  }

  const Real* gram_;
  std::shared_ptr<const void> owner_;
  std::vector<std::int32_t> columns_;  // none: all
  RowCache<Real> narrow_;              // rows of some columns, so that loops over them need not jump
};

}  // namespace hedgerow::svm
