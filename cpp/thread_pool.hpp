// Threads that help with calls and sleep between them.
#pragma once

namespace hedgerow {

// Something for several threads to do together. Called once on each thread that takes part, with the thread's
// number; returns when nothing is left to do.
struct SharedWork {
  virtual void run(int thread) noexcept = 0;

 protected:
  ~SharedWork() = default;
};

// Runs the work on the calling thread, as number 0, and on up to `threads` - 1 threads of the pool, as far as
// they are free and come before nothing is left. Returns when all of them have. May be called from several
// threads at once: the pool's threads are shared then, and nobody waits for one that has not come. Not for
// the work itself: see shares_work.
//
// In a child process the pool starts afresh. A child that was forked by the work itself has lost the other
// threads with what they had to do: there this throws.
void run_together(int threads, SharedWork& work);

// Whether the thread runs shared work now.
bool shares_work();

// Whether the thread belongs to the pool, and not to whoever called.
bool is_helper();

}  // namespace hedgerow
