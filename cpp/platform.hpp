// What the language leaves to compilers and systems. Everything else in cpp is plain C++20.
//
// Compilers: gcc and clang (clang-cl too), for their vector types, which express loops that no compiler
// vectorises by itself, and for functions compiled for another instruction set than the rest of their file.
// Systems: POSIX and Windows, which differ in forks, clocks and the mapping of memory.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>

#if !defined(__GNUC__) && !defined(__clang__)
#error "hedgerow needs gcc, clang or clang-cl: it uses their vector types"
#endif

#define HEDGEROW_INLINE inline __attribute__((always_inline))
// For lambdas that are bodies of loops over features, which compilers would call once for each.
#define HEDGEROW_INLINE_BODY __attribute__((always_inline))

// Before a loop of at most eight rounds, known when compiling, whose variables should stay in registers.
#ifdef __clang__
#define HEDGEROW_UNROLL_8 _Pragma("clang loop unroll_count(8)")
#else
#define HEDGEROW_UNROLL_8 _Pragma("GCC unroll 8")
#endif

// HEDGEROW_CLONES(result, name, (parameters), (arguments)) { body } defines a function with a hot loop. On
// x86-64 it is compiled twice, for any processor and for those with AVX2, and each call takes what the
// processor has. (target_clones would do the same, but needs a C library that resolves symbols while it
// loads, which musl, macOS and Windows do not have, and cannot run under sanitizers.) Elsewhere the basic
// instructions have vectors: NEON on aarch64. The loops may only call inlined functions.
#if defined(__x86_64__) || defined(_M_X64)
#define HEDGEROW_CLONES(Result, name, parameters, arguments)                            \
  static HEDGEROW_INLINE Result name##_loop parameters;                                 \
  __attribute__((target("arch=x86-64-v3"))) static Result name##_with_avx2 parameters { \
    return name##_loop arguments;                                                       \
  }                                                                                     \
  static Result name##_anywhere parameters { return name##_loop arguments; }            \
  Result name parameters {                                                              \
    return hedgerow::has_avx2 ? name##_with_avx2 arguments : name##_anywhere arguments; \
  }                                                                                     \
  Result name##_loop parameters
#else
#define HEDGEROW_CLONES(Result, name, parameters, arguments) Result name parameters
#endif

namespace hedgerow {

// Whether processor and system have AVX2 and what came with it (x86-64-v3). Looked up once, when this is
// loaded.
extern const bool has_avx2;

// A vector of a few numbers, which the compiler maps to whatever the instruction set has.
template <class Number, int bytes>
struct VectorType {
  typedef Number Type __attribute__((vector_size(bytes)));
};
template <class Number, int bytes>
using VectorOf = typename VectorType<Number, bytes>::Type;

// How many numbers a vector holds; it may be a single one.
template <class Vector, class Number>
constexpr int lanes_of = sizeof(Vector) / sizeof(Number);  // NOLINT(bugprone-sizeof-expression)

// Converts each number of a vector.
template <class To, class From>
HEDGEROW_INLINE void convert_each(const From& from, To& to) {
  to = __builtin_convertvector(from, To);
}

// Asks for memory that will be read soon.
HEDGEROW_INLINE void prefetch(const void* address) { __builtin_prefetch(address); }

HEDGEROW_INLINE std::uint32_t reversed_bytes(std::uint32_t value) { return __builtin_bswap32(value); }

__extension__ using Unsigned128 = unsigned __int128;

// As std::from_chars, by the C library.
std::from_chars_result read_by_c_library(const char* first, const char* last, double& value);

template <class Number>
concept ReadByStandardLibrary = requires(const char* at, Number& value) { std::from_chars(at, at, value); };

// std::from_chars, which libc++ has for doubles from version 20 on only.
template <class Number>
std::from_chars_result read_number(const char* first, const char* last, Number& value) {
  if constexpr (ReadByStandardLibrary<Number>)
    return std::from_chars(first, last, value);
  else
    return read_by_c_library(first, last, value);
}

// Processor time of this thread, in seconds.
double thread_seconds();

// Zeros on pages of their own, which take memory only where they are written; null if there are none.
// Promised ones are refused if they go beyond what the system has, the others (but on Windows) are not.
void* map_zeros(std::size_t bytes, bool promised);
void unmap(void* memory, std::size_t bytes);

// Has the functions called around every fork: before it, and after it in the parent and in the child. Windows
// has no forks. Returns 0, or an error number.
int at_each_fork(void (*before)(), void (*in_parent)(), void (*in_child)());

}  // namespace hedgerow
