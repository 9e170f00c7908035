#include "platform.hpp"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>
#else
#include <pthread.h>
#include <sys/mman.h>

#include <ctime>
#endif

#if defined(__x86_64__) || defined(_M_X64)
#include <cpuid.h>
#endif

namespace hedgerow {
namespace {

// By the processor itself, since __builtin_cpu_supports needs a run-time library that not every compiler
// brings.
bool find_avx2() {
#if defined(__x86_64__) || defined(_M_X64)
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
  constexpr unsigned basic = bit_FMA | bit_MOVBE | bit_OSXSAVE | bit_AVX | bit_F16C;
  if ((c & basic) != basic) return false;
  unsigned low = 0, high = 0;  // which registers the system saves: those of SSE (2) and of AVX (4)
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  if ((low & 6U) != 6U) return false;
  constexpr unsigned later = bit_BMI | bit_AVX2 | bit_BMI2;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & later) != later) return false;
  constexpr unsigned lzcnt = 1U << 5;  // its name differs between compilers
  return __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & lzcnt) != 0;
#else
  return false;
#endif
}

}  // namespace

const bool has_avx2 = find_avx2();

#ifdef _WIN32

double thread_seconds() {
  FILETIME created, ended, kernel, user;
  if (!GetThreadTimes(GetCurrentThread(), &created, &ended, &kernel, &user)) return 0;
  const auto ticks = [](const FILETIME& time) {  // of 100 ns
    return (std::uint64_t{time.dwHighDateTime} << 32) + time.dwLowDateTime;
  };
  return 1e-7 * static_cast<double>(ticks(kernel) + ticks(user));
}

void* map_zeros(std::size_t bytes, bool) {
  return VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}
void unmap(void* memory, std::size_t) { VirtualFree(memory, 0, MEM_RELEASE); }

int at_each_fork(void (*)(), void (*)(), void (*)()) { return 0; }

#else

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void* map_zeros(std::size_t bytes, bool promised) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | (promised ? 0 : MAP_NORESERVE);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}
void unmap(void* memory, std::size_t bytes) { munmap(memory, bytes); }

int at_each_fork(void (*before)(), void (*in_parent)(), void (*in_child)()) {
  return pthread_atfork(before, in_parent, in_child);
}

#endif

}  // namespace hedgerow
