// Threads over rows that can be interrupted, and loops compiled for several instruction sets.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <mutex>

#ifdef _OPENMP
#include <omp.h>
#endif

// Hot loops are plain C++, compiled for AVX2 too where the compiler can choose at run time. A function marked
// with this may only call inlined functions in its loops.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(HEDGEROW_NO_CLONES)
#define HEDGEROW_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define HEDGEROW_CLONES
#endif
#define HEDGEROW_INLINE inline __attribute__((always_inline))
// For lambdas that are bodies of loops over features, which compilers would call once for each.
#define HEDGEROW_INLINE_BODY __attribute__((always_inline))

namespace hedgerow {

// Set by whoever runs the core: says whether the user wants it to stop. Asked now and then by the thread that
// called.
using InterruptCheck = bool (*)();
inline InterruptCheck wants_to_stop = nullptr;

// Thrown out of a long computation when the user wanted it to stop.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// For the thread that called, in long computations: asks wants_to_stop, but not more than some twenty times a
// second.
inline void stop_if_asked() {
  using Clock = std::chrono::steady_clock;
  static thread_local Clock::time_point last{};
  if (!wants_to_stop || Clock::now() - last < std::chrono::milliseconds(50)) return;
  last = Clock::now();
  if (wants_to_stop()) throw Interrupted();
}

// Calls body(row, thread) for rows [begin, end) on up to `threads` threads, a few rows at a time. The body
// may throw: the first exception is thrown again here. Which thread gets which row is not fixed, so a body's
// result must depend on the row only.
template <class Body>
void parallel_rows(std::int64_t begin, std::int64_t end, int threads, Body&& body) {
  if (begin >= end) return;
  threads = static_cast<int>(std::min<std::int64_t>(threads, end - begin));
  std::exception_ptr failure;
  std::mutex guard;
  std::atomic<bool> failed = false;
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
#ifdef _OPENMP
    const int thread = omp_get_thread_num();
#else
    const int thread = 0;
#endif
#pragma omp for schedule(dynamic, 1)
    for (std::int64_t row = begin; row < end; ++row) {
      if (failed) continue;
      try {
        if (thread == 0) stop_if_asked();
        body(row, thread);
      } catch (...) {
        const std::lock_guard lock(guard);
        if (!failed) failure = std::current_exception();
        failed = true;
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace hedgerow
