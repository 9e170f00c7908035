#include "platform.hpp"

#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX  // libstdc++ of MinGW defines it
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <locale.h>
#include <pthread.h>
#include <sys/mman.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

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

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The end of a number without a sign, as std::from_chars reads it: nothing hexadecimal. `at`: there is none.
const char* decimal_end(const char* at, const char* last) {
  const auto word = [&](std::string_view lower) {
    const auto same = [](char wanted, char c) { return wanted == (c | 0x20); };
    return static_cast<std::size_t>(last - at) >= lower.size() &&
           std::equal(lower.begin(), lower.end(), at, same);
  };
  const auto digits = [&](const char* from) { return std::find_if_not(from, last, is_digit); };
  if (word("infinity")) return at + 8;
  if (word("inf") || word("nan")) return at + 3;
  const char* end = digits(at);
  const bool has_point = end != last && *end == '.';
  const char* const behind = has_point ? digits(end + 1) : end;
  if (end == at && behind - end < 2) return at;  // not a digit
  end = behind;
  if (end == last || (*end | 0x20) != 'e') return end;
  const char* const sign = end + 1;
  const char* const exponent = sign + (sign != last && (*sign == '-' || *sign == '+'));
  return exponent != last && is_digit(*exponent) ? digits(exponent) : end;
}

// Whatever the locale of the program is, numbers have points.
#ifdef _WIN32
double to_double(const char* text) {
  static const _locale_t plain = _create_locale(LC_ALL, "C");
  return _strtod_l(text, nullptr, plain);
}
#else
double to_double(const char* text) {
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtod_l(text, nullptr, plain);
}
#endif

}  // namespace

std::from_chars_result read_by_c_library(const char* first, const char* last, double& value) {
  const char* const begin = first + (first != last && *first == '-');
  const char* const end = decimal_end(begin, last);
  if (end == begin) return {first, std::errc::invalid_argument};
  const double found = to_double(std::string(first, end).c_str());
  const bool has_name = !is_digit(*begin) && *begin != '.';
  const char* const exponent = std::find_if(begin, end, [](char c) { return (c | 0x20) == 'e'; });
  const bool vanished =
      found == 0 && std::any_of(begin, exponent, [](char c) { return c >= '1' && c <= '9'; });
  if (!has_name && (vanished || std::isinf(found))) return {end, std::errc::result_out_of_range};
  value = found;
  return {end, {}};
}

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
