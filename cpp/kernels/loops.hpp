// Loops over vectors, compiled for several instruction sets.
#pragma once

#include <algorithm>
#include <cstdint>

namespace hedgerow::kernels {

// The versions for long vectors; short ones are not worth a call.
void fill_long(float* values, std::int32_t n, float value);
void fill_long(double* values, std::int32_t n, double value);
double dot_long(const double* a, const double* b, std::int32_t n);
double dot_long(const float* a, const float* b, std::int32_t n);
double gathered_dot_long(const double* values, const std::int32_t* position, const double* factors,
                         std::int32_t n);
inline constexpr std::int32_t longest_short = 12;

// For any type of number; fast for float and double.
template <class Number>
void fill_with(Number* values, std::int32_t n, const Number& value) {
  if constexpr (requires { fill_long(values, n, value); })
    if (n > longest_short) return fill_long(values, n, value);
  std::fill(values, values + n, value);
}

// The sum of products; sums of a few hundred single numbers are single, those of more are double.
template <class Real>
double dot(const Real* a, const Real* b, std::int32_t n) {
  if (n > longest_short) return dot_long(a, b, n);
  double sum = 0;
  for (std::int32_t i = 0; i < n; ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

// The sum of values[position[i]] * factors[i], added up as dot does.
inline double gathered_dot(const double* values, const std::int32_t* position, const double* factors,
                           std::int32_t n) {
  if (n > longest_short) return gathered_dot_long(values, position, factors, n);
  double sum = 0;
  for (std::int32_t i = 0; i < n; ++i) sum += values[position[i]] * factors[i];
  return sum;
}

// values[i] *= 1 + others[position[i]]
void multiply_gathered(float* values, std::int32_t n, const float* others, const std::int32_t* position);
void multiply_gathered(double* values, std::int32_t n, const double* others, const std::int32_t* position);

}  // namespace hedgerow::kernels
