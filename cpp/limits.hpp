// Limits on what one input may cost: set once for the process, asked by readers and kernels.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "parallel.hpp"

namespace hedgerow {

// Defaults and meaning: src/hedgerow/limits.py.
struct Limits {
  using Limit = std::atomic<std::int64_t>;
  Limit nodes = INT64_MAX;  // of a tree
  Limit depth = INT64_MAX;  // of a tree: nodes on the way from the root to a leaf
  Limit pairs = INT64_MAX;  // steps that it takes to compare an item with another
};
inline Limits limits;

// Python gets a ValueError.
struct BeyondLimit : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// Says which limit was exceeded, and how to raise it.
inline std::string beyond_limit(const std::string& what, const std::string& name, std::int64_t limit) {
  return what + ", more than the limit " + name + "=" + std::to_string(limit) +
         "; hedgerow.set_limits or the environment variable HEDGEROW_LIMITS raises it";
}

// Steps are double, since products of sizes are large.
inline bool exceeds_pairs(double steps) {
  return steps > static_cast<double>(limits.pairs.load(std::memory_order_relaxed));
}

// Throws unless as many steps are allowed as it takes to compare the item, a tree or a string.
inline void check_pairs(double steps, const char* item) {
  if (!exceeds_pairs(steps)) return;
  char number[32];
  std::snprintf(number, sizeof number, "%.2g", steps);
  const std::string what = std::string("it takes about ") + number + " steps to compare a " + item;
  throw BeyondLimit(beyond_limit(what + " of this size", "pairs", limits.pairs));
}

// What is done for one item: adds up steps, and looks now and then whether the user wants to stop.
class LongWork {
 public:
  void add(std::int64_t steps) {
    if ((since_look_ += steps) < often) return;
    since_look_ = 0;
    stop_if_asked();
  }

 private:
  static constexpr std::int64_t often = 1 << 22;
  std::int64_t since_look_ = 0;
};

}  // namespace hedgerow
