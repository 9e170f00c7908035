// Rows of the partial tree kernel: one tree against all trees of an index.
#pragma once

#include "data/forest.hpp"
#include "kernels/partial_tree_index.hpp"
#include "kernels/partial_tree_sums.hpp"
#include "kernels/wide.hpp"

namespace hedgerow::kernels {

// One for each thread. The index may grow between calls.
template <class Real>
class PartialTreeRow {
 public:
  explicit PartialTreeRow(const PartialTreeIndex& index) : index_(index), sums_(index) {}

  // Adds K(x, tree t) to row[t] for every tree of the index.
  void add(const data::TreeView& x, Total<Real>* row);

  // Of an index of one tree: K(x, tree), and what the nodes of each label add to it, if asked for.
  Total<Real> add_by_label(const data::TreeView& x, Total<Real>* of_label);

  PartialTreeSums<Real>& sums() { return sums_; }

 private:
  void add_label(const PartialTreeIndex::Bucket& bucket, typename PartialTreeSums<Real>::Label& sum,
                 Total<Real>* row);

  const PartialTreeIndex& index_;
  PartialTreeSums<Real> sums_;
};

extern template class PartialTreeRow<float>;
extern template class PartialTreeRow<double>;
extern template class PartialTreeRow<Wide>;

}  // namespace hedgerow::kernels
