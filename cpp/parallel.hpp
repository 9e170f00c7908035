// Threads over rows that can be interrupted.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <type_traits>

#include "platform.hpp"
#include "thread_pool.hpp"

namespace hedgerow {

// Set by whoever runs the core: says whether the user wants it to stop. Asked now and then by the thread that
// called.
using InterruptCheck = bool (*)();
inline InterruptCheck wants_to_stop = nullptr;

// Thrown out of a long computation when the user wanted it to stop.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

using Clock = std::chrono::steady_clock;

// For the thread that called, in long computations: asks wants_to_stop, but not more than some twenty times a
// second. Helpers do not ask.
inline void stop_if_asked() {
  static thread_local Clock::time_point last{};
  if (!wants_to_stop || is_helper() || Clock::now() - last < std::chrono::milliseconds(50)) return;
  last = Clock::now();
  if (wants_to_stop()) throw Interrupted();
}

// Rows [begin, end) that threads take, a few at a time.
class RowQueue {
 public:
  RowQueue(std::int64_t begin, std::int64_t end, int threads) : next_(begin), end_(end), threads_(threads) {}

  // The next rows, [first, last); false if none are left.
  bool take(std::int64_t& first, std::int64_t& last) {
    // Few enough that threads end together, though some rows take longer than others.
    const std::int64_t some = std::clamp<std::int64_t>(left() / (32 * threads_), 1, 16);
    first = next_.fetch_add(some, std::memory_order_relaxed);
    last = std::min(first + some, end_);
    return first < end_;
  }

  std::int64_t left() const { return end_ - next_.load(std::memory_order_relaxed); }

 private:
  // Alone in its cache line, since all threads write it.
  alignas(64) std::atomic<std::int64_t> next_;
  alignas(64) const std::int64_t end_;
  const std::int64_t threads_;
};

// How long a loop's rows took of late.
class RowTime {
 public:
  // Whether so many rows are likely to be done before other threads would have woken up.
  bool too_short_to_share(std::int64_t rows) const {
    return static_cast<double>(rows) * nanoseconds_.load(std::memory_order_relaxed) < 1e3 * wake_up.count();
  }

  void note(std::int64_t rows, Clock::duration time) {
    const double now = std::chrono::duration<double, std::nano>(time).count() / static_cast<double>(rows);
    const double before = nanoseconds_.load(std::memory_order_relaxed);
    // Forgotten slowly: to take long rows for short ones costs more than the opposite.
    nanoseconds_.store(before == unknown ? now : std::max(now, 0.9 * before), std::memory_order_relaxed);
  }

  // What it takes to wake a thread, for whoever wakes it and until it comes.
  static constexpr std::chrono::microseconds wake_up{30};

 private:
  static constexpr double unknown = std::numeric_limits<double>::infinity();
  std::atomic<double> nanoseconds_ = unknown;  // for each row
};

// What parallel_rows lets threads share. The first exception is kept, and ends the work of all.
template <class Body>
class RowWork final : public SharedWork {
 public:
  RowWork(std::int64_t begin, std::int64_t end, int threads, Body& body, RowTime& time)
      : rows_(begin, end, threads), body_(body), time_(time) {}

  // A trial ends when other threads could have woken up.
  void run(int thread) noexcept override {
    const Clock::time_point start = Clock::now();
    std::int64_t done = 0, look = 1;
    try {
      for (std::int64_t row, last; !failed_ && rows_.take(row, last);) {
        done += last - row;
        for (; row < last && !failed_; ++row) {
          if (thread == 0) stop_if_asked();
          body_(row, thread);
        }
        if (!trial || done < look) continue;
        if (Clock::now() - start > RowTime::wake_up) break;
        look = done + std::min<std::int64_t>(done, 16);  // the clock takes as long as a short row
      }
    } catch (...) {
      if (!failed_.exchange(true)) failure_ = std::current_exception();
    }
    if (thread == 0 && done > 0) time_.note(done, Clock::now() - start);
  }

  bool ended() const { return failed_ || rows_.left() <= 0; }

  void rethrow_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

  bool trial = false;

 private:
  RowQueue rows_;
  Body& body_;
  RowTime& time_;
  std::atomic<bool> failed_ = false;
  std::exception_ptr failure_;
};

// Calls body(row, thread) for rows [begin, end) on up to `threads` threads, a few rows at a time; inside of
// such a body, on its own thread. The body may throw: the first exception is thrown again here. Which thread
// gets which row is not fixed, so a body's result must depend on the row only.
template <class Body>
void parallel_rows(std::int64_t begin, std::int64_t end, int threads, Body&& body) {
  static RowTime time;  // of this body, wherever it is called
  if (begin >= end) return;
  threads = static_cast<int>(std::clamp<std::int64_t>(threads, 1, end - begin));
  RowWork<std::remove_reference_t<Body>> work(begin, end, threads, body, time);
  if (threads == 1 || shares_work()) {
    work.run(0);
  } else {
    work.trial = time.too_short_to_share(end - begin);
    if (work.trial) run_together(1, work);
    work.trial = false;
    if (!work.ended()) run_together(threads, work);
  }
  work.rethrow_failure();
}

}  // namespace hedgerow
