#include "kernels/partial_tree_index.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace hedgerow::kernels {
namespace {

constexpr std::int32_t lanes = PartialTreeIndex::lanes;

constexpr std::int32_t worth_a_block = lanes / 2;  // with fewer subtrees of a production, each has its own

std::int32_t whole_lanes(std::int32_t n) { return (n + lanes - 1) / lanes * lanes; }

// The capacity of a production's next block, given how many subtrees it has: most have one only; blocks
// double the room, so that there are few of them and loops over one are long.
std::int32_t next_capacity(std::int32_t size) { return size < worth_a_block ? 1 : whole_lanes(size); }

}  // namespace

PartialTreeIndex::PartialTreeIndex(const PartialTreeParameters& parameters,
                                   std::shared_ptr<const data::Symbols> symbols)
    : parameters_(parameters), symbols_(std::move(symbols)) {}

void PartialTreeIndex::number(const data::TreeView& tree, std::int32_t* ids) {
  for (std::int32_t v = 0; v < tree.size; ++v) {
    key_.assign(1, tree.label[v]);
    for (std::int32_t child : tree.children(v)) key_.push_back(ids[child]);
    ids[v] = subtrees_.intern(key_);
  }
  position_.resize(subtrees_.size(), none);
}

void PartialTreeIndex::make_room(const data::Forest& forest, std::int32_t* ids) {
  std::vector<std::int32_t> expected(symbols_->productions.size(), 0);
  buckets_.resize(symbols_->labels.size());
  productions_.resize(expected.size());
  for (std::int64_t t = 0; t < forest.size(); ++t) {
    const data::TreeView tree = forest[t];
    std::int32_t* const tree_ids = ids + forest.tree_begin[t];
    const std::int32_t known = subtrees_.size();
    number(tree, tree_ids);
    std::int32_t next = known;
    for (std::int32_t v = 0; v < tree.size; ++v) {
      if (tree_ids[v] != next) continue;  // new ones are numbered in the order of the nodes
      ++next;
      if (tree.is_leaf(v))
        buckets_[tree.label[v]].leaf_position = buckets_[tree.label[v]].size++;
      else
        ++expected[tree.production[v]];
    }
  }
  for (std::size_t p = 0; p < expected.size(); ++p)
    if (expected[p] >= worth_a_block) add_block(static_cast<std::int32_t>(p), whole_lanes(expected[p]));
}

PartialTreeIndex::Bucket& PartialTreeIndex::bucket_for(std::int32_t label) {
  if (static_cast<std::size_t>(label) >= buckets_.size()) buckets_.resize(symbols_->labels.size());
  return buckets_[label];
}

PartialTreeIndex::Production& PartialTreeIndex::production_for(std::int32_t id) {
  if (static_cast<std::size_t>(id) >= productions_.size()) productions_.resize(symbols_->productions.size());
  return productions_[id];
}

void PartialTreeIndex::add_block(std::int32_t production, std::int32_t capacity) {
  Production& owner = production_for(production);
  const auto labels = symbols_->productions[production];
  Bucket& bucket = bucket_for(labels[0]);
  if (bucket.size > INT32_MAX - capacity) throw std::length_error("more than 2^31 subtrees with one label");
  const auto id = static_cast<std::int32_t>(blocks_.size());
  blocks_.push_back(
      {static_cast<std::int64_t>(child_positions_.size()), bucket.size, 0, capacity, production});
  child_positions_.resize(child_positions_.size() + (labels.size() - 1) * capacity, 0);
  bucket.size += capacity;
  owner.last_block = id;
}

void PartialTreeIndex::place(std::int32_t id, std::int32_t production) {
  const auto subtree = subtrees_[id];
  Bucket& bucket = bucket_for(subtree[0]);
  ++bucket.members;
  if (production == data::no_production) {
    if (bucket.leaf_position == none) bucket.leaf_position = bucket.size++;
    position_[id] = bucket.leaf_position;
    return;
  }
  Production& owner = production_for(production);
  if (owner.last_block == none || blocks_[owner.last_block].size == blocks_[owner.last_block].capacity)
    add_block(production, next_capacity(owner.size));
  ++owner.size;
  Block& block = blocks_[owner.last_block];
  if (block.size == 0) list_by_children(owner.last_block);
  for (std::size_t c = 0; c + 1 < subtree.size(); ++c)
    child_positions_[block.child_positions + c * block.capacity + block.size] = position_[subtree[c + 1]];
  position_[id] = block.first + block.size++;
}

void PartialTreeIndex::place(const data::TreeView& tree, const std::int32_t* ids) {
  for (std::int32_t v = 0; v < tree.size; ++v)
    if (position_[ids[v]] == none) place(ids[v], tree.production[v]);
}

bool PartialTreeIndex::restore(std::span<const std::int32_t> subtree, std::int32_t production) {
  const std::int32_t id = subtrees_.size();
  if (subtrees_.intern(subtree) != id) return false;
  position_.push_back(none);
  place(id, production);
  return true;
}

void PartialTreeIndex::list_by_children(std::int32_t block) {
  const auto labels = symbols_->productions[blocks_[block].production];
  for (std::int32_t child : labels.subspan(1)) {
    const std::int32_t key[] = {labels[0], child};
    const std::int32_t list = child_lists_.intern(key);
    if (static_cast<std::size_t>(list) == blocks_with_child_.size()) blocks_with_child_.emplace_back();
    auto& blocks = blocks_with_child_[list];
    if (blocks.empty() || blocks.back() != block) blocks.push_back(block);
  }
  ++buckets_[labels[0]].blocks;
}

void PartialTreeIndex::insert(const data::TreeView& tree, const std::int32_t* ids) {
  place(tree, ids);
  for (std::int32_t v = 0; v < tree.size; ++v) {
    Bucket& bucket = buckets_[tree.label[v]];
    bucket.last_rank = bucket.last_tree == size_ ? std::min(bucket.last_rank + 1, 3) : 0;
    bucket.last_tree = size_;
    Postings& postings = bucket.nodes[bucket.last_rank];
    postings.tree.push_back(size_);
    postings.position.push_back(position_[ids[v]]);
  }
  ++size_;
}

}  // namespace hedgerow::kernels
