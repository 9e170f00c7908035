#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "inspection/node_values.hpp"
#include "inspection/partial_tree_fragments.hpp"
#include "inspection/subset_tree_fragments.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

// An example and how often it has each of its distinct subtrees.
using Example = const inspection::CollapsedForest*;

inspection::FragmentQuery query(const inspection::CollapsedForest& model, const ArrayIn<double>& weights,
                                Example example, const std::optional<ArrayIn<double>>& counts, std::int64_t k,
                                const std::vector<int>& signs, std::int64_t limit) {
  if (static_cast<std::int32_t>(weights.size()) != model.size())
    throw std::invalid_argument("there must be one weight for each subtree of the model");
  if ((example != nullptr) != counts.has_value() ||
      (example && static_cast<std::int32_t>(counts->size()) != example->size()))
    throw std::invalid_argument("there must be one count for each subtree of the example");
  if (k < 1 || limit < 0) throw std::invalid_argument("k or limit is out of range");
  if (signs.empty() || signs.size() > 2) throw std::invalid_argument("there must be one list or two");
  inspection::FragmentQuery result{model, as_span(weights)};
  result.example = example;
  if (counts) result.count = as_span(*counts);
  result.k = k;
  result.signs = signs;
  result.limit = limit;
  return result;
}

// Labels, numbers of children and kinds of all nodes in post-order; sizes, weights and features of the
// fragments; whether they are the best, and the bound on others if they may not be.
nb::tuple to_tuple(inspection::FoundFragments&& found) {
  std::vector<std::int32_t> label, arity, size;
  std::vector<std::int8_t> kind;
  std::vector<double> weight, feature;
  for (const inspection::FoundFragment& fragment : found.fragments) {
    label.insert(label.end(), fragment.tree.label.begin(), fragment.tree.label.end());
    arity.insert(arity.end(), fragment.tree.arity.begin(), fragment.tree.arity.end());
    for (const inspection::NodeKind of : fragment.tree.kind) kind.push_back(static_cast<std::int8_t>(of));
    size.push_back(static_cast<std::int32_t>(fragment.tree.label.size()));
    weight.push_back(fragment.weight);
    feature.push_back(fragment.feature);
  }
  return nb::make_tuple(to_numpy(std::move(label)), to_numpy(std::move(arity)), to_numpy(std::move(kind)),
                        to_numpy(std::move(size)), to_numpy(std::move(weight)), to_numpy(std::move(feature)),
                        found.exact, found.bound);
}

template <class Search>
nb::tuple search(Search&& run) {
  inspection::FoundFragments found;
  {
    nb::gil_scoped_release release;
    found = run();
  }
  return to_tuple(std::move(found));
}

template <class Compute>
Array<double> compute(Compute&& run) {
  std::vector<double> result;
  {
    nb::gil_scoped_release release;
    result = run();
  }
  return to_numpy(std::move(result));
}

}  // namespace

void register_inspection(nb::module_& m) {
  nb::class_<inspection::CollapsedForest>(m, "CollapsedForest",
                                          "Distinct subtrees, as fragments are searched for in them.")
      .def(nb::init<const data::Forest&, const inspection::CollapsedForest*>(), "forest"_a,
           "vocabulary"_a = nb::none(), nb::call_guard<nb::gil_scoped_release>(),
           "`vocabulary`: the model, for an example.")
      .def(
          "of_node",
          [](const inspection::CollapsedForest& trees) { return to_numpy(std::vector(trees.of_node())); },
          "The distinct subtree of each node, in post-order.")
      .def("__len__", &inspection::CollapsedForest::size);
  nb::class_<inspection::Growth>(m, "PartialTreeGrowth", "Bounds for the search of partial tree fragments.")
      .def(nb::init<const inspection::CollapsedForest&, const kernels::PartialTreeParameters&>(), "trees"_a,
           "kernel"_a, nb::keep_alive<1, 2>());

  m.def(
      "subset_tree_fragments",
      [](const inspection::CollapsedForest& model, ArrayIn<double> weights,
         const kernels::SubsetTreeParameters& kernel, Example example, std::optional<ArrayIn<double>> counts,
         std::int64_t k, const std::vector<int>& signs, std::int64_t limit) {
        const inspection::FragmentQuery asked = query(model, weights, example, counts, k, signs, limit);
        return search([&] { return inspection::subset_tree_fragments(asked, kernel); });
      },
      "model"_a, "weights"_a, "kernel"_a, "example"_a.none(), "counts"_a.none(), "k"_a, "signs"_a, "limit"_a);
  m.def(
      "subtree_fragments",
      [](const inspection::CollapsedForest& model, ArrayIn<double> weights, double decay, Example example,
         std::optional<ArrayIn<double>> counts, std::int64_t k, const std::vector<int>& signs,
         std::int64_t limit) {
        const inspection::FragmentQuery asked = query(model, weights, example, counts, k, signs, limit);
        return search([&] { return inspection::subtree_fragments(asked, decay); });
      },
      "model"_a, "weights"_a, "decay"_a, "example"_a.none(), "counts"_a.none(), "k"_a, "signs"_a, "limit"_a);
  m.def(
      "partial_tree_fragments",
      [](const inspection::CollapsedForest& model, ArrayIn<double> weights,
         const kernels::PartialTreeParameters& kernel, Example example, std::optional<ArrayIn<double>> counts,
         std::int64_t k, const std::vector<int>& signs, std::int64_t limit, const inspection::Growth& growth,
         const inspection::Growth* example_growth) {
        if ((example != nullptr) != (example_growth != nullptr))
          throw std::invalid_argument("an example needs its growth");
        const inspection::FragmentQuery asked = query(model, weights, example, counts, k, signs, limit);
        return search(
            [&] { return inspection::partial_tree_fragments(asked, kernel, growth, example_growth); });
      },
      "model"_a, "weights"_a, "kernel"_a, "example"_a.none(), "counts"_a.none(), "k"_a, "signs"_a, "limit"_a,
      "growth"_a, "example_growth"_a.none());
  m.def(
      "subset_tree_node_values",
      [](const inspection::CollapsedForest& model, ArrayIn<double> weights,
         const kernels::SubsetTreeParameters& kernel, const inspection::CollapsedForest& example) {
        return compute(
            [&] { return inspection::subset_tree_node_values(model, as_span(weights), example, kernel); });
      },
      "model"_a, "weights"_a, "kernel"_a, "example"_a);
  m.def(
      "subtree_node_values",
      [](const inspection::CollapsedForest& model, ArrayIn<double> weights, double decay,
         const inspection::CollapsedForest& example) {
        return compute(
            [&] { return inspection::subtree_node_values(model, as_span(weights), example, decay); });
      },
      "model"_a, "weights"_a, "decay"_a, "example"_a);
  m.def(
      "partial_tree_node_values",
      [](const inspection::CollapsedForest& model, ArrayIn<double> weights,
         const kernels::PartialTreeParameters& kernel, const inspection::CollapsedForest& example) {
        return compute(
            [&] { return inspection::partial_tree_node_values(model, as_span(weights), example, kernel); });
      },
      "model"_a, "weights"_a, "kernel"_a, "example"_a);
}

}  // namespace hedgerow::python
