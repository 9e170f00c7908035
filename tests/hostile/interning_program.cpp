// Interning while memory runs out at one allocation after the other: what was there stays as it is, and what
// is new is there as a whole or not at all.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "data/sequence_table.hpp"

namespace {

long left = -1;  // allocations before memory runs out; negative: it does not

using Sequence = std::array<std::int32_t, 3>;

Sequence sequence(std::int32_t i) { return {i, i % 7, -i}; }

void require(bool holds, std::int32_t id) {
  if (holds) return;
  std::printf("sequence %d is not what it was\n", id);
  std::exit(1);
}

}  // namespace

void* operator new(std::size_t size) {
  if (left == 0) throw std::bad_alloc();
  if (left > 0) --left;
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

int main() {
  constexpr std::int32_t n = 300;
  long failures = 0;
  for (long allocations = 0; allocations < 40; ++allocations) {
    hedgerow::data::SequenceTable<std::int32_t> table;
    left = allocations;
    for (std::int32_t i = 0; i < n;) {
      try {
        require(table.intern(sequence(i)) == i, i);
        ++i;
      } catch (const std::bad_alloc&) {
        ++failures;
        require(table.size() == i && table.find(sequence(i)) == table.npos, i);
        left = failures % 2;  // the next one fails in another place
        if (failures % 3 == 0) left = -1;
      }
    }
    left = -1;
    require(table.size() == n, n);
    for (std::int32_t i = 0; i < n; ++i) {
      const Sequence expected = sequence(i);
      const auto found = table[i];
      require(std::equal(found.begin(), found.end(), expected.begin(), expected.end()), i);
      require(table.find(expected) == i, i);
    }
  }
  std::printf("%ld\n", failures);
}
