// The collapsed evaluation of the subset tree kernel: one tree against many.
//
// Many trees hold few distinct subtrees. Every distinct subtree (by its internal nodes) is kept once, in the bucket
// of its production. For a tree x, D(n, .) of a node n is a vector over the bucket of n's production, computed from
// the vectors of n's children:
//
//   D(n, s) = decay * prod over children internal in both, of equal production, of (1 + D(child of n, child of s))
//
// so no node pairs are searched for, and loops run over contiguous arrays.
#pragma once

#include <vector>

#include "data/forest.hpp"
#include "kernels/arena.hpp"
#include "kernels/tree_parameters.hpp"

namespace hedgerow {

class SubsetTreeIndex {
 public:
  // Subtrees whose child at one place is internal: that child's production, and its position in its own bucket.
  struct Slot {
    std::int32_t child;                    // which child of the production
    std::vector<std::int32_t> production;  // one entry a subtree of the bucket; no_production for a leaf
    std::vector<std::int32_t> position;
  };
  struct Bucket {
    std::int32_t size = 0;    // distinct subtrees
    std::vector<Slot> slots;  // places where some subtree has an internal child
  };
  // Where subtrees of a bucket occur, in order of trees.
  struct Postings {
    std::vector<std::int32_t> tree;
    std::vector<std::int32_t> position;
  };

  explicit SubsetTreeIndex(const SubsetTreeParameters& parameters) : parameters_(parameters) {}

  // Adds a tree as number size(). All trees must share one (growing) vocabulary.
  void insert(const TreeView& tree);
  std::int32_t size() const { return size_; }
  const SubsetTreeParameters& parameters() const { return parameters_; }

  // Null for productions that no tree of the index has.
  const Bucket* bucket(std::int32_t production) const {
    const bool known = production >= 0 && static_cast<std::size_t>(production) < buckets_.size();
    return known && buckets_[production].size > 0 ? &buckets_[production] : nullptr;
  }
  const Postings& postings(std::int32_t production) const { return postings_[production]; }
  // Trees in which the label is a leaf, once for each time; null when there are none.
  const std::vector<std::int32_t>* leaf_postings(std::int32_t label) const {
    return static_cast<std::size_t>(label) < leaves_.size() ? &leaves_[label] : nullptr;
  }

 private:
  void add_to_bucket(std::int32_t production, const TreeView& tree, std::int32_t node);

  SubsetTreeParameters parameters_;
  std::int32_t size_ = 0;
  SequenceTable<std::int32_t> subtrees_;  // production, then the ids of the children (-1 for leaves)
  std::vector<std::int32_t> position_;    // of a subtree in its bucket
  std::vector<Bucket> buckets_;           // by production
  std::vector<Postings> postings_;        // by production
  std::vector<std::vector<std::int32_t>> leaves_;  // by label; only for bag_of_words
  std::vector<std::int32_t> ids_, key_;   // scratch: subtree ids of the tree being inserted
};

// Scratch memory and code to compare a tree with all trees of an index. One for each thread.
template <class Real>
class SubsetTreeRow {
 public:
  explicit SubsetTreeRow(const SubsetTreeIndex& index) : index_(index) {}

  // Adds K(x, tree t) to row[t] for every tree of the index.
  void add(const TreeView& x, double* row);

 private:
  void compute(const TreeView& x, std::int32_t node, const SubsetTreeIndex::Bucket& bucket);
  void add_postings(std::int32_t production, const SubsetTreeIndex::Bucket& bucket, const Real* d, double* row);

  const SubsetTreeIndex& index_;
  Arena<Real> arena_;
  std::vector<std::size_t> place_, low_;   // of each node's vector
  std::vector<std::int32_t> occurrences_;  // by production, in x; zero between calls
  std::vector<std::vector<Real>> sums_;    // vectors of nodes with one production, added up
  std::vector<std::int32_t> sum_of_;       // by production: its place in sums_
};

// Whether D in single precision keeps K(x, .) within a relative error of 1e-5, whatever the other tree is.
bool single_suffices(const TreeView& x, const SubsetTreeParameters& parameters);

extern template class SubsetTreeRow<float>;
extern template class SubsetTreeRow<double>;

}  // namespace hedgerow
