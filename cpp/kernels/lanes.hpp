// Short vectors that the compiler maps to whatever the instruction set has.
//
// Auto-vectorisation fails on loops that mix gathers, selections and recurrences; with these types the code
// still reads like scalar code and needs no intrinsics.
#pragma once

#include <cstdint>
#include <cstring>

#include "platform.hpp"

namespace hedgerow::kernels {

template <class Real>
struct Lanes {
  static constexpr std::int32_t width = 32 / sizeof(Real);
  using Vector = VectorOf<Real, 32>;
};

// Passed by reference: how such vectors are passed by value depends on the instruction set. They work for
// single numbers too, so that a loop can be written once for both.
template <class Vector, class Real>
HEDGEROW_INLINE void load(const Real* from, Vector& to) {
  std::memcpy(&to, from, sizeof to);
}
template <class Vector, class Real>
HEDGEROW_INLINE void store(const Vector& from, Real* to) {
  std::memcpy(to, &from, sizeof from);
}

// to[w] = values[position[w]]
HEDGEROW_INLINE void gather(Lanes<float>::Vector& to, const float* values, const std::int32_t* position) {
  to = Lanes<float>::Vector{values[position[0]], values[position[1]], values[position[2]],
                            values[position[3]], values[position[4]], values[position[5]],
                            values[position[6]], values[position[7]]};
}
HEDGEROW_INLINE void gather(Lanes<double>::Vector& to, const double* values, const std::int32_t* position) {
  to = Lanes<double>::Vector{values[position[0]], values[position[1]], values[position[2]],
                             values[position[3]]};
}

// to[w] = position[w] == wanted ? special : common
HEDGEROW_INLINE void select_equal(Lanes<float>::Vector& to, const std::int32_t* position, std::int32_t wanted,
                                  float special, float common) {
  VectorOf<std::int32_t, 32> index;
  std::memcpy(&index, position, sizeof index);
  to = index == wanted ? special - Lanes<float>::Vector{} : common - Lanes<float>::Vector{};
}
HEDGEROW_INLINE void select_equal(Lanes<double>::Vector& to, const std::int32_t* position,
                                  std::int32_t wanted, double special, double common) {
  VectorOf<std::int32_t, 16> narrow;
  std::memcpy(&narrow, position, sizeof narrow);
  VectorOf<std::int64_t, 32> index;
  convert_each(narrow, index);
  to = index == std::int64_t{wanted} ? special - Lanes<double>::Vector{} : common - Lanes<double>::Vector{};
}

}  // namespace hedgerow::kernels
