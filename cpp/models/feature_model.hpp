// Models of kernels whose features can be listed: K(a, b) = sum over features f of weight_f * a_f * b_f.
//
// The supports are collapsed onto their features: a column's value at x is one sum over the features of x,
// however many supports there are. Rows come from postings. Only supports add to the vocabulary of features.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "kernels/short_fragments.hpp"
#include "models/kernel_model.hpp"

namespace hedgerow::models {

// Complete subtrees of trees.
std::unique_ptr<KernelModel> subtree_model(double decay, bool normalized);

// Paths of labels towards the root of trees.
std::unique_ptr<KernelModel> path_model(double decay, bool normalized);

// Small pieces of trees, each once.
std::unique_ptr<KernelModel> short_fragment_model(const kernels::ShortFragments& sizes, bool normalized);

// k-mers of strings or token lists; see KmerExtractor for the parameters.
std::unique_ptr<KernelModel> kmer_model(std::int64_t k, std::span<const double> weight,
                                        std::int64_t max_entries, bool normalized);

}  // namespace hedgerow::models
