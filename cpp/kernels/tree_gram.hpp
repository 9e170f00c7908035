// Gram matrices of the tree kernels that have a collapsed index: subset trees and partial trees.
#pragma once

#include "data/forest.hpp"
#include "kernels/tree_parameters.hpp"

namespace hedgerow::kernels {

struct GramOptions {
  bool normalized = false;  // K(x, y) / sqrt(K(x, x) K(y, y)), 0 where a self-kernel is 0
  bool single = false;      // D in single precision where that keeps the relative error below 1e-5
  int threads = 1;
};

// Kernel values of left[i] and right[j] at out[i * right.size() + j]. Returns whether all are finite: values
// too large for Real become infinite, which normalised ones never are.
template <class Parameters, class Real>
bool tree_gram(const Parameters& parameters, const data::Forest& left, const data::Forest& right,
               const GramOptions& options, Real* out);

// The same for all pairs of one forest.
template <class Parameters, class Real>
bool tree_gram(const Parameters& parameters, const data::Forest& forest, const GramOptions& options,
               Real* out);

// Un-normalised values by the flat pairwise evaluation, in one thread; `symmetric`: left and right are the
// same.
template <class Parameters>
void tree_gram_pairwise(const Parameters& parameters, const data::Forest& left, const data::Forest& right,
                        bool symmetric, double* out);

// The kernel of each tree with itself.
template <class Parameters>
std::vector<double> tree_diagonal(const Parameters& parameters, const data::Forest& forest, int threads);

// 1 for each tree whose self-kernel is not 0, else 0.
template <class Parameters>
std::vector<double> normalized_tree_diagonal(const Parameters& parameters, const data::Forest& forest,
                                             int threads);

}  // namespace hedgerow::kernels
