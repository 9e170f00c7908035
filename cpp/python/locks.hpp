// Locks of native objects, held for the time of a call.
//
// Nobody waits for a lock while holding the GIL. So whoever holds a lock can get the GIL, and ends.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lock.hpp"

namespace hedgerow::python {

// A lock that this thread holds, and how many times.
struct Hold {
  Lock* lock;
  bool writing;
  int depth;
};
inline thread_local std::vector<Hold> holds;

inline std::vector<Hold>::iterator find_hold(const Lock& lock) {
  return std::ranges::find(holds, &lock, &Hold::lock);
}

// For a thread that has the GIL, and keeps it.
inline void take_with_gil(Lock& lock, bool writing) {
  if (lock.try_take(writing)) return;
  const nanobind::gil_scoped_release release;
  lock.take(writing);
}

// Nobody else changes the object (writing: uses it) in a scope.
template <bool keeps_gil>
class Holding {
 public:
  Holding(const Guarded& object, bool writing) : lock_(object.lock()), writing_(writing) {
    if (find_hold(lock_) != holds.end())
      throw std::runtime_error("a kernel, rule or problem in Python used the very object that called it");
    holds.reserve(holds.size() + 1);
    if constexpr (keeps_gil)
      take_with_gil(lock_, writing);
    else
      lock_.take(writing);
    holds.push_back({&lock_, writing, 1});
  }
  ~Holding() {
    holds.erase(find_hold(lock_));
    lock_.leave(writing_);
  }
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;

 private:
  Lock& lock_;
  bool writing_;
};

struct Reading : Holding<true> {
  explicit Reading(const Guarded& object) : Holding(object, false) {}
};
struct Writing : Holding<true> {
  explicit Writing(const Guarded& object) : Holding(object, true) {}
};

// The same for what takes long: without the GIL, which is asked for when the lock has been left.
class LongHolding {
 public:
  LongHolding(const Guarded& object, bool writing) : holding_(object, writing) {}

 private:
  nanobind::gil_scoped_release release_;
  Holding<false> holding_;
};
struct LongReading : LongHolding {
  explicit LongReading(const Guarded& object) : LongHolding(object, false) {}
};
struct LongWriting : LongHolding {
  explicit LongWriting(const Guarded& object) : LongHolding(object, true) {}
};

// Two objects, in the same order whoever asks for both.
class LongReadingBoth {
 public:
  LongReadingBoth(const Guarded& one, const Guarded& other) {
    const Guarded *first = &one, *second = &other;
    if (std::less<>()(second, first)) std::swap(first, second);
    first_.emplace(*first, false);
    if (first != second) second_.emplace(*second, false);
  }

 private:
  nanobind::gil_scoped_release release_;
  std::optional<Holding<false>> first_, second_;
};

// A method without arguments, or a member, as a binding that holds the lock.
template <class Class, class Member>
auto read(Member Class::* member) {
  return [member](const Class& self) {
    const Reading reading(self);
    return std::invoke(member, self);
  };
}
template <class Class, class Member>
auto write(Member Class::* member) {
  return [member](Class& self, const Member& value) {
    const Writing writing(self);
    self.*member = value;
  };
}

}  // namespace hedgerow::python
