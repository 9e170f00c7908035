// Interning of pairs: every distinct pair of ids gets a dense id of its own, in order of first arrival.
//
// What SequenceTable does for sequences of any length; here a look-up touches one place in memory.
#pragma once

#include <cstdint>
#include <vector>

namespace hedgerow::kernels {

class PairTable {
 public:
  static constexpr std::int32_t npos = -1;

  std::int32_t size() const { return size_; }

  // The id of the pair, or npos. Both are at least 0.
  std::int32_t find(std::int32_t first, std::int32_t second) const {
    return slots_[place(join(first, second))].id;
  }

  // The id of the pair, which is added when it is new.
  std::int32_t intern(std::int32_t first, std::int32_t second) {
    const std::uint64_t key = join(first, second);
    Slot& slot = slots_[place(key)];
    if (slot.id != npos) return slot.id;
    slot = {key, size_};
    if (2 * static_cast<std::size_t>(++size_) > slots_.size()) grow();
    return size_ - 1;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::int32_t id = npos;
  };

  static std::uint64_t join(std::int32_t first, std::int32_t second) {
    return static_cast<std::uint64_t>(first) << 32 | static_cast<std::uint32_t>(second);
  }

  // Where the key is, or where it belongs.
  std::size_t place(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t mixed = key * 0x9E3779B97F4A7C15ull;
    std::size_t i = (mixed ^ mixed >> 32) & mask;
    while (slots_[i].id != npos && slots_[i].key != key) i = (i + 1) & mask;
    return i;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.id != npos) slots_[place(slot.key)] = slot;
  }

  std::int32_t size_ = 0;
  std::vector<Slot> slots_ = std::vector<Slot>(64);  // open addressing; the number of slots is a power of two
};

}  // namespace hedgerow::kernels
