#include <nanobind/nanobind.h>

#include <stdexcept>

#include "kernels/kmers.hpp"
#include "kernels/strings.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/sequences.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

template <class Real>
void check_block(std::int64_t n, std::int64_t n_left, bool symmetric, const MatrixOut<Real>& out) {
  if (n_left < 0 || n_left > n || (symmetric && n_left != n))
    throw std::invalid_argument("the number of left items is out of range");
  check_shape(out, n_left, symmetric ? n_left : n - n_left);
}

template <class Real>
void subsequences(ArrayIn<std::int32_t> symbols, ArrayIn<std::int64_t> begin, std::int64_t n_left,
                  bool symmetric, std::int64_t length, double decay, double scale, int threads,
                  MatrixOut<Real> out) {
  const kernels::Sequences items = sequences_of(symbols, begin);
  check_block(items.size(), n_left, symmetric, out);
  if (length < 1) throw std::invalid_argument("length must be at least 1");
  const kernels::GappedSubsequences kernel{length, decay, scale};
  Real* values = out.data();
  nb::gil_scoped_release release;
  if (symmetric)
    kernels::subsequence_gram(items, kernel, threads, values);
  else
    kernels::subsequence_gram_between(items, n_left, kernel, threads, values);
}

}  // namespace

void register_strings(nb::module_& m) {
  m.def(
      "kmer_features",
      [](ArrayIn<std::int32_t> symbols, ArrayIn<std::int64_t> begin, std::int64_t k, ArrayIn<double> weight,
         std::int64_t max_entries) {
        const kernels::Sequences items = sequences_of(symbols, begin);
        if (k < 1 || weight.size() == 0) throw std::invalid_argument("k and the weights must be at least 1");
        nb::gil_scoped_release release;
        return kernels::kmer_features(items, k, as_span(weight), max_entries);
      },
      "symbols"_a, "begin"_a, "k"_a, "weight"_a, "max_entries"_a,
      "Counts of the k-mers of sequences, with wildcards when there is more than one weight.");
  m.def("subsequences", &subsequences<double>, "symbols"_a, "begin"_a, "n_left"_a, "symmetric"_a, "length"_a,
        "decay"_a, "scale"_a, "threads"_a, "out"_a.noconvert(),
        "Sums over common subsequences of decay^gaps, times scale.");
  m.def("subsequences", &subsequences<float>, "symbols"_a, "begin"_a, "n_left"_a, "symmetric"_a, "length"_a,
        "decay"_a, "scale"_a, "threads"_a, "out"_a.noconvert());
  m.def(
      "subsequences_diagonal",
      [](ArrayIn<std::int32_t> symbols, ArrayIn<std::int64_t> begin, std::int64_t length, double decay,
         double scale, int threads) {
        const kernels::Sequences items = sequences_of(symbols, begin);
        if (length < 1) throw std::invalid_argument("length must be at least 1");
        std::vector<double> result;
        {
          nb::gil_scoped_release release;
          result = kernels::subsequence_diagonal(items, {length, decay, scale}, threads);
        }
        return to_numpy(std::move(result));
      },
      "symbols"_a, "begin"_a, "length"_a, "decay"_a, "scale"_a, "threads"_a);
}

}  // namespace hedgerow::python
