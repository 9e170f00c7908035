// When |x - z|^2 may be taken from |x|^2 + |z|^2 - 2 x.z, and what to do where it may not.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace hedgerow::kernels {

// The relative error of exp(-gamma |x - z|^2) is the absolute error of its exponent; the expanded form may
// cause this much.
inline constexpr double expanded_tolerance = 5e-13;
inline constexpr double rounding_unit = 0x1p-53;
// exp(-x) is 0 from here on.
inline constexpr double vanishing_exponent = 746;

// The error of gamma (|x|^2 + |z|^2 - 2 x.z). Each of the three was summed from at most as many terms as the
// two vectors have entries.
inline double expanded_error(double gamma, double squares, double entries, double unit) {
  return gamma * squares * unit * (entries + 4);
}

// Whether an exponent from the expanded form is good enough. False for infinite and undefined numbers.
inline bool trust_expanded(double exponent, double error) {
  return error <= expanded_tolerance || (exponent - error > vanishing_exponent && std::isfinite(exponent));
}

// Sums of products of whole numbers are exact in double precision up to 2^53.
inline bool sums_are_exact(std::span<const double> values, double square) {
  return square < 0x1p50 &&
         std::all_of(values.begin(), values.end(), [](double v) { return v == std::trunc(v); });
}

// |x - z|^2 of sparse vectors whose indices increase, by a compensated sum.
inline double squared_distance(std::span<const std::int32_t> x_index, std::span<const double> x_value,
                               std::span<const std::int32_t> z_index, std::span<const double> z_value) {
  std::size_t i = 0, j = 0;
  double sum = 0, lost = 0;
  while (i < x_index.size() || j < z_index.size()) {
    const bool left = j == z_index.size() || (i < x_index.size() && x_index[i] <= z_index[j]);
    const bool right = i == x_index.size() || (j < z_index.size() && z_index[j] <= x_index[i]);
    const double difference = (left ? x_value[i] : 0.0) - (right ? z_value[j] : 0.0);
    i += left;
    j += right;
    const double term = difference * difference - lost, next = sum + term;
    lost = (next - sum) - term;
    sum = next;
    if (!std::isfinite(sum)) return sum;
  }
  return sum;
}

}  // namespace hedgerow::kernels
