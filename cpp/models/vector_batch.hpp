// Vectors of a batch, dense or sparse, as lists of entries.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/items.hpp"

namespace hedgerow::models {

// A vector as the features that it has, in increasing order, and their values; others are 0.
struct Entries {
  std::span<const std::int32_t> feature;
  std::span<const double> value;
};

// Memory for the entries of one vector.
struct EntryScratch {
  std::vector<std::int32_t> feature;
  std::vector<double> value;
};

class VectorBatch {
 public:
  VectorBatch() = default;
  explicit VectorBatch(const Items& items)
      : dense_(dynamic_cast<const DenseItems*>(&items)), sparse_(nullptr) {
    if (!dense_) sparse_ = &items_as<SparseItems>(items, "vectors");
  }

  bool dense() const { return dense_; }
  std::int64_t width() const { return dense_ ? dense_->width : sparse_->width; }
  std::span<const double> values() const {
    return dense_ ? std::span(dense_->values, static_cast<std::size_t>(dense_->rows * dense_->width))
                  : sparse_->value;
  }
  // Valid as long as the items, and until the scratch is used again.
  Entries entries(std::int64_t item, EntryScratch& scratch) const {
    if (!dense_) {
      const std::int64_t begin = sparse_->begin[item];
      const auto n = static_cast<std::size_t>(sparse_->begin[item + 1] - begin);
      return {sparse_->index.subspan(begin, n), sparse_->value.subspan(begin, n)};
    }
    const std::span<const double> row = (*dense_)[item];
    scratch.feature.resize(row.size());
    scratch.value.resize(row.size());
    std::size_t n = 0;
    for (std::size_t f = 0; f < row.size(); ++f) {  // no branch: zeros are overwritten by what follows
      scratch.feature[n] = static_cast<std::int32_t>(f);
      scratch.value[n] = row[f];
      n += row[f] != 0;
    }
    return {std::span(scratch.feature).first(n), std::span(scratch.value).first(n)};
  }

 private:
  const DenseItems* dense_ = nullptr;
  const SparseItems* sparse_ = nullptr;
};

}  // namespace hedgerow::models
