// Sequences of symbols, and the kernel of their gapped subsequences.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hedgerow::kernels {

// Items one after the other; symbols are numbered from 0.
struct Sequences {
  std::span<const std::int32_t> symbols;
  std::span<const std::int64_t> begin;  // one more than there are items

  std::int64_t size() const { return static_cast<std::int64_t>(begin.size()) - 1; }
  std::int64_t length(std::int64_t item) const { return begin[item + 1] - begin[item]; }
  std::span<const std::int32_t> operator[](std::int64_t item) const {
    return symbols.subspan(begin[item], length(item));
  }
};

// Sum over common subsequences of `length` symbols of decay^(gaps in one + gaps in the other), times `scale`.
struct GappedSubsequences {
  std::int64_t length;
  double decay;
  double scale;
};

// Values of all items with each other. `out` is row-major.
template <class Real>
void subsequence_gram(const Sequences& items, const GappedSubsequences& kernel, int threads, Real* out);

// Values between items [0, n_left) and the items from n_left on.
template <class Real>
void subsequence_gram_between(const Sequences& items, std::int64_t n_left, const GappedSubsequences& kernel,
                              int threads, Real* out);

std::vector<double> subsequence_diagonal(const Sequences& items, const GappedSubsequences& kernel,
                                         int threads);

}  // namespace hedgerow::kernels
