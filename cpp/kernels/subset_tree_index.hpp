// The collapsed evaluation of the subset tree kernel: one tree against many.
//
// Many trees hold few distinct subtrees. Every distinct subtree (by its internal nodes) is kept once, in the
// bucket of its production. For a tree x, D(n, .) of a node n is a vector over the bucket of n's production:
//
//   D(n, s) = decay * prod over children internal in both, of equal production, of (1 + D(child of n, child
//   of s))
//
// Most members of a bucket have children with other productions than n and keep the value decay; those that
// match in a child are listed, by the child's place and production. So no node pairs are searched for.
#pragma once

#include <vector>

#include "data/forest.hpp"
#include "kernels/arena.hpp"
#include "kernels/tree_parameters.hpp"
#include "kernels/wide.hpp"

namespace hedgerow {

class SubsetTreeIndex {
 public:
  // A member of a bucket, and the position of its child in the bucket of the child's production.
  struct Match {
    std::int32_t member, child;
  };
  // Where subtrees of a bucket occur, in order of trees.
  struct Postings {
    std::vector<std::int32_t> tree;
    std::vector<std::int32_t> position;
  };

  explicit SubsetTreeIndex(const SubsetTreeParameters& parameters) : parameters_(parameters) {}

  // Gives every node of a tree the id of its subtree, -1 for leaves. May run beside rows, which do not look
  // at ids.
  void number(const TreeView& tree, std::int32_t* ids);
  // Adds a tree, with its ids, as number size(). All trees must share one vocabulary.
  void insert(const TreeView& tree, const std::int32_t* ids);
  std::int32_t size() const { return size_; }
  const SubsetTreeParameters& parameters() const { return parameters_; }

  // Number of distinct subtrees with this production.
  std::int32_t bucket_size(std::int32_t production) const {
    return static_cast<std::size_t>(production) < bucket_size_.size() ? bucket_size_[production] : 0;
  }
  // Members of the production's bucket whose child at `place` has the production `child`.
  std::span<const Match> matches(std::int32_t production, std::int32_t place, std::int32_t child) const {
    const std::int32_t key[] = {production, place, child};
    const std::int32_t id = match_lists_.find(key);
    if (id < 0) return {};
    return matches_[id];
  }
  const Postings& postings(std::int32_t production) const { return postings_[production]; }
  // Trees in which the label is a leaf, once for each time; null when there are none.
  const std::vector<std::int32_t>* leaf_postings(std::int32_t label) const {
    return static_cast<std::size_t>(label) < leaves_.size() ? &leaves_[label] : nullptr;
  }

 private:
  void add_member(const TreeView& tree, std::int32_t node, const std::int32_t* ids);

  SubsetTreeParameters parameters_;
  std::int32_t size_ = 0;
  SequenceTable<std::int32_t> subtrees_;  // production, then the ids of the children (-1 for leaves)
  std::vector<std::int32_t> position_;    // of a subtree in its bucket
  std::vector<std::int32_t>
      preterminal_;  // by production: the id of the subtree with leaves only; -1: none yet
  std::vector<std::int32_t> bucket_size_;    // by production
  std::vector<Postings> postings_;           // by production
  SequenceTable<std::int32_t> match_lists_;  // production, place of a child, production of the child
  std::vector<std::vector<Match>> matches_;
  std::vector<std::vector<std::int32_t>> leaves_;  // by label; only for bag_of_words
  std::vector<std::int32_t> key_;                  // scratch of number
};

// Scratch memory and code to compare a tree with all trees of an index. One for each thread.
template <class Real>
class SubsetTreeRow {
 public:
  explicit SubsetTreeRow(const SubsetTreeIndex& index) : index_(index) {}

  // Adds K(x, tree t) to row[t] for every tree of the index.
  void add(const TreeView& x, Total<Real>* row);

 private:
  void compute(const TreeView& x, std::int32_t node, std::int32_t bucket_size);
  void add_postings(std::int32_t production, const Real* d, Total<Real>* row);

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
extern template class SubsetTreeRow<Wide>;

}  // namespace hedgerow
