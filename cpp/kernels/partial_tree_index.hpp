// The distinct subtrees of many trees, laid out for the partial tree kernel.
//
// Every distinct subtree is kept once, at a position in the bucket of its label. Many subtrees of one
// production lie together in blocks, so that all members of a block share the labels of their children and
// loops over them are contiguous; the few of a rare production have blocks of their own. Positions never
// change: a production that outgrows its blocks gets another, larger one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "data/forest.hpp"
#include "kernels/tree_parameters.hpp"
#include "platform.hpp"

namespace hedgerow::kernels {

class PartialTreeIndex {
 public:
  static constexpr std::int32_t none = -1;

  // Distinct subtrees of one production: positions [first, first + size) in the bucket of the label. Member s
  // has its child c at child_positions(block)[c * capacity + s], a position in the bucket of that child's
  // label. The capacity is 1, or a multiple of `lanes`, so that loops may run over the end (child positions
  // there are 0).
  struct Block {
    std::int64_t child_positions = 0;  // where they start in the common array
    std::int32_t first = 0, size = 0, capacity = 0;
    std::int32_t production = 0;
  };
  struct Postings {
    std::vector<std::int32_t> tree, position;
  };
  struct Bucket {
    std::int32_t size = 0;              // positions; some may not be taken yet
    std::int32_t members = 0;           // distinct subtrees with this label at the root that have a position
    std::int32_t blocks = 0;            // that have members
    std::int32_t leaf_position = none;  // of the one that is a leaf
    // Every node with this label, by its rank among those of its tree (0, 1, 2, or more). Within a list trees
    // differ, so that adding to a row does not have to wait for the addition before.
    std::array<Postings, 4> nodes;
    std::int32_t last_tree = none, last_rank = 0;  // of the node added last
  };
  static constexpr std::int32_t lanes = 8;

  // An index of trees over one vocabulary, which may grow.
  PartialTreeIndex(const PartialTreeParameters& parameters, std::shared_ptr<const data::Symbols> symbols);

  // Gives every node of a tree the id of its subtree: the distinct ones are numbered as they come.
  void number(const data::TreeView& tree, std::int32_t* ids);
  // Numbers the trees of a forest that will all be inserted, and gives frequent productions a block of the
  // right size. For an empty index. `ids` has a place for each node.
  void make_room(const data::Forest& forest, std::int32_t* ids);
  // Adds a tree, with its ids, as number size().
  void insert(const data::TreeView& tree, const std::int32_t* ids);
  // Gives positions to the subtrees of a tree without adding it: it is in no row.
  void place(const data::TreeView& tree, const std::int32_t* ids);
  // Adds a subtree, a label and the ids of the children, as it comes first: the order alone fixes all
  // positions. Returns whether it was new.
  bool restore(std::span<const std::int32_t> subtree, std::int32_t production);
  std::int32_t size() const { return size_; }
  const PartialTreeParameters& parameters() const { return parameters_; }

  // Distinct subtrees: a label, then the ids of the children.
  const data::SequenceTable<std::int32_t>& subtrees() const { return subtrees_; }
  // Of a subtree in the bucket of its label; none before it was placed.
  std::int32_t position(std::int32_t id) const { return position_[id]; }

  // Null for labels that no subtree has.
  const Bucket* bucket(std::int32_t label) const {
    const bool known = static_cast<std::size_t>(label) < buckets_.size();
    return known && buckets_[label].members > 0 ? &buckets_[label] : nullptr;
  }
  // Children of all subtrees, about.
  std::size_t n_children() const { return child_positions_.size(); }
  const Block& block(std::int32_t id) const { return blocks_[id]; }
  void prefetch(std::int32_t block) const { hedgerow::prefetch(&blocks_[block]); }
  const std::int32_t* child_positions(const Block& block) const {
    return child_positions_.data() + block.child_positions;
  }
  std::span<const std::int32_t> child_labels(const Block& block) const {
    return symbols_->productions[block.production].subspan(1);
  }
  // The blocks, in order of arrival, of the productions of `label` that have a child labelled `child`; null
  // when there are none.
  const std::vector<std::int32_t>* blocks_with_child(std::int32_t label, std::int32_t child) const {
    const std::int32_t key[] = {label, child};
    const std::int32_t id = child_lists_.find(key);
    return id < 0 ? nullptr : &blocks_with_child_[id];
  }

 private:
  struct Production {
    std::int32_t size = 0;
    std::int32_t last_block = none;
  };

  // Gives a numbered subtree its position, after its children have theirs. `production` is that of its root.
  void place(std::int32_t id, std::int32_t production);
  Bucket& bucket_for(std::int32_t label);
  Production& production_for(std::int32_t id);
  // Appends a block for the production's next subtrees.
  void add_block(std::int32_t production, std::int32_t capacity);
  void list_by_children(std::int32_t block);

  PartialTreeParameters parameters_;
  std::shared_ptr<const data::Symbols> symbols_;
  std::int32_t size_ = 0;
  data::SequenceTable<std::int32_t> subtrees_;
  std::vector<std::int32_t> position_;   // by subtree
  std::vector<Bucket> buckets_;          // by label
  std::vector<Production> productions_;  // by id
  std::vector<Block> blocks_;
  std::vector<std::int32_t> child_positions_;
  data::SequenceTable<std::int32_t> child_lists_;  // label, label of a child
  std::vector<std::vector<std::int32_t>> blocks_with_child_;
  std::vector<std::int32_t> key_;  // scratch
};

}  // namespace hedgerow::kernels
