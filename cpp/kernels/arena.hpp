// Scratch memory for the D vectors of a tree's nodes, taken and given back in post-order.
//
// A node's vector is needed until its parent's has been computed. Vectors lie one behind the other; once the
// memory below a finished vector that nobody needs any more has grown large, the vector is moved down over
// it. So small trees never move anything, and large ones need memory for the live vectors only.
#pragma once

#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace hedgerow::kernels {

template <class T>
class Arena {
 public:
  std::size_t top() const { return top_; }
  void clear() { clear_from(0); }
  // Gives back what was taken from there on.
  void clear_from(std::size_t offset) { top_ = offset; }
  T* at(std::size_t offset) { return memory_.get() + offset; }

  // Room for n values; pointers into the arena are no longer valid afterwards, offsets are.
  std::size_t take(std::size_t n) {
    const std::size_t offset = top_;
    top_ += n;
    if (top_ > capacity_) grow();
    return offset;
  }

  // Moves the topmost vector, n values at `offset`, down to `low` when that frees much. Returns its new
  // place.
  std::size_t settle(std::size_t offset, std::size_t n, std::size_t low) {
    if (offset - low < worth_moving) return offset;
    std::memmove(static_cast<void*>(at(low)), static_cast<const void*>(at(offset)), n * sizeof(T));
    top_ = low + n;
    return low;
  }

 private:
  static constexpr std::size_t worth_moving = 1 << 16;

  // Better an error than a machine without memory: reached by trees with very many children that all differ
  // and have children of their own.
  static constexpr std::size_t most_bytes = std::size_t{8} << 30;

  void grow() {
    if (top_ * sizeof(T) > most_bytes) throw std::bad_alloc();
    const std::size_t capacity = top_ + top_ / 2 + 4096;
    auto memory = std::make_unique<T[]>(capacity);
    if (capacity_)
      std::memcpy(static_cast<void*>(memory.get()), static_cast<const void*>(memory_.get()),
                  capacity_ * sizeof(T));
    memory_ = std::move(memory);
    capacity_ = capacity;
  }

  std::unique_ptr<T[]> memory_;
  std::size_t capacity_ = 0, top_ = 0;
};

}  // namespace hedgerow::kernels
