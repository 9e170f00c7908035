// Items described by explicit sparse features: K(a, b) = sum over features f of weight_f * a_f * b_f.
//
// Complete subtrees, paths in trees and k-mers in strings have few enough features to list them, which makes
// a kernel row one walk over an inverted index.
#pragma once

#include <cstdint>
#include <vector>

namespace hedgerow::kernels {

struct FeatureTable {
  std::vector<std::int64_t> row_begin{0};
  std::vector<std::int32_t> feature;  // distinct within a row
  std::vector<double> value;          // one for each entry of `feature`
  std::vector<double> weight;         // one for each feature

  std::int64_t rows() const { return static_cast<std::int64_t>(row_begin.size()) - 1; }
};

// Kernel values of all rows with each other. `out` is row-major.
template <class Real>
void feature_gram(const FeatureTable& table, int threads, Real* out);

// Kernel values between rows [0, n_left) and the rows from n_left on: n_left by (rows - n_left).
template <class Real>
void feature_gram_between(const FeatureTable& table, std::int64_t n_left, int threads, Real* out);

// The kernel of each row with itself.
std::vector<double> feature_diagonal(const FeatureTable& table);

}  // namespace hedgerow::kernels
