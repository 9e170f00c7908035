#include "models/combined_models.hpp"
#include "python/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

// All take models of their parts and make empty ones of the same kernels.
void register_combined_models(nb::module_& m) {
  nb::class_<models::WeightedModel, models::KernelModel>(m, "WeightedModel")
      .def(
          "__init__",
          [](models::WeightedModel* self, const models::KernelModel& model, double weight) {
            new (self) models::WeightedModel(model.empty(1), weight);
          },
          "model"_a, "weight"_a);
  nb::class_<models::NormalizedModel, models::KernelModel>(m, "NormalizedModel")
      .def(
          "__init__",
          [](models::NormalizedModel* self, const models::KernelModel& model) {
            new (self) models::NormalizedModel(model.empty(1));
          },
          "model"_a);
  nb::class_<models::SumModel, models::KernelModel>(m, "SumModel")
      .def(
          "__init__",
          [](models::SumModel* self, const models::KernelModel& left, const models::KernelModel& right) {
            new (self) models::SumModel(left.empty(1), right.empty(1));
          },
          "left"_a, "right"_a);
  nb::class_<models::ProductModel, models::KernelModel>(m, "ProductModel")
      .def(
          "__init__",
          [](models::ProductModel* self, const models::KernelModel& left, const models::KernelModel& right) {
            new (self) models::ProductModel(left.empty(1), right.empty(1), 1);
          },
          "left"_a, "right"_a);
}

}  // namespace hedgerow::python
