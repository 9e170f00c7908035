// A lock that belongs to one object: any number of threads may read the object, or one may change it.
//
// Nobody waits for ever: a reader that comes while a writer waits goes after it, and readers that waited for
// a writer go before the next one. Writers go in order of arrival.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <new>
#include <stdexcept>
#include <vector>

#include "brief_mutex.hpp"
#include "parallel.hpp"

namespace hedgerow {

class Lock {
 public:
  Lock() = default;
  // A copy of an object has a lock of its own.
  Lock(const Lock&) {}
  Lock& operator=(const Lock&) { return *this; }

  // Takes the lock if nobody has to be waited for.
  bool try_take(bool writing) {
    const std::unique_lock guard(brief_mutex(this), std::try_to_lock);
    if (!guard || forks_ != forks || !is_free(writing)) return false;
    give(writing);
    return true;
  }

  // Waits for the lock; throws Interrupted when the user wants to stop.
  void take(bool writing) {
    std::unique_lock guard(brief_mutex(this));
    if (forks_ != forks) begin_anew();
    if (is_free(writing))
      give(writing);
    else if (writing)
      wait_to_write(guard);
    else
      wait_to_read(guard);
  }

  void leave(bool writing) {
    const std::lock_guard guard(brief_mutex(this));
    if (writing) {
      writing_ = false;
      readers_ += waiting_readers_;
      waiting_readers_ = 0;
      ++phase_;
    } else {
      --readers_;
    }
    changed_.notify_all();
  }

 private:
  // In a child process: of those who had the lock or waited for it nobody is left.
  void begin_anew() {
    if (writing_)
      throw std::runtime_error(
          "another thread was changing this object when the process was forked; use a copy made before");
    new (&changed_) std::condition_variable;  // the old one would wait for those who waited
    readers_ = waiting_readers_ = 0;
    writers_.clear();
    forks_ = forks;
  }

  bool is_free(bool writing) const { return !writing_ && writers_.empty() && !(writing && readers_ > 0); }
  void give(bool writing) {
    if (writing)
      writing_ = true;
    else
      ++readers_;
  }

  void wait_to_read(std::unique_lock<std::mutex>& guard) {
    const std::uint64_t phase = phase_;
    ++waiting_readers_;
    const bool came = wait(guard, [&] { return phase_ != phase || is_free(false); });
    const bool counted = phase_ != phase;  // among the readers, by the writer that left
    if (!counted) --waiting_readers_;
    if (came && !counted) ++readers_;
    if (!came && counted) --readers_;
    if (!came) give_up();
  }

  void wait_to_write(std::unique_lock<std::mutex>& guard) {
    writers_.push_back(&guard);
    const bool came = wait(guard, [&] { return !writing_ && readers_ == 0 && writers_.front() == &guard; });
    writers_.erase(std::ranges::find(writers_, &guard));
    if (!came) give_up();
    writing_ = true;
  }

  // Waits until it is ready; false when the user wants to stop.
  template <class Ready>
  bool wait(std::unique_lock<std::mutex>& guard, Ready&& ready) {
    while (!changed_.wait_for(guard, std::chrono::milliseconds(50), ready)) {
      guard.unlock();  // who asks may run any code
      const bool stop = wants_to_stop && wants_to_stop();
      guard.lock();
      if (stop) return false;
    }
    return true;
  }

  [[noreturn]] void give_up() {
    changed_.notify_all();
    throw Interrupted();
  }

  std::condition_variable changed_;
  std::uint64_t forks_ = forks;
  bool writing_ = false;
  std::int64_t readers_ = 0, waiting_readers_ = 0;
  std::uint64_t phase_ = 0;           // how many writers have left
  std::vector<const void*> writers_;  // that wait
};

// An object with a lock.
class Guarded {
 public:
  Guarded() = default;
  Guarded(const Guarded&) {}
  Guarded& operator=(const Guarded&) { return *this; }

  Lock& lock() const { return owner_ ? owner_->lock() : lock_; }
  // A part has the lock of the whole. A copy of the part has its own again.
  void become_part_of(const Guarded& whole) { owner_ = &whole; }

 private:
  mutable Lock lock_;
  const Guarded* owner_ = nullptr;
};

}  // namespace hedgerow
