// Radial basis functions exp(-gamma |x - z|^2) of dense and of sparse rows, to a relative error of 1e-12.
//
// |x|^2 + |z|^2 - 2 x.z is fast but loses everything to cancellation far from the origin. Dense rows
// therefore always sum squared differences; sparse rows use the expanded form only where a bound on its error
// allows it.
#pragma once

#include <cstdint>

#include "kernels/feature_table.hpp"

namespace hedgerow::kernels {

struct DenseRows {
  const double* values;  // row-major
  std::int64_t rows;
  std::int64_t width;

  const double* operator[](std::int64_t i) const { return values + i * width; }
};

// Kernel values of all rows with each other. `out` is row-major.
template <class Real>
void rbf_gram(const DenseRows& rows, double gamma, int threads, Real* out);

// Kernel values of the rows of `left` with those of `right`, which have the same width.
template <class Real>
void rbf_gram_between(const DenseRows& left, const DenseRows& right, double gamma, int threads, Real* out);

// The same for sparse rows, whose weights must be 1; as in feature_table.hpp.
void rbf_gram(const FeatureTable& rows, double gamma, int threads, double* out);
void rbf_gram_between(const FeatureTable& rows, std::int64_t n_left, double gamma, int threads, double* out);

}  // namespace hedgerow::kernels
