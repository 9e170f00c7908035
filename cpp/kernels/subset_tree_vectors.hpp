// D(n, .) for the nodes n of a tree: one vector over the bucket of n's production each.
#pragma once

#include <vector>

#include "kernels/arena.hpp"
#include "kernels/loops.hpp"
#include "kernels/subset_tree_index.hpp"
#include "limits.hpp"

namespace hedgerow::kernels {

// Scratch memory and code. One for each thread.
template <class Real>
class SubsetTreeVectors {
 public:
  explicit SubsetTreeVectors(const SubsetTreeIndex& index) : index_(index) {}

  // Calls visit(production, d, size) for the internal nodes of x in post-order, those with an empty bucket
  // left out: d[s] is D of the node and member s of the bucket, until visit returns.
  template <class Visit>
  void compute(const data::TreeView& x, Visit&& visit) {
    check_pairs_of(index_, x);
    LongWork work;
    arena_.clear();
    place_.resize(x.size);
    low_.resize(x.size);
    for (std::int32_t v = 0; v < x.size; ++v) {
      place_[v] = nowhere;
      if (x.is_leaf(v)) {
        low_[v] = arena_.top();
        continue;
      }
      const auto children = x.children(v);
      low_[v] = low_[children[0]];
      const SubsetTreeIndex::Bucket bucket = index_.bucket(x.production[v]);
      if (bucket.size == 0) continue;
      work.add(bucket.size);
      const std::size_t place = arena_.take(bucket.size);
      Real* const d = arena_.at(place);
      fill_with(d, bucket.size, static_cast<Real>(index_.parameters().decay));
      for (std::size_t i = 0; i < children.size(); ++i) {
        const std::int32_t child = children[i];
        if (place_[child] == nowhere) continue;
        const std::int32_t list =
            index_.match_list(bucket, static_cast<std::int32_t>(i), x.production[child]);
        if (list < 0) continue;
        const Real* const below = arena_.at(place_[child]);
        if (index_.bucket(x.production[child]).size == 1) {  // a word with its tag, as many are
          const Real factor = Real(1) + below[0];
          for (const auto match : index_.matches(list)) d[match.member] *= factor;
        } else {
          for (const auto match : index_.matches(list)) d[match.member] *= Real(1) + below[match.child];
        }
      }
      place_[v] = arena_.settle(place, bucket.size, low_[v]);
      visit(x.production[v], static_cast<const Real*>(arena_.at(place_[v])), bucket.size);
    }
  }

 private:
  static constexpr std::size_t nowhere = SIZE_MAX;

  const SubsetTreeIndex& index_;
  Arena<Real> arena_;
  std::vector<std::size_t> place_, low_;  // of each node's vector
};

}  // namespace hedgerow::kernels
