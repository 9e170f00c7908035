// Distinct subtrees for those who go over a batch of trees.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "data/forest.hpp"
#include "data/subtree_blocks.hpp"
#include "models/kept_subtrees.hpp"

namespace hedgerow::models {

// As they are kept, or else numbered, and kept if the pass goes over all blocks.
class PassSubtrees {
 public:
  PassSubtrees(KeptSubtrees& kept, const data::Forest& forest)
      : kept_(kept), forest_(forest), known_(kept.find()) {
    if (!known_ && block_size() >= smallest) fresh_ = std::make_shared<KeptSubtrees::Blocks>(blocks());
  }

  // Few enough trees that threads end together, and not too many subtrees for their memory.
  std::int64_t block_size() const { return std::clamp<std::int64_t>(forest_.size() / 32, 1, 1024); }
  std::int64_t blocks() const { return (forest_.size() + block_size() - 1) / block_size(); }

  // Null in batches that are too short. For several threads, each with a numbering of its own, but one a
  // block.
  const data::SubtreeBlock* operator()(std::int64_t block, data::SubtreeNumbering& numbering) {
    if (known_) return &(*known_)[block];
    if (!fresh_) return nullptr;
    const std::int64_t begin = block * block_size();
    (*fresh_)[block] = numbering.number(forest_, begin, std::min(begin + block_size(), forest_.size()));
    return &(*fresh_)[block];
  }

  // At the end of the pass, if it has asked for all of them.
  void keep() {
    if (fresh_) kept_.keep(std::move(fresh_));
  }

 private:
  static constexpr std::int64_t smallest = 64;  // block that has much in common

  KeptSubtrees& kept_;
  const data::Forest& forest_;
  std::shared_ptr<const KeptSubtrees::Blocks> known_;
  std::shared_ptr<KeptSubtrees::Blocks> fresh_;
};

// Subtrees for those who look at the trees of a batch one after the other, and at some in another order.
class SubtreesInTurn {
 public:
  void open(const data::Forest& forest) {
    forest_ = &forest;
    stop();
    last_ = -1;
  }
  // No tree has numbers until the next block.
  void stop() { end_ = 0; }

  // Whether the item, and those that follow it, have numbers: those of a block that is new when `is_new`.
  bool numbers(std::int64_t item, bool& is_new) {
    is_new = item % block_size == 0 && item + block_size <= forest_->size() && item == last_ + 1;
    last_ = item;
    if (is_new) {
      block_ = numbering_.number(*forest_, item, item + block_size);
      begin_ = item;
      end_ = block_.size() > 0 ? item + block_size : 0;
    }
    return begin_ <= item && item < end_;
  }
  const data::SubtreeBlock& block() const { return block_; }
  std::span<const data::SubtreeBlock::Number> of_tree(std::int64_t item) const {
    return block_.of_tree(item - begin_);
  }

 private:
  static constexpr std::int64_t block_size = 1024;

  const data::Forest* forest_ = nullptr;
  std::int64_t begin_ = 0, end_ = 0;  // of the block
  std::int64_t last_ = -1;
  data::SubtreeBlock block_;
  data::SubtreeNumbering numbering_;
};

}  // namespace hedgerow::models
