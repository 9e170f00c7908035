// A finished subset tree model, laid out for nothing but scoring.
//
// As in the index, members of a bucket whose child matches are listed by the child's place and production.
// But here a bucket is sorted by its children at one place, the one with the longest lists: these become
// ranges, which need no scattered access. All arrays are contiguous.
#pragma once

#include <vector>

#include "kernels/arena.hpp"
#include "kernels/loops.hpp"
#include "kernels/subset_tree_index.hpp"
#include "models/subtree_weights.hpp"

namespace hedgerow::models {

// Real: of D and of the weights. Sums over buckets are double.
template <class Real>
class FrozenSubsetTrees {
 public:
  // Memory for one thread.
  struct Scratch {
    kernels::Arena<Real> arena;
    std::vector<std::size_t> place, low;  // of each node's vector
  };

  // The index must stay as it is.
  FrozenSubsetTrees(const kernels::SubsetTreeIndex& index, const SubtreeWeights& weights,
                    std::int32_t columns);

  // Adds to out[c] the sum over nodes of x and distinct subtrees of weight_c * D.
  void add_scores(const data::TreeView& x, std::int32_t columns, double* out, Scratch& scratch) const;

  // ---- as SubtreeShares ask for it

  const kernels::SubsetTreeIndex& index() const { return index_; }
  // A number that grows when the weights of a production change.
  std::int64_t changed(std::int32_t) const { return 0; }
  // Multiplies the members of a match list, in d, by 1 + D of the child, which is `common` for all where
  // `below` is null.
  void multiply(std::int32_t list, const Real* below, Real common, Real* d) const;
  // Adds to out[c] weights_c times d.
  void add_dots(std::int32_t production, std::int32_t columns, const Real* d, std::int32_t size,
                double* out) const {
    for (std::int32_t c = 0; c < columns; ++c)
      out[c] += scale_[c] * kernels::dot(d, weights_[c].data() + begin_[production], size);
  }

 private:
  // Members of a bucket that match in a child; see SubsetTreeIndex::Match.
  struct List {
    std::size_t begin = 0;  // in member_ and child_
    std::int32_t size = 0;
    bool is_range = false;  // members follow one another
  };

  // Gives subtrees their positions in the sorted buckets; returns by which place each bucket is sorted.
  std::vector<std::int32_t> sort_buckets();
  void fill_lists(const std::vector<std::int32_t>& sorted_by);
  void fill_weights(const SubtreeWeights& weights, std::int32_t columns);

  const kernels::SubsetTreeIndex& index_;
  std::vector<std::int32_t> begin_;     // by production: where its bucket starts in subtree_ and the weights
  std::vector<std::int32_t> subtree_;   // ids, bucket by bucket
  std::vector<std::int32_t> position_;  // by subtree, in its bucket
  std::vector<List> lists_;             // by the number of the list in the index
  std::vector<std::int32_t> member_, child_;
  std::vector<std::vector<Real>> weights_;  // by column
  std::vector<double> scale_;               // by column: what sums of its weights are to be multiplied with
};

// Whether single precision can hold products of D, where single_suffices, and these weights.
bool single_holds(const kernels::SubsetTreeIndex& index, const SubtreeWeights& weights, std::int32_t columns);

extern template class FrozenSubsetTrees<float>;
extern template class FrozenSubsetTrees<double>;

}  // namespace hedgerow::models
