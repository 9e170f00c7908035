#include "kernels/subset_tree_row.hpp"

#include <algorithm>

namespace hedgerow::kernels {

template <class Real>
void SubsetTreeRow<Real>::add(const data::TreeView& x, Total<Real>* row) {
  if (index_.parameters().bag_of_words) add_leaves(x, row);
  std::int32_t production_end = 0;
  for (std::int32_t v = 0; v < x.size; ++v) production_end = std::max(production_end, x.production[v] + 1);
  if (static_cast<std::size_t>(production_end) > occurrences_.size()) {
    occurrences_.resize(production_end, 0);
    sum_of_.resize(production_end, -1);
  }
  for (std::int32_t v = 0; v < x.size; ++v)
    if (index_.bucket(x.production[v]).size > 0) ++occurrences_[x.production[v]];

  std::size_t sums_used = 0;
  vectors_.compute(x, [&](std::int32_t production, const Real* d, std::int32_t bucket_size) {
    std::int32_t& left = occurrences_[production];
    if (sum_of_[production] < 0) {
      if (left == 1) {  // the only node of its production
        add_postings(production, d, row);
        left = 0;
        return;
      }
      sum_of_[production] = static_cast<std::int32_t>(sums_used++);
      if (sums_.size() < sums_used) sums_.emplace_back();
      sums_[sums_used - 1].assign(d, d + bucket_size);
    } else {
      Real* sum = sums_[sum_of_[production]].data();
      for (std::int32_t s = 0; s < bucket_size; ++s) sum[s] += d[s];
      if (left == 1) {
        add_postings(production, sum, row);
        sum_of_[production] = -1;
      }
    }
    --left;
  });
}

template <class Real>
void SubsetTreeRow<Real>::add_leaves(const data::TreeView& x, Total<Real>* row) const {
  for (std::int32_t v = 0; v < x.size; ++v) {
    if (!x.is_leaf(v)) continue;
    if (const auto* trees = index_.leaf_postings(x.label[v]))
      for (std::int32_t tree : *trees) row[tree] += index_.parameters().decay;
  }
}

template <class Real>
void SubsetTreeRow<Real>::add_postings(std::int32_t production, const Real* d, Total<Real>* row) const {
  if (index_.bucket(production).size == 1) {
    const auto value = static_cast<Total<Real>>(d[0]);
    for (const auto [tree, position] : index_.postings(production)) row[tree] += value;
  } else {
    for (const auto [tree, position] : index_.postings(production))
      row[tree] += static_cast<Total<Real>>(d[position]);
  }
}

template class SubsetTreeRow<float>;
template class SubsetTreeRow<double>;
template class SubsetTreeRow<Wide>;

}  // namespace hedgerow::kernels
