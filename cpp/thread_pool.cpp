#include "thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include "awake.hpp"
#include "platform.hpp"

namespace hedgerow {
namespace {

thread_local bool sharing = false;
thread_local bool helper = false;

std::atomic<int> impatient = 0;  // how many StayAwake there are

// Waits for something that may come soon, in a loop with many short calls: sleeping and waking take longer. A
// longer wait lets others run, and slows down no thread that shares the core.
template <class Condition>
void wait_a_moment(Condition&& holds) {
  const bool longer = impatient > 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(longer ? 100 : 5);
  while (!holds() && std::chrono::steady_clock::now() < end)
    if (longer) std::this_thread::yield();
}

// A call of run_together, on the stack of its thread. Members change under the pool's mutex.
struct Call {
  SharedWork& work;
  int openings;                     // for further helpers
  int helpers = 0;                  // that have come
  std::atomic<int> unfinished = 0;  // of these
  std::condition_variable done{};
};

// Never destroyed: at exit its threads sleep, or work for a thread that nobody waits for.
class ThreadPool {
 public:
  void run(int threads, SharedWork& work);
  [[noreturn]] void help();

 private:
  void grow(int size);
  void close(Call& call);

  std::mutex guard_;
  std::condition_variable called_;
  std::vector<Call*> open_;           // calls with openings, oldest first
  std::atomic<bool> wanted_ = false;  // whether there are any
  int size_ = 0;
  int asleep_ = 0;
};

std::atomic<ThreadPool*> pool = nullptr;

// The threads of a pool stay in the parent, and its mutex may be locked for ever in the child, which leaves
// the pool alone and makes one of its own.
[[maybe_unused]] const int at_fork = at_each_fork(nullptr, nullptr, [] { pool = nullptr; });

ThreadPool& current_pool() {
  ThreadPool* found = pool;
  if (found) return *found;
  auto* made = new ThreadPool;
  if (pool.compare_exchange_strong(found, made)) return *made;
  delete made;
  return *found;
}

void run_marked(SharedWork& work, int thread) {
  sharing = true;
  work.run(thread);
  sharing = false;
}

void ThreadPool::grow(int size) {
  try {
    for (; size_ < size; ++size_) std::thread(&ThreadPool::help, this).detach();
  } catch (const std::system_error&) {
    // The system has no more threads: those that are there will do.
  }
}

void ThreadPool::close(Call& call) {
  std::erase(open_, &call);
  wanted_ = !open_.empty();
}

void ThreadPool::run(int threads, SharedWork& work) {
  Call call{work, threads - 1};
  int sleepers;
  {
    const std::lock_guard lock(guard_);
    grow(threads - 1);
    open_.push_back(&call);
    wanted_ = true;
    sleepers = std::min(asleep_, threads - 1);
  }
  for (; sleepers > 0; --sleepers) called_.notify_one();
  run_marked(work, 0);
  if (pool != this) throw std::runtime_error("a child process cannot go on with what its parent computes");
  std::unique_lock lock(guard_);
  close(call);
  lock.unlock();
  const auto finished = [&] { return call.unfinished == 0; };
  wait_a_moment(finished);
  lock.lock();
  call.done.wait(lock, finished);
}

void ThreadPool::help() {
  helper = true;
  std::unique_lock lock(guard_);
  for (;;) {
    lock.unlock();
    wait_a_moment([&] { return wanted_.load(); });
    lock.lock();
    ++asleep_;
    called_.wait(lock, [&] { return !open_.empty(); });
    --asleep_;
    Call& call = *open_.front();
    if (--call.openings == 0) close(call);
    const int thread = ++call.helpers;
    ++call.unfinished;
    lock.unlock();
    run_marked(call.work, thread);
    lock.lock();
    if (--call.unfinished == 0) call.done.notify_one();
  }
}

}  // namespace

void run_together(int threads, SharedWork& work) {
  if (threads > 1)
    current_pool().run(threads, work);
  else
    run_marked(work, 0);
}

StayAwake::StayAwake(int threads) : counts_(threads > 1) { impatient += counts_; }
StayAwake::~StayAwake() { impatient -= counts_; }

bool shares_work() { return sharing; }
bool is_helper() { return helper; }

}  // namespace hedgerow
