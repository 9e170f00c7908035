#include "models/partial_tree_weights.hpp"

#include <algorithm>

#include "kernels/loops.hpp"

namespace hedgerow::models {
template <class Real>
void PartialTreeWeights<Real>::fit(const kernels::PartialTreeIndex& index, std::int32_t label) {
  const auto used = static_cast<std::size_t>(label) + 1;
  if (labels_.size() < used) {
    labels_.resize(used);
    internal_.resize(used * columns_, 0.0);
  }
  Label& entry = labels_[label];
  const std::int32_t size = index.bucket(label)->size;
  if (size <= entry.capacity) return;
  const std::int32_t capacity =
      entry.capacity == 0 ? size : std::max(size, entry.capacity + entry.capacity / 2);
  std::vector<Real> weights(static_cast<std::size_t>(capacity) * columns_, Real(0));
  for (std::int32_t c = 0; c < columns_; ++c)
    std::copy_n(of(label, c), entry.capacity, weights.data() + static_cast<std::size_t>(c) * capacity);
  entry.weights = std::move(weights);
  entry.capacity = capacity;
}

template <class Real>
void PartialTreeWeights<Real>::add_scores(const kernels::PartialTreeIndex& index,
                                          kernels::PartialTreeSums<Real>& sums, std::int32_t columns,
                                          double* out) const {
  for (const auto& single : sums.singles())
    for (std::int32_t c = 0; c < columns; ++c)
      out[c] +=
          static_cast<double>(single.beyond) * static_cast<double>(of(single.label, c)[single.position]);
  for (const auto& sum : sums.labels()) {
    const std::int32_t leaf_position = index.bucket(sum.label)->leaf_position;
    const auto shares = sum.shares_of_single_nodes(index.parameters());
    for (std::int32_t c = 0; c < columns; ++c) {
      const Real* const weights = of(sum.label, c);
      out[c] += shares.internal * internal(sum.label, c);
      if (leaf_position >= 0) out[c] += shares.leaf * static_cast<double>(weights[leaf_position]);
      if (sum.dense)
        out[c] += kernels::dot(sum.beyond.data(), weights, static_cast<std::int32_t>(sum.beyond.size()));
    }
  }
}

template class PartialTreeWeights<float>;
template class PartialTreeWeights<double>;

}  // namespace hedgerow::models
