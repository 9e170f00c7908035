#include "models/partial_tree_model.hpp"
#include "models/subset_tree_model.hpp"
#include "python/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

void register_partial_tree_model(nb::module_& m) {
  nb::class_<models::PartialTreeModel, models::KernelModel>(m, "PartialTreeModel")
      .def(
          "__init__",
          [](models::PartialTreeModel* self, const kernels::PartialTreeParameters& kernel, bool normalized) {
            new (self) models::PartialTreeModel(kernel, normalized, 1);
          },
          "kernel"_a, "normalized"_a, "With one column.");
}

}  // namespace

void register_tree_models(nb::module_& m) {
  nb::class_<models::SubsetTreeModel, models::KernelModel>(m, "SubsetTreeModel")
      .def(
          "__init__",
          [](models::SubsetTreeModel* self, const kernels::SubsetTreeParameters& kernel, bool normalized) {
            new (self) models::SubsetTreeModel(kernel, normalized, 1);
          },
          "kernel"_a, "normalized"_a, "With one column.");
  register_partial_tree_model(m);
}

}  // namespace hedgerow::python
