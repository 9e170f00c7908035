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
#include "kernels/pair_table.hpp"
#include "kernels/tree_parameters.hpp"
#include "kernels/wide.hpp"

namespace hedgerow::kernels {

class SubsetTreeIndex {
 public:
  // A member of a bucket, and the position of its child in the bucket of the child's production.
  struct Match {
    std::int32_t member, child;
  };
  // The distinct subtrees of one production.
  struct Bucket {
    std::int32_t size = 0;
    std::int32_t first_place = 0;  // the places of children are numbered throughout
  };
  // Where a subtree of a bucket occurs.
  struct Posting {
    std::int32_t tree, position;
  };

  explicit SubsetTreeIndex(const SubsetTreeParameters& parameters) : parameters_(parameters) {}

  // Gives every node of a tree the id of its subtree, -1 for leaves. May run beside rows, which do not look
  // at ids.
  void number(const data::TreeView& tree, std::int32_t* ids);
  // Adds a tree, with its ids, as number size(). All trees must share one vocabulary.
  void insert(const data::TreeView& tree, const std::int32_t* ids);
  std::int32_t size() const { return size_; }  // trees
  const SubsetTreeParameters& parameters() const { return parameters_; }

  // Of a production, which may be unknown or negative.
  Bucket bucket(std::int32_t production) const {
    return static_cast<std::size_t>(production) < buckets_.size() ? buckets_[production] : Bucket();
  }
  std::int32_t productions() const { return static_cast<std::int32_t>(buckets_.size()); }
  std::int32_t places() const { return places_; }
  // The list of members of the bucket whose child at `place` has the production `child`; negative: none.
  std::int32_t match_list(const Bucket& bucket, std::int32_t place, std::int32_t child) const {
    return match_lists_.find(bucket.first_place + place, child);
  }
  std::int32_t match_lists() const { return match_lists_.size(); }
  std::span<const Match> matches(std::int32_t list) const { return matches_[list]; }
  // Distinct subtrees: ids from 0 on, each with a key (production, then the ids of the children, -1 for
  // leaves) and a position in the bucket of its production.
  std::int32_t subtrees() const { return static_cast<std::int32_t>(position_.size()); }
  std::span<const std::int32_t> key(std::int32_t subtree) const { return subtrees_[subtree]; }
  std::int32_t production(std::int32_t subtree) const { return subtrees_[subtree][0]; }
  std::int32_t position(std::int32_t subtree) const { return position_[subtree]; }
  // Adds a subtree by its key, whose children must have been added before; false when it was there already.
  bool add_subtree(std::span<const std::int32_t> key);
  // In order of trees.
  std::span<const Posting> postings(std::int32_t production) const { return postings_[production]; }
  // Trees in which the label is a leaf, once for each time; null when there are none.
  const std::vector<std::int32_t>* leaf_postings(std::int32_t label) const {
    return static_cast<std::size_t>(label) < leaves_.size() ? &leaves_[label] : nullptr;
  }

 private:
  void remember_preterminal(std::int32_t production, std::int32_t subtree);
  // Puts the subtree, the next that has no position yet, into its bucket.
  void add_member(std::int32_t subtree);

  SubsetTreeParameters parameters_;
  std::int32_t size_ = 0;
  data::SequenceTable<std::int32_t> subtrees_;  // production, then the ids of the children (-1 for leaves)
  std::vector<std::int32_t> position_;          // of a subtree in its bucket
  std::vector<std::int32_t>
      preterminal_;              // by production: the id of the subtree with leaves only; -1: none yet
  std::vector<Bucket> buckets_;  // by production
  std::vector<std::vector<Posting>> postings_;  // by production
  std::int32_t places_ = 0;
  PairTable match_lists_;  // place of a child, production of the child
  std::vector<std::vector<Match>> matches_;
  std::vector<std::vector<std::int32_t>> leaves_;  // by label; only for bag_of_words
  std::vector<std::int32_t> key_;                  // scratch of number
};

// Throws when the nodes of x have to be compared with too many members of buckets.
bool may_exceed_pairs(const SubsetTreeIndex& index, const data::TreeView& x);
void check_pairs_of(const SubsetTreeIndex& index, const data::TreeView& x);

// Whether D in single precision keeps K(x, .) within a relative error of 1e-5, whatever the other tree is.
bool single_suffices(const data::TreeView& x, const SubsetTreeParameters& parameters);

}  // namespace hedgerow::kernels
