#include <nanobind/nanobind.h>

#include <stdexcept>

#include "kernels/vectors.hpp"
#include "models/row_checks.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

using MatrixIn = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

kernels::DenseRows rows_of(const MatrixIn& matrix) {
  return {matrix.data(), static_cast<std::int64_t>(matrix.shape(0)),
          static_cast<std::int64_t>(matrix.shape(1))};
}

template <class Real>
void dense_rbf(MatrixIn left, MatrixIn right, bool symmetric, double gamma, int threads,
               MatrixOut<Real> out) {
  const kernels::DenseRows x = rows_of(left), z = rows_of(right);
  check_shape(out, x.rows, z.rows);
  if (x.width != z.width) throw std::invalid_argument("the rows differ in width");
  Real* values = out.data();
  nb::gil_scoped_release release;
  if (symmetric)
    kernels::rbf_gram(x, gamma, threads, values);
  else
    kernels::rbf_gram_between(x, z, gamma, threads, values);
}

// Rows of a CSR matrix for which is_canonical holds.
struct SparseRows {
  kernels::FeatureTable table;
};

SparseRows sparse_rows(ArrayIn<std::int64_t> row_begin, ArrayIn<std::int32_t> index, ArrayIn<double> value,
                       std::int64_t width) {
  const auto begin = as_span(row_begin);
  const auto feature = as_span(index);
  models::check_rows(begin, feature.size(), value.size(), width);
  kernels::FeatureTable table;
  table.row_begin.assign(begin.begin(), begin.end());
  table.feature.assign(feature.begin(), feature.end());
  table.value.assign(value.data(), value.data() + value.size());
  table.weight.assign(width, 1.0);
  return {std::move(table)};
}

void check_block(const kernels::FeatureTable& rows, std::int64_t n_left, bool symmetric,
                 const MatrixOut<double>& out) {
  if (n_left < 0 || n_left > rows.rows() || (symmetric && n_left != rows.rows()))
    throw std::invalid_argument("the number of left rows is out of range");
  check_shape(out, n_left, symmetric ? n_left : rows.rows() - n_left);
}

}  // namespace

void register_vectors(nb::module_& m) {
  m.def("dense_rbf", &dense_rbf<double>, "left"_a, "right"_a, "symmetric"_a, "gamma"_a, "threads"_a,
        "out"_a.noconvert(), "exp(-gamma |x - z|^2) of all pairs of rows.");
  m.def("dense_rbf", &dense_rbf<float>, "left"_a, "right"_a, "symmetric"_a, "gamma"_a, "threads"_a,
        "out"_a.noconvert());

  nb::class_<SparseRows>(m, "SparseRows", "Rows of a sparse matrix, for those of X and then those of Y.")
      .def(
          "__init__",
          [](SparseRows* self, ArrayIn<std::int64_t> row_begin, ArrayIn<std::int32_t> index,
             ArrayIn<double> value,
             std::int64_t width) { new (self) SparseRows(sparse_rows(row_begin, index, value, width)); },
          "row_begin"_a, "index"_a, "value"_a, "width"_a)
      .def(
          "dots",
          [](const SparseRows& self, std::int64_t n_left, bool symmetric, int threads,
             MatrixOut<double> out) {
            const kernels::FeatureTable& rows = self.table;
            check_block(rows, n_left, symmetric, out);
            double* values = out.data();
            nb::gil_scoped_release release;
            if (symmetric)
              kernels::feature_gram(rows, threads, values);
            else
              kernels::feature_gram_between(rows, n_left, threads, values);
          },
          "n_left"_a, "symmetric"_a, "threads"_a, "out"_a.noconvert(), "Dot products.")
      .def(
          "rbf",
          [](const SparseRows& self, std::int64_t n_left, bool symmetric, double gamma, int threads,
             MatrixOut<double> out) {
            const kernels::FeatureTable& rows = self.table;
            check_block(rows, n_left, symmetric, out);
            double* values = out.data();
            nb::gil_scoped_release release;
            if (symmetric)
              kernels::rbf_gram(rows, gamma, threads, values);
            else
              kernels::rbf_gram_between(rows, n_left, gamma, threads, values);
          },
          "n_left"_a, "symmetric"_a, "gamma"_a, "threads"_a, "out"_a.noconvert(), "exp(-gamma |x - z|^2).");
}

}  // namespace hedgerow::python
