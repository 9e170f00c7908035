// Vectors under normalised powers of the dot product, without the large numbers that would cancel.
//
// Normalised, (scale x.z + offset)^degree is the power of (a_x u_x).(a_z u_z) + b_x b_z, where u_x is x
// divided by its length and (a_x, b_x) is (sqrt(scale) |x|, sqrt(offset)) divided by its length.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/vector_batch.hpp"

namespace hedgerow::models {

// a u = x * power * factor, where power is one of two and brings the largest entry near 1.
struct UnitPart {
  double power = 1, factor = 1;
  double rest = 0;  // b

  bool is_zero() const { return factor == 0 && rest == 0; }
  double operator()(double value) const { return value * power * factor; }
};

class UnitParts {
 public:
  UnitParts() = default;  // leaves vectors as they are
  UnitParts(double scale, double offset)
      : used_(true), root_scale_(std::sqrt(scale)), root_offset_(std::sqrt(offset)) {}

  bool used() const { return used_; }
  UnitPart operator()(const Entries& vector) const {
    if (!used_) return {};
    double largest = 0;
    for (double v : vector.value) largest = std::max(largest, std::abs(v));
    if (largest == 0) return {1, 0, root_offset_ > 0 ? 1.0 : 0.0};
    int exponent;
    std::frexp(largest, &exponent);
    const double power = std::ldexp(1.0, std::min(-exponent, 1023));
    double square = 0;
    for (double v : vector.value) square += (v * power) * (v * power);
    const double norm = std::sqrt(square);
    const double along = std::min(root_scale_ * (norm / power), std::numeric_limits<double>::max() / 2);
    const double total = std::hypot(along, root_offset_);
    if (total == 0) return {1, 0, 0};
    return {power, along / total / norm, root_offset_ / total};
  }

 private:
  bool used_ = false;
  double root_scale_ = 1, root_offset_ = 0;
};

}  // namespace hedgerow::models
