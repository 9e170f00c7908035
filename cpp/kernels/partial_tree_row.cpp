#include "kernels/partial_tree_row.hpp"

namespace hedgerow::kernels {

template <class Real>
void PartialTreeRow<Real>::add(const data::TreeView& x, Total<Real>* row) {
  sums_.compute(x);
  sums_.write_singles();  // which there are depends on the other trees, and values must not, to the last bit
  for (auto& label : sums_.labels()) add_label(*index_.bucket(label.label), label, row);
}

template <class Real>
Total<Real> PartialTreeRow<Real>::add_by_label(const data::TreeView& x, Total<Real>* of_label) {
  sums_.compute(x);
  sums_.write_singles();
  Total<Real> total(0);
  for (auto& label : sums_.labels()) {
    Total<Real> value(0);
    add_label(*index_.bucket(label.label), label, &value);
    if (of_label) of_label[label.label] = value;
    total += value;
  }
  return total;
}

template <class Real>
void PartialTreeRow<Real>::add_label(const PartialTreeIndex::Bucket& bucket,
                                     typename PartialTreeSums<Real>::Label& sum, Total<Real>* row) {
  const PartialTreeParameters& parameters = index_.parameters();
  if (!sum.dense && !parameters.lexical) return;
  const auto [internal, leaf] = sum.shares_of_single_nodes(parameters);
  const bool all_leaves = bucket.size == 1 && bucket.leaf_position == 0,
             some_leaves = bucket.leaf_position >= 0;
  Real common = static_cast<Real>(internal);
  if (sum.dense && some_leaves) {  // not the same for all: write it into the vector
    for (Real& value : sum.beyond) value += common;
    sum.beyond[bucket.leaf_position] = static_cast<Real>(leaf);
    common = Real(0);
  }
  const Total<Real> single = all_leaves ? leaf : internal;
  for (const PartialTreeIndex::Postings& postings : bucket.nodes) {
    const std::size_t n = postings.tree.size();
    const std::int32_t* const tree = postings.tree.data();
    const std::int32_t* const position = postings.position.data();
    if (sum.dense) {
      const Real* const values = sum.beyond.data();
      for (std::size_t e = 0; e < n; ++e)
        row[tree[e]] += static_cast<Total<Real>>(values[position[e]] + common);
    } else if (some_leaves && !all_leaves) {
      for (std::size_t e = 0; e < n; ++e)
        row[tree[e]] += position[e] == bucket.leaf_position ? leaf : internal;
    } else {
      for (std::size_t e = 0; e < n; ++e) row[tree[e]] += single;
    }
  }
}

template class PartialTreeRow<float>;
template class PartialTreeRow<double>;
template class PartialTreeRow<Wide>;

}  // namespace hedgerow::kernels
