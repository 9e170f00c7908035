// Strings or token lists in numbered slots; tokens in a vocabulary of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/items.hpp"
#include "models/state.hpp"
#include "models/texts.hpp"

namespace hedgerow::models {

class SequenceStore {
 public:
  using Item = std::span<const std::int32_t>;
  using Scratch = std::vector<std::int32_t>;

  // A batch as others than the learner read it: on several threads, each with a scratch that must outlive
  // what it gets.
  class Reader {
   public:
    Reader(const SequenceStore& store, const Items& batch, std::int64_t begin, std::int64_t end);
    Item operator()(std::int64_t item, Scratch& scratch) const;

   private:
    const SequenceItems& batch_;
    TextCodes codes_;
  };

  // The open batch. Throws invalid_argument for items of another kind than the supports.
  void open(std::shared_ptr<const Items> batch);
  void close() { batch_.reset(); }
  Item item(std::int64_t item);  // valid until the next

  // Copies an item of the open batch.
  void put(std::int32_t slot, std::int64_t item);
  void erase(std::int32_t slot);
  std::int32_t slots() const { return static_cast<std::int32_t>(places_.size()); }
  std::size_t growth() const {  // as KernelModel has it
    return 2 * (symbols_.capacity() * sizeof(std::int32_t) + 64 * static_cast<std::size_t>(tokens_.size()));
  }
  bool is_free(std::int32_t slot) const { return places_[slot].length < 0; }
  // Empty when the slot is free.
  Item support(std::int32_t slot) const {
    const Place& place = places_[slot];
    return is_free(slot) ? Item{} : Item(symbols_).subspan(place.begin, place.length);
  }
  std::shared_ptr<const Items> supports(std::span<const std::int32_t> slots) const;

  // Whether most of the memory holds what was erased; a copy that has none of that.
  bool is_wasteful() const { return garbage_ > 1024 && 2 * garbage_ > symbols_.size(); }
  SequenceStore compacted() const;

  void save(State& state, const std::string& prefix) const;
  void load(const State& state, const std::string& prefix);

 private:
  enum class Kind : std::uint8_t { not_known, strings, token_lists };
  struct Place {
    std::size_t begin = 0;
    std::int64_t length = -1;  // -1: free
  };

  const SequenceItems& check(const Items& batch) const;
  void append(std::int32_t slot, Item symbols);

  Kind kind_ = Kind::not_known;  // fixed by the first support
  Texts tokens_;
  std::vector<std::int32_t> symbols_;
  std::vector<Place> places_;  // one a slot
  std::size_t garbage_ = 0;    // symbols of erased items
  std::shared_ptr<const SequenceItems> batch_;
  TextCodes codes_;
  Scratch scratch_;
};

}  // namespace hedgerow::models
