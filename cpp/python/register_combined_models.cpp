#include "models/combined_models.hpp"
#include "python/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace hedgerow;

// All take models of their parts and make empty ones of the same kernels.
void register_combined_models(nb::module_& m) {
  nb::class_<WeightedModel, KernelModel>(m, "WeightedModel")
      .def(
          "__init__",
          [](WeightedModel* self, const KernelModel& model, double weight) {
            new (self) WeightedModel(model.empty(1), weight);
          },
          "model"_a, "weight"_a);
  nb::class_<NormalizedModel, KernelModel>(m, "NormalizedModel")
      .def(
          "__init__",
          [](NormalizedModel* self, const KernelModel& model) { new (self) NormalizedModel(model.empty(1)); },
          "model"_a);
  nb::class_<SumModel, KernelModel>(m, "SumModel")
      .def(
          "__init__",
          [](SumModel* self, const KernelModel& left, const KernelModel& right) {
            new (self) SumModel(left.empty(1), right.empty(1));
          },
          "left"_a, "right"_a);
  nb::class_<ProductModel, KernelModel>(m, "ProductModel")
      .def(
          "__init__",
          [](ProductModel* self, const KernelModel& left, const KernelModel& right) {
            new (self) ProductModel(left.empty(1), right.empty(1), 1);
          },
          "left"_a, "right"_a);
}
