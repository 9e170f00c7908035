// Trees in numbered slots, in a vocabulary of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/tree_features.hpp"
#include "models/items.hpp"
#include "models/state.hpp"
#include "models/texts.hpp"

namespace hedgerow {

class TreeStore {
 public:
  using Item = CodedTree;
  struct Scratch {};

  // A batch as others than the learner read it: on several threads.
  class Reader {
   public:
    Reader(const TreeStore& store, const Items& batch, std::int64_t begin, std::int64_t end);
    Item operator()(std::int64_t item, Scratch&) const { return {forest_[item], codes_.data()}; }

   private:
    const Forest& forest_;
    TextCodes codes_;
  };

  // The open batch. Throws invalid_argument for items that are no trees.
  void open(std::shared_ptr<const Items> batch);
  void close() { batch_.reset(); }
  Item item(std::int64_t item);

  // Copies an item of the open batch.
  void put(std::int32_t slot, std::int64_t item);
  void erase(std::int32_t slot);
  std::int32_t slots() const { return static_cast<std::int32_t>(tree_of_slot_.size()); }
  bool is_free(std::int32_t slot) const { return tree_of_slot_[slot] < 0; }
  // An empty tree when the slot is free.
  Item support(std::int32_t slot) const { return is_free(slot) ? Item{} : Item{trees_[tree_of_slot_[slot]]}; }
  std::shared_ptr<const Items> supports(std::span<const std::int32_t> slots) const;

  // Whether most of the memory holds what was erased; a copy that has none of that.
  bool is_wasteful() const { return garbage_ > 1024 && 2 * garbage_ > trees_.node_count(); }
  TreeStore compacted() const;

  void save(State& state, const std::string& prefix) const;
  void load(const State& state, const std::string& prefix);

 private:
  const Texts& labels() const { return symbols_->labels; }

  std::shared_ptr<Symbols> symbols_ = std::make_shared<Symbols>();
  Forest trees_;                            // over symbols_
  std::vector<std::int64_t> tree_of_slot_;  // -1: free
  std::int64_t garbage_ = 0;                // nodes of erased trees
  std::shared_ptr<const TreeItems> batch_;
  TextCodes codes_;
};

}  // namespace hedgerow
