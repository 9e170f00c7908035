// A kernel matrix for several calls of a solver: one for each class, or each C. Its cache lives on.
#pragma once

#include <memory>
#include <mutex>
#include <variant>

#include "svm/gram_rows.hpp"
#include "svm/item_rows.hpp"

namespace hedgerow::svm {

class SvmKernel {
 public:
  template <class Rows>
  explicit SvmKernel(std::unique_ptr<Rows> rows) : rows_(std::move(rows)) {}

  std::int32_t size() const {
    return std::visit([](const auto& rows) { return rows->size(); }, rows_);
  }
  std::int64_t evaluations() const {
    return std::visit([](const auto& rows) { return rows->evaluations(); }, rows_);
  }
  std::span<const double> diagonal() const {
    return std::visit([](const auto& rows) { return rows->diagonal(); }, rows_);
  }

  // Calls use(rows), for one caller at a time.
  template <class Use>
  auto with_rows(Use&& use) {
    const std::lock_guard lock(guard_);
    return std::visit([&](auto& rows) { return use(*rows); }, rows_);
  }

 private:
  std::variant<std::unique_ptr<KernelRows<float>>, std::unique_ptr<KernelRows<double>>> rows_;
  std::mutex guard_;
};

}  // namespace hedgerow::svm
