#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "structured/classes/class_oracle.hpp"
#include "structured/classes/list_oracle.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace classes = structured::classes;

void register_classes(nb::module_& m) {
  m.def(
      "class_oracle",
      [](std::shared_ptr<models::SparseItems> inputs, std::shared_ptr<models::SparseItems> output_features,
         std::int64_t outputs, ArrayIn<std::int32_t> truths,
         std::optional<ArrayIn<double>> losses) -> std::shared_ptr<structured::Oracle> {
        const auto costs = losses ? as_span(*losses) : std::span<const double>{};
        classes::OutputSets sets(outputs, as_span(truths), costs, keep(truths, losses));
        return std::make_shared<classes::ClassOracle>(std::move(inputs), std::move(output_features),
                                                      std::move(sets));
      },
      "inputs"_a, "output_features"_a.none(), "outputs"_a, "truths"_a, "losses"_a.none(),
      "Classification, where every output is possible. output_features: a row for each output; None for "
      "their "
      "identities. losses: a matrix, row-major, by true and other output; None for 0-1 loss.");
  m.def(
      "listed_class_oracle",
      [](std::shared_ptr<models::SparseItems> inputs, std::shared_ptr<models::SparseItems> output_features,
         std::int64_t outputs, ArrayIn<std::int64_t> begins, ArrayIn<std::int32_t> listed,
         ArrayIn<double> losses, ArrayIn<std::int32_t> truths) -> std::shared_ptr<structured::Oracle> {
        classes::OutputSets sets(outputs, as_span(begins), as_span(listed), as_span(losses), as_span(truths),
                                 keep(begins, listed, losses, truths));
        return std::make_shared<classes::ClassOracle>(std::move(inputs), std::move(output_features),
                                                      std::move(sets));
      },
      "inputs"_a, "output_features"_a.none(), "outputs"_a, "begins"_a, "listed"_a, "losses"_a, "truths"_a,
      "Classification, where each example has a list of possible outputs; truths are places in these lists.");
  m.def(
      "list_oracle",
      [](std::shared_ptr<models::SparseItems> candidates, ArrayIn<std::int64_t> begins,
         ArrayIn<std::int64_t> truths, ArrayIn<double> losses) -> std::shared_ptr<structured::Oracle> {
        return std::make_shared<classes::ListOracle>(std::move(candidates), as_span(begins), as_span(truths),
                                                     as_span(losses), keep(begins, truths, losses));
      },
      "candidates"_a, "begins"_a, "truths"_a, "losses"_a,
      "Lists of candidates with features of their own; truths are rows of the candidates.");
}

}  // namespace hedgerow::python
