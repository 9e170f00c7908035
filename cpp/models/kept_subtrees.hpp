// Distinct subtrees of the trees of a batch, which every pass over the same trees needs anew.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "brief_mutex.hpp"
#include "data/subtree_blocks.hpp"

namespace hedgerow::models {

// Block by block; pass_subtrees.hpp says what these are.
class KeptSubtrees {
 public:
  using Blocks = std::vector<data::SubtreeBlock>;

  // Null when there are none.
  std::shared_ptr<const Blocks> find() const {
    const std::lock_guard lock(brief_mutex(this));
    return blocks_;
  }
  void keep(std::shared_ptr<const Blocks> blocks) {
    const std::lock_guard lock(brief_mutex(this));
    blocks_.swap(blocks);
  }

 private:
  std::shared_ptr<const Blocks> blocks_;
};

}  // namespace hedgerow::models
