// What all tree models share: the support trees, by slot, over a vocabulary of the model's own.
//
// The vocabulary grows when a tree becomes a support, not with every word of a stream. Erased trees stay in
// memory, and their symbols in the vocabulary, until the model asks for `compact`.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/forest.hpp"
#include "models/items.hpp"
#include "models/state.hpp"
#include "models/tree_translator.hpp"

namespace hedgerow::models {

class TreeSupports {
 public:
  TreeSupports() { trees_.symbols = symbols_; }

  // ---- an open batch

  // Throws invalid_argument when the items are not trees.
  void open(const std::shared_ptr<const Items>& batch);
  void close() { batch_ = nullptr; }
  const data::Forest& batch() const { return *batch_; }
  // A tree of the batch in the model's vocabulary, unknown_symbol for what that lacks. The view holds until
  // the next call here or of `put`.
  data::TreeView item(std::int64_t item) { return translator_.known(*symbols_, (*batch_)[item]); }
  // A production of the batch, likewise.
  std::int32_t known_production(std::int32_t id) { return translator_.known_production(*symbols_, id); }

  // ---- supports

  const data::Symbols& symbols() const { return *symbols_; }
  std::shared_ptr<const data::Symbols> shared_symbols() const { return symbols_; }
  std::int32_t slots() const { return static_cast<std::int32_t>(tree_in_.size()); }
  std::size_t growth() const;  // as KernelModel has it
  bool holds(std::int32_t slot) const { return slot >= 0 && slot < slots() && tree_in_[slot] != free_slot; }
  // Throws invalid_argument when the slot is free.
  void check_support(std::int32_t slot) const;
  // A support. The view does not survive put, compact and load.
  data::TreeView operator[](std::int32_t slot) const { return trees_[tree_in_[slot]]; }

  // Makes a tree of the batch a support, at a free slot or at slots(); throws invalid_argument for others.
  void put(std::int32_t slot, std::int64_t item);
  void erase(std::int32_t slot);
  // Whether most nodes in memory belong to erased trees.
  bool mostly_garbage() const;
  // Drops erased trees and numbers all symbols afresh: labels and productions have other ids afterwards.
  void compact();

  // The trees in these slots, over a vocabulary of their own.
  std::shared_ptr<const Items> supports(std::span<const std::int32_t> slots) const;

  // ---- copies: the vocabulary with its ids, the supports with their slots, the amount of garbage

  void save(State& state, const std::string& prefix) const;
  // Throws invalid_argument for arrays that describe no trees.
  void load(const State& state, const std::string& prefix);

 private:
  static constexpr std::int64_t free_slot = -1;

  void load_symbols(const State& state, const std::string& prefix);

  std::shared_ptr<data::Symbols> symbols_ = std::make_shared<data::Symbols>();
  TreeTranslator translator_;
  std::shared_ptr<const data::Forest> batch_;
  data::Forest trees_;                 // in order of arrival, erased ones among them
  std::vector<std::int64_t> tree_in_;  // by slot
  std::int64_t live_ = 0;              // nodes of supports
  std::int64_t garbage_ = 0;           // nodes of erased trees
};

}  // namespace hedgerow::models
