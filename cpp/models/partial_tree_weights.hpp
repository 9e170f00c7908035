// Weights of the distinct subtrees of a partial tree index, and sums of D with them.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/partial_tree_index.hpp"
#include "kernels/partial_tree_sums.hpp"

namespace hedgerow::models {

// Columns of weights, by label and position. What single nodes are worth is the same for all internal nodes
// of a label, so their weights are also kept added up.
template <class Real>
class PartialTreeWeights {
 public:
  explicit PartialTreeWeights(std::int32_t columns) : columns_(columns) {}

  // Makes room for what the index holds under this label; new weights are 0.
  void fit(const kernels::PartialTreeIndex& index, std::int32_t label);

  // The weights of a label, by position. The label must have been fitted.
  Real* of(std::int32_t label, std::int32_t column) {
    return labels_[label].weights.data() + static_cast<std::size_t>(column) * labels_[label].capacity;
  }
  const Real* of(std::int32_t label, std::int32_t column) const {
    return labels_[label].weights.data() + static_cast<std::size_t>(column) * labels_[label].capacity;
  }
  // The sum of the weights of the internal nodes.
  double& internal(std::int32_t label, std::int32_t column) {
    return internal_[static_cast<std::size_t>(label) * columns_ + column];
  }
  double internal(std::int32_t label, std::int32_t column) const {
    return internal_[static_cast<std::size_t>(label) * columns_ + column];
  }

  void scale(std::int32_t column, Real factor) {
    for (Label& label : labels_) {
      Real* const weights = label.weights.data() + static_cast<std::size_t>(column) * label.capacity;
      for (std::int32_t i = 0; i < label.capacity; ++i) weights[i] *= factor;
    }
    for (std::size_t i = column; i < internal_.size(); i += columns_) internal_[i] *= factor;
  }

  // Adds to out[c] the sum over all subtrees s of weight(s, c) * (sum over the nodes n of x of what D(n, s)
  // counts for), for the first `columns` columns. `sums` are those of x.
  void add_scores(const kernels::PartialTreeIndex& index, kernels::PartialTreeSums<Real>& sums,
                  std::int32_t columns, double* out) const;

 private:
  struct Label {
    std::int32_t capacity = 0;  // of a column
    std::vector<Real> weights;  // column by column
  };

  std::int32_t columns_;
  std::vector<Label> labels_;
  std::vector<double> internal_;  // label by label
};

extern template class PartialTreeWeights<float>;
extern template class PartialTreeWeights<double>;

}  // namespace hedgerow::models
