// What parallel_rows promises, where Python has no way to see it. Named tests run one after the other; the
// program ends at the first thing that is wrong.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "parallel.hpp"

using hedgerow::parallel_rows;

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::_Exit(1);
}

void wait_a_little() { std::this_thread::sleep_for(std::chrono::microseconds(200)); }

// Counts the rows that were done, and checks that no number of a thread is in use twice.
void check_rows(std::int64_t n, int threads) {
  std::vector<int> done(n, 0);
  std::vector<std::atomic<int>> here(threads);
  parallel_rows(0, n, threads, [&](std::int64_t row, int thread) {
    require(thread >= 0 && thread < threads, "numbers of threads are below their number");
    require(++here[thread] == 1, "a number belongs to one thread");
    ++done[row];
    --here[thread];
  });
  for (int times : done) require(times == 1, "every row is done once");
}

void rows() {
  for (int threads : {0, 1, 2, 3, 8, 33})
    for (std::int64_t n : {0, 1, 2, 3, 100, 5000}) check_rows(n, std::max(threads, 1));
  std::int64_t sum = 0;
  parallel_rows(-3, 4, 0, [&](std::int64_t row, int) { sum += row; });
  require(sum == 0, "rows may begin anywhere, and no threads are one");
}

// Rows that wait for each other need as many threads.
void together() {
  std::atomic<int> there = 0;
  parallel_rows(0, 4, 4, [&](std::int64_t, int) {
    ++there;
    while (there < 4) wait_a_little();
  });
}

void nested() {
  std::atomic<std::int64_t> sum = 0;
  parallel_rows(0, 64, 4, [&](std::int64_t row, int) {
    const auto self = std::this_thread::get_id();
    parallel_rows(0, 100, 4, [&](std::int64_t inner, int thread) {
      require(std::this_thread::get_id() == self && thread == 0, "nested rows stay on their thread");
      sum += row * inner;
    });
  });
  require(sum == 64 * 63 / 2 * 4950, "nested rows are all done");
}

void exceptions() {
  for (int threads : {1, 2, 4})
    for (std::int64_t bad : {0, 1, 500, 999}) {
      std::atomic<int> done = 0;
      bool caught = false;
      try {
        parallel_rows(0, 1000, threads, [&](std::int64_t row, int) {
          if (row >= bad) throw std::runtime_error("row " + std::to_string(row));
          ++done;
        });
      } catch (const std::runtime_error&) {
        caught = true;
      }
      require(caught && done <= bad, "an exception comes out and ends the rest");
      check_rows(100, threads);
    }
}

// Only the thread that called asks, and what it throws ends the others.
void interrupts() {
  static std::thread::id caller;
  static std::atomic<int> asked;
  caller = std::this_thread::get_id();
  hedgerow::wants_to_stop = [] {
    require(std::this_thread::get_id() == caller, "only the caller asks whether to stop");
    return ++asked == 3;
  };
  bool caught = false;
  try {
    parallel_rows(0, 1'000'000, 3, [](std::int64_t, int) {
      parallel_rows(0, 2, 2, [](std::int64_t, int) { wait_a_little(); });
    });
  } catch (const hedgerow::Interrupted&) {
    caught = true;
  }
  hedgerow::wants_to_stop = nullptr;
  require(caught, "the caller can be interrupted");
}

void callers() {
  std::vector<std::thread> threads;
  for (int caller = 0; caller < 6; ++caller)
    threads.emplace_back([caller] {
      for (int call = 0; call < 300; ++call) check_rows(1 + (call * 7) % 50, 1 + (call + caller) % 5);
    });
  for (std::thread& thread : threads) thread.join();
}

template <class Body>
int exit_code_of_child(Body&& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);  // a child that hangs is killed
    std::exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Children of a process whose pool is in use all the time, by other threads.
void forks() {
  std::atomic<bool> over = false;
  std::vector<std::thread> busy;
  for (int caller = 0; caller < 2; ++caller)
    busy.emplace_back([&over] {
      while (!over) check_rows(20, 3);
    });
  for (int child = 0; child < 200; ++child)
    require(exit_code_of_child([] {
              check_rows(100, 3);
              return exit_code_of_child([] { return check_rows(100, 4), 7; });
            }) == 7,
            "children and their children have pools of their own");
  over = true;
  for (std::thread& thread : busy) thread.join();
}

// A child that is forked by a body has lost the rows that other threads were doing.
void forks_inside() {
  std::atomic<int> there = 0;
  int code = 0;
  const pid_t parent = getpid();
  const auto body = [&](std::int64_t, int thread) {
    ++there;
    while (there < 2) wait_a_little();
    if (thread == 0 && getpid() == parent) {
      const pid_t child = fork();
      if (child == 0) {
        alarm(20);
        return;
      }
      waitpid(child, &code, 0);
    }
  };
  try {
    parallel_rows(0, 2, 2, body);
  } catch (const std::runtime_error&) {
    check_rows(100, 2);
    std::_Exit(getpid() == parent ? 1 : 7);
  }
  require(getpid() == parent, "the child is told that rows are missing");
  require(WIFEXITED(code) && WEXITSTATUS(code) == 7, "the child goes on after that");
}

}  // namespace

int main(int count, char** names) {
  for (int i = 1; i < count; ++i) {
    const std::string name = names[i];
    if (name == "rows") rows();
    if (name == "together") together();
    if (name == "nested") nested();
    if (name == "exceptions") exceptions();
    if (name == "interrupts") interrupts();
    if (name == "callers") callers();
    if (name == "forks") forks();
    if (name == "forks_inside") forks_inside();
    std::puts(names[i]);
    std::fflush(stdout);  // before the next fork
  }
}
