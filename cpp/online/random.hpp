// Random numbers whose whole state is one number (SplitMix64: Steele, Lea, Flood 2014).
#pragma once

#include <cstdint>

namespace hedgerow::online {

struct Random {
  explicit Random(std::uint64_t seed) : state(seed) {}

  std::uint64_t next() {
    state += 0x9E3779B97F4A7C15ull;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  // 0 ... n - 1; the bias for n far below 2^64 does not matter.
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(n));
  }

  std::uint64_t state;
};

}  // namespace hedgerow::online
