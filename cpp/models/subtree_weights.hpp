// Weights of the distinct subtrees of an index, for several functions (columns).
//
// Those of one bucket and column lie one behind the other, as the D vectors do that they are multiplied with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hedgerow::models {

class SubtreeWeights {
 public:
  explicit SubtreeWeights(std::int32_t columns) : columns_(columns) {}

  // Makes room for the members of a bucket; new ones have weight 0.
  void reserve(std::int32_t production, std::int32_t size) {
    if (static_cast<std::size_t>(production) >= buckets_.size()) buckets_.resize(production + 1);
    Bucket& bucket = buckets_[production];
    if (size <= bucket.capacity) return;
    const std::int32_t capacity = std::max(size, 2 * bucket.capacity);
    std::vector<double> weights(static_cast<std::size_t>(capacity) * columns_, 0.0);
    for (std::int32_t c = 0; c < columns_; ++c)
      std::copy_n(bucket.weights.begin() + static_cast<std::ptrdiff_t>(c) * bucket.capacity, bucket.capacity,
                  weights.begin() + static_cast<std::ptrdiff_t>(c) * capacity);
    bucket.weights = std::move(weights);
    bucket.capacity = capacity;
  }

  double* of(std::int32_t production, std::int32_t column) {
    Bucket& bucket = buckets_[production];
    return bucket.weights.data() + static_cast<std::size_t>(column) * bucket.capacity;
  }
  const double* of(std::int32_t production, std::int32_t column) const {
    const Bucket& bucket = buckets_[production];
    return bucket.weights.data() + static_cast<std::size_t>(column) * bucket.capacity;
  }

  void scale(std::int32_t column, double factor) {
    for (Bucket& bucket : buckets_) {
      double* const weights = bucket.weights.data() + static_cast<std::size_t>(column) * bucket.capacity;
      for (std::int32_t i = 0; i < bucket.capacity; ++i) weights[i] *= factor;
    }
  }

 private:
  struct Bucket {
    std::int32_t capacity = 0;
    std::vector<double> weights;  // column by column
  };

  std::int32_t columns_;
  std::vector<Bucket> buckets_;  // by production
};

}  // namespace hedgerow::models
