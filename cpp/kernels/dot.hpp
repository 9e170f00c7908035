// Products of two vectors, added up.
#pragma once

#include <cstdint>

namespace hedgerow {

double long_dot(const double* a, const double* b, std::int32_t n);
// Sums of a few hundred products are single, those of more are double.
double long_dot(const float* a, const float* b, std::int32_t n);

template <class Real>
double dot(const Real* a, const Real* b, std::int32_t n) {
  if (n > 8) return long_dot(a, b, n);
  double sum = 0;
  for (std::int32_t i = 0; i < n; ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

}  // namespace hedgerow
