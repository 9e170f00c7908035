// Rows of the subset tree kernel: one tree against all trees of an index.
#pragma once

#include <vector>

#include "kernels/subset_tree_index.hpp"
#include "kernels/subset_tree_vectors.hpp"
#include "kernels/wide.hpp"

namespace hedgerow::kernels {

// Scratch memory and code. One for each thread.
template <class Real>
class SubsetTreeRow {
 public:
  explicit SubsetTreeRow(const SubsetTreeIndex& index) : index_(index), vectors_(index) {}

  // Adds K(x, tree t) to row[t] for every tree of the index.
  void add(const data::TreeView& x, Total<Real>* row);

 private:
  void add_leaves(const data::TreeView& x, Total<Real>* row) const;
  void add_postings(std::int32_t production, const Real* d, Total<Real>* row) const;

  const SubsetTreeIndex& index_;
  SubsetTreeVectors<Real> vectors_;
  std::vector<std::int32_t> occurrences_;  // by production, in x; zero between calls
  std::vector<std::vector<Real>> sums_;    // vectors of nodes with one production, added up
  std::vector<std::int32_t> sum_of_;       // by production: its place in sums_
};

extern template class SubsetTreeRow<float>;
extern template class SubsetTreeRow<double>;
extern template class SubsetTreeRow<Wide>;

}  // namespace hedgerow::kernels
