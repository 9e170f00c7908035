// Mutexes that no fork leaves locked: a fork waits until nobody holds them.
//
// They are for the moment in which a few members change: whoever holds one neither waits nor calls Python.
// All objects share some, since a fork has to take them all.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "platform.hpp"

namespace hedgerow {

inline std::array<std::mutex, 64> brief_mutexes;

// How many forks there are between this process and the one that loaded this code.
inline std::atomic<std::uint64_t> forks = 0;

inline void lock_brief_mutexes() {
  for (std::mutex& mutex : brief_mutexes) mutex.lock();
}
inline void unlock_brief_mutexes() {
  for (std::mutex& mutex : brief_mutexes) mutex.unlock();
}
inline void begin_as_child() {
  ++forks;
  unlock_brief_mutexes();
}
[[maybe_unused]] inline const int at_forks =
    at_each_fork(lock_brief_mutexes, unlock_brief_mutexes, begin_as_child);

inline std::mutex& brief_mutex(const void* object) {
  return brief_mutexes[(reinterpret_cast<std::uintptr_t>(object) >> 6) % brief_mutexes.size()];
}

}  // namespace hedgerow
