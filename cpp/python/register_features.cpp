#include <nanobind/stl/optional.h>

#include "kernels/feature_table.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

// n_left none: all rows with each other.
template <class Real>
void fill_gram(const kernels::FeatureTable& table, std::optional<std::int64_t> n_left, MatrixOut<Real> out,
               int threads) {
  const std::int64_t rows = table.rows(), left = n_left.value_or(rows);
  if (left < 0 || left > rows) throw std::invalid_argument("n_left is out of range");
  check_shape(out, left, n_left ? rows - left : rows);
  Real* const values = out.data();
  nb::gil_scoped_release release;
  if (n_left)
    kernels::feature_gram_between(table, left, threads, values);
  else
    kernels::feature_gram(table, threads, values);
}

}  // namespace

void register_features(nb::module_& m) {
  nb::class_<kernels::FeatureTable>(m, "FeatureTable", "Items described by explicit sparse features.")
      .def("gram", &fill_gram<double>, "n_left"_a.none(), "out"_a.noconvert(), "threads"_a,
           "Fills `out` with kernel values of the first n_left rows with the others; None: of all with each "
           "other.")
      .def("gram", &fill_gram<float>, "n_left"_a.none(), "out"_a.noconvert(), "threads"_a)
      .def("diagonal",
           [](const kernels::FeatureTable& table) { return to_numpy(kernels::feature_diagonal(table)); })
      .def(
          "rows",
          [](const kernels::FeatureTable& table) {
            return nb::make_tuple(to_numpy(std::vector(table.row_begin)),
                                  to_numpy(std::vector(table.feature)));
          },
          "Begins of rows, and their features.");
}

}  // namespace hedgerow::python
