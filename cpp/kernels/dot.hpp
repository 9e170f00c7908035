// Products of two vectors, added up in an order that does not depend on the machine.
#pragma once

#include <cstdint>

namespace hedgerow {

double long_dot(const double* a, const double* b, std::int32_t n);

inline double dot(const double* a, const double* b, std::int32_t n) {
  if (n > 8) return long_dot(a, b, n);
  double sum = 0;
  for (std::int32_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace hedgerow
