// Four doubles computed on together: the vector type of GCC and Clang, which becomes one AVX register, or two
// of SSE or NEON. Loops over plain arrays of accumulators are too often vectorised along the wrong axis.
#pragma once

#include <cstring>

#include "parallel.hpp"

namespace hedgerow {

typedef double Four __attribute__((vector_size(4 * sizeof(double))));

// Passed by reference: how such vectors are passed by value depends on the instruction set.
HEDGEROW_INLINE void load(const double* from, Four& to) { std::memcpy(&to, from, sizeof to); }
HEDGEROW_INLINE void store(const Four& from, double* to) { std::memcpy(to, &from, sizeof from); }

// The same for loops that are written once for vectors and for single numbers.
HEDGEROW_INLINE void load(const double* from, double& to) { to = *from; }
HEDGEROW_INLINE void store(const double& from, double* to) { *to = from; }

}  // namespace hedgerow
