// An operator new that fails when told to, to be loaded before all others (LD_PRELOAD).
//
// Like a process that has reached its limit: from some allocation on nothing is left but what the new-handler
// gives back. A few bytes are always found somewhere; nanobind, which converts arguments, relies on that.
#include <cstdlib>
#include <new>

namespace {

thread_local long left = -1;           // allocations before memory runs out; negative: it does not
thread_local std::size_t room = 0;     // bytes since
thread_local std::size_t reserve = 0;  // bytes that the new-handler gives back

void* allocate(std::size_t size) {
  const bool counts = size >= 64;
  if (counts && left > 0) --left;
  while (counts && left == 0 && size > room) {
    const std::new_handler handler = std::get_new_handler();
    if (!handler) throw std::bad_alloc();
    handler();
    room += reserve;
    if (reserve == 0) throw std::bad_alloc();
  }
  if (counts && left == 0) room -= size;
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// Gives what was left of the allocations before: more than 0 if memory did not run out.
extern "C" long fail_after(long allocations, std::size_t given_back) {
  const long before = left;
  left = allocations;
  room = 0;
  reserve = given_back;
  return before;
}

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
