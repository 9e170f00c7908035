// Self-kernels of the trees of an open batch, for models that look at one tree several times.
#pragma once

#include <optional>

#include "data/forest.hpp"
#include "kernels/tree_norms.hpp"

namespace hedgerow::models {

template <class Parameters>
class BatchNorms {
 public:
  explicit BatchNorms(const Parameters& parameters) : parameters_(parameters) {}

  // Scratch memory, which is as large as the vocabulary, stays as long as batches share one.
  void open(const data::Forest& batch) {
    batch_ = &batch;
    normed_ = valued_ = -1;
    if (!self_kernels_ || self_kernels_->symbols() != batch.symbols)
      self_kernels_.emplace(parameters_, batch.symbols);
  }
  const kernels::TreeNorm& norm(std::int64_t item) {
    if (item != normed_) norm_ = self_kernels_->norm((*batch_)[item]);
    normed_ = item;
    return norm_;
  }
  // Infinite when it is too large for a double.
  double value(std::int64_t item) {
    if (item != valued_) value_ = self_kernels_->value((*batch_)[item]);
    valued_ = item;
    return value_;
  }

 private:
  Parameters parameters_;
  const data::Forest* batch_ = nullptr;
  std::optional<kernels::TreeSelfKernels<Parameters>> self_kernels_;
  std::int64_t normed_ = -1, valued_ = -1;  // the items that norm_ and value_ are of
  kernels::TreeNorm norm_;
  double value_ = 0;
};

}  // namespace hedgerow::models
