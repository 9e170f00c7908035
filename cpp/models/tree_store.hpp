// Support trees for models of listed features, which must tell unknown labels from each other.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "kernels/tree_features.hpp"
#include "models/items.hpp"
#include "models/state.hpp"
#include "models/texts.hpp"
#include "models/tree_supports.hpp"

namespace hedgerow::models {

class TreeStore {
 public:
  using Item = kernels::CodedTree;
  struct Scratch {};

  // A batch as others than the learner read it: on several threads.
  class Reader {
   public:
    Reader(const TreeStore& store, const Items& batch, std::int64_t begin, std::int64_t end);
    Item operator()(std::int64_t item, Scratch&) const { return {forest_[item], codes_.data()}; }

   private:
    const data::Forest& forest_;
    TextCodes codes_;
  };

  // The open batch. Throws invalid_argument for items that are no trees.
  void open(const std::shared_ptr<const Items>& batch);
  void close() { trees_.close(); }
  Item item(std::int64_t item);

  // Copies an item of the open batch.
  void put(std::int32_t slot, std::int64_t item);
  void erase(std::int32_t slot) {
    if (!is_free(slot)) trees_.erase(slot);
  }
  std::int32_t slots() const { return trees_.slots(); }
  std::size_t growth() const { return trees_.growth(); }
  bool is_free(std::int32_t slot) const { return !trees_.holds(slot); }
  // An empty tree when the slot is free.
  Item support(std::int32_t slot) const { return is_free(slot) ? Item{} : Item{trees_[slot]}; }
  std::shared_ptr<const Items> supports(std::span<const std::int32_t> slots) const {
    return trees_.supports(slots);
  }

  // Whether most of the memory holds what was erased; a copy that has none of that.
  bool is_wasteful() const { return trees_.mostly_garbage(); }
  TreeStore compacted() const;

  void save(State& state, const std::string& prefix) const { trees_.save(state, prefix); }
  void load(const State& state, const std::string& prefix);

 private:
  const Texts& labels() const { return trees_.symbols().labels; }

  TreeSupports trees_;
  TextCodes codes_;  // of the open batch
};

}  // namespace hedgerow::models
