// Interning: every distinct sequence of small values gets a dense id, in order of first arrival.
//
// One table serves three purposes: labels (sequences of bytes), productions (a label followed by the labels
// of the children) and hash-consed subtrees (a production followed by the ids of the children).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace hedgerow::data {

template <class T>
class SequenceTable {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static constexpr std::int32_t npos = -1;

  SequenceTable() { slots_.resize(64); }

  std::int32_t size() const { return static_cast<std::int32_t>(begin_.size()) - 1; }

  std::span<const T> operator[](std::int32_t id) const {
    return {values_.data() + begin_[id], values_.data() + begin_[id + 1]};
  }

  // Forgets all sequences. The memory is kept when about as many are likely to come next.
  void clear() {
    if (slots_.size() > 64 && slots_.size() > 16 * begin_.size()) slots_.resize(slots_.size() / 4);
    std::fill(slots_.begin(), slots_.end(), Slot{});
    values_.clear();
    begin_.assign(1, 0);
  }

  // The id of the sequence, or npos.
  std::int32_t find(std::span<const T> sequence) const {
    const std::uint32_t h = hash(sequence);
    for (std::size_t i = h & mask();; i = (i + 1) & mask()) {
      const Slot& slot = slots_[i];
      if (slot.id == npos) return npos;
      if (slot.hash == h && equal(slot.id, sequence)) return slot.id;
    }
  }

  // The id of the sequence, which is added when it is new.
  std::int32_t intern(std::span<const T> sequence) {
    const std::uint32_t h = hash(sequence);
    std::size_t i = h & mask();
    for (; slots_[i].id != npos; i = (i + 1) & mask())
      if (slots_[i].hash == h && equal(slots_[i].id, sequence)) return slots_[i].id;
    if (size() == INT32_MAX - 1) throw std::length_error("more than 2^31 distinct symbols");
    // All that may find no memory comes before the first change.
    if (begin_.size() == begin_.capacity()) begin_.reserve(2 * begin_.size());
    if (2 * (begin_.size() + 1) > slots_.size()) {
      grow();
      i = free_slot(h);
    }
    const std::int32_t id = size();
    values_.insert(values_.end(), sequence.begin(), sequence.end());
    begin_.push_back(values_.size());
    slots_[i] = {h, id};
    return id;
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::int32_t id = npos;
  };

  std::size_t mask() const { return slots_.size() - 1; }

  bool equal(std::int32_t id, std::span<const T> sequence) const {
    const std::span<const T> own = (*this)[id];
    if (own.size() != sequence.size()) return false;
    if constexpr (sizeof(T) == 1)
      return own.empty() || std::memcmp(own.data(), sequence.data(), own.size()) == 0;
    for (std::size_t i = 0; i < own.size(); ++i)  // few: a call takes longer
      if (own[i] != sequence[i]) return false;
    return true;
  }

  // Eight bytes at a time, each folded in by a multiplication; the tail is padded with zeros and the length
  // takes part, so that sequences that differ only in trailing zeros hash apart.
  static std::uint32_t hash(std::span<const T> sequence) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(sequence.data());
    std::size_t left = sequence.size_bytes();
    std::uint64_t h = 0x9E3779B97F4A7C15ull ^ left;
    const auto fold_in = [&h](std::uint64_t word) {
      h = (h ^ word) * 0xD6E8FEB86659FD93ull;
      h ^= h >> 32;
    };
    for (; left >= 8; bytes += 8, left -= 8) {
      std::uint64_t word;
      std::memcpy(&word, bytes, 8);
      fold_in(word);
    }
    if (left > 0) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes, sizeof(T) == 4 ? 4 : left);  // a known length needs no call
      fold_in(word);
    }
    h *= 0xD6E8FEB86659FD93ull;
    return static_cast<std::uint32_t>(h >> 32);
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.id != npos) slots_[free_slot(slot.hash)] = slot;
    }
  }
  std::size_t free_slot(std::uint32_t hash) const {
    std::size_t i = hash & mask();
    while (slots_[i].id != npos) i = (i + 1) & mask();
    return i;
  }

  std::vector<T> values_;
  std::vector<std::size_t> begin_{0};  // sequence id occupies values_[begin_[id] .. begin_[id + 1])
  std::vector<Slot> slots_;            // open addressing; the number of slots is a power of two
};

}  // namespace hedgerow::data
