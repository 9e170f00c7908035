#include "models/subset_tree_model.hpp"
#include "python/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace hedgerow;

void register_tree_models(nb::module_& m) {
  nb::class_<SubsetTreeModel, KernelModel>(m, "SubsetTreeModel")
      .def(
          "__init__",
          [](SubsetTreeModel* self, const SubsetTreeParameters& kernel, bool normalized) {
            new (self) SubsetTreeModel(kernel, normalized, 1);
          },
          "kernel"_a, "normalized"_a, "With one column.");
}
