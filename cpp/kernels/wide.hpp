// Non-negative numbers with the precision of a double and an exponent without practical limits.
//
// Tree kernels grow exponentially with the size of trees: a node with 2,000 matching children is worth
// 2^2000. Normalised values are ordinary numbers again; this type carries the ones in between.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace hedgerow::kernels {

class Wide {
 public:
  Wide(double value = 0) {  // NOLINT: a number like any other
    int exponent = 0;
    mantissa_ = std::frexp(value, &exponent);
    exponent_ = exponent;
  }

  // The nearest double; infinity when it is too large.
  explicit operator double() const {
    if (exponent_ > 2000) return std::numeric_limits<double>::infinity();
    return exponent_ < -2000 ? 0.0 : std::ldexp(mantissa_, static_cast<int>(exponent_));
  }
  bool is_zero() const { return mantissa_ == 0; }

  friend Wide operator*(const Wide& a, const Wide& b) {
    return Wide(a.mantissa_ * b.mantissa_).shifted(a.exponent_ + b.exponent_);
  }
  friend Wide operator+(const Wide& a, const Wide& b) {
    if (a.is_zero()) return b;
    if (b.is_zero()) return a;
    if (a.exponent_ < b.exponent_) return b + a;
    const std::int64_t gap = a.exponent_ - b.exponent_;
    if (gap > 60) return a;
    return Wide(a.mantissa_ + std::ldexp(b.mantissa_, -static_cast<int>(gap))).shifted(a.exponent_);
  }
  Wide& operator+=(const Wide& b) { return *this = *this + b; }
  Wide& operator*=(const Wide& b) { return *this = *this * b; }

  // value / sqrt(a * b)
  static double normalized(const Wide& value, const Wide& a, const Wide& b) {
    if (value.is_zero() || a.is_zero() || b.is_zero()) return 0;
    std::int64_t exponent = a.exponent_ + b.exponent_;
    double product = a.mantissa_ * b.mantissa_;
    if (exponent % 2 != 0) {
      product *= 2;
      --exponent;
    }
    return static_cast<double>(
        Wide(value.mantissa_ / std::sqrt(product)).shifted(value.exponent_ - exponent / 2));
  }

 private:
  Wide shifted(std::int64_t by) const {
    Wide result = *this;
    if (!is_zero()) result.exponent_ += by;
    return result;
  }

  double mantissa_;        // 0, or in [0.5, 1)
  std::int64_t exponent_;  // the value is mantissa * 2^exponent
};

// The type in which values computed as Real are added up.
template <class Real>
using Total = std::conditional_t<std::is_same_v<Real, Wide>, Wide, double>;

}  // namespace hedgerow::kernels
