#include <numeric>
#include <type_traits>

#include "kernels/exponential.hpp"
#include "models/linear_model.hpp"
#include "models/precomputed_model.hpp"
#include "models/row_checks.hpp"
#include "models/vector_models.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

template <class Real>
void make_gram_items(models::GramItems* self,
                     nb::ndarray<const Real, nb::ndim<2>, nb::c_contig, nb::device::cpu> rows) {
  new (self) models::GramItems();
  if constexpr (std::is_same_v<Real, double>)
    self->doubles = rows.data();
  else
    self->floats = rows.data();
  self->width = static_cast<std::int64_t>(rows.shape(1));
  self->are_examples = rows.shape(0) == rows.shape(1);
  self->row.resize(rows.shape(0));
  std::iota(self->row.begin(), self->row.end(), 0);
  self->owner = keep(rows);
}

}  // namespace

void register_vector_models(nb::module_& m) {
  nb::class_<models::SparseItems, models::Items>(m, "SparseItems",
                                                 "Rows of a CSR matrix; `is_canonical` must hold.")
      .def(
          "__init__",
          [](models::SparseItems* self, ArrayIn<std::int64_t> indptr, ArrayIn<std::int32_t> indices,
             ArrayIn<double> data, std::int64_t width) {
            models::check_rows(as_span(indptr), indices.size(), data.size(), width);
            new (self) models::SparseItems();
            self->begin = as_span(indptr);
            self->index = as_span(indices);
            self->value = as_span(data);
            self->width = width;
            self->owner = keep(indptr, indices, data);
          },
          "indptr"_a, "indices"_a, "data"_a, "width"_a)
      .def_prop_ro(
          "indptr",
          [](const models::SparseItems& items) {
            return kept_numpy(items.begin.data(), items.owner, items.begin.size());
          },
          nb::rv_policy::reference)
      .def_prop_ro(
          "indices",
          [](const models::SparseItems& items) {
            return kept_numpy(items.index.data(), items.owner, items.index.size());
          },
          nb::rv_policy::reference)
      .def_prop_ro(
          "data",
          [](const models::SparseItems& items) {
            return kept_numpy(items.value.data(), items.owner, items.value.size());
          },
          nb::rv_policy::reference)
      .def_ro("width", &models::SparseItems::width);

  m.def(
      "is_canonical",
      [](ArrayIn<std::int32_t> begin, ArrayIn<std::int32_t> index, ArrayIn<double> value,
         std::int64_t width) {
        return index.size() == value.size() && models::rows_follow(as_span(begin), index.size()) &&
               models::indices_in_order(as_span(begin), as_span(index), width) &&
               models::all_finite(as_span(value));
      },
      "begin"_a, "index"_a, "value"_a, "width"_a,
      "Whether sparse rows have increasing indices below the width and finite values.");

  nb::class_<models::GramItems, models::Items>(m, "GramItems",
                                               "Rows of kernel values with the examples of a fit.")
      .def("__init__", &make_gram_items<double>, "rows"_a, "A square matrix may be that of the examples.")
      .def("__init__", &make_gram_items<float>, "rows"_a);
  nb::class_<models::PrecomputedModel, models::KernelModel>(m, "PrecomputedModel").def(nb::init<>());

  nb::class_<models::LinearModel, models::KernelModel>(m, "LinearModel")
      .def(nb::init<bool>(), "normalized"_a);
  nb::class_<models::PolynomialModel, models::KernelModel>(m, "PolynomialModel")
      .def(nb::init<double, double, double, bool>(), "degree"_a, "scale"_a, "offset"_a, "normalized"_a);
  nb::class_<models::RBFModel, models::KernelModel>(m, "RBFModel").def(nb::init<double>(), "gamma"_a);
  nb::class_<models::SigmoidModel, models::KernelModel>(m, "SigmoidModel")
      .def(nb::init<double, double>(), "scale"_a, "offset"_a);

  m.def(
      "exponentials",
      [](nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu> values) {
        kernels::exponentials(values.data(), static_cast<std::int64_t>(values.size()));
      },
      "values"_a.noconvert(), "exp, in place.");
}

}  // namespace hedgerow::python
