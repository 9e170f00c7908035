#include "models/partial_tree_model.hpp"
#include "models/subset_tree_model.hpp"
#include "python/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace hedgerow;

namespace {

void register_partial_tree_model(nb::module_& m) {
  nb::class_<PartialTreeModel, KernelModel>(m, "PartialTreeModel")
      .def(
          "__init__",
          [](PartialTreeModel* self, const PartialTreeParameters& kernel, bool normalized) {
            new (self) PartialTreeModel(kernel, normalized, 1);
          },
          "kernel"_a, "normalized"_a, "With one column.");
}

}  // namespace

void register_tree_models(nb::module_& m) {
  nb::class_<SubsetTreeModel, KernelModel>(m, "SubsetTreeModel")
      .def(
          "__init__",
          [](SubsetTreeModel* self, const SubsetTreeParameters& kernel, bool normalized) {
            new (self) SubsetTreeModel(kernel, normalized, 1);
          },
          "kernel"_a, "normalized"_a, "With one column.");
  register_partial_tree_model(m);
}
