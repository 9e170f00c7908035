#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/structured.hpp"
#include "structured/classes/class_ascent.hpp"
#include "structured/classes/class_oracle.hpp"
#include "structured/classes/edit_distances.hpp"
#include "structured/classes/list_oracle.hpp"
#include "structured/classes/pair_sets.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace classes = structured::classes;

namespace {

void check_examples(const classes::PairSets& sets, std::span<const std::int64_t> examples) {
  for (const std::int64_t example : examples)
    if (example < 0 || example >= sets.examples())
      throw std::out_of_range("there is no example " + std::to_string(example));
}

void register_pair_sets(nb::module_& m) {
  using Review = classes::PairSets::Review;
  nb::class_<Review>(m, "PairReview", "What a look at the scores of examples has found.")
      .def_prop_ro(
          "busy", [](const Review& review) { return to_numpy(std::vector<std::int64_t>(review.busy)); },
          nb::rv_policy::move, "Examples that got constraints.")
      .def_ro("violation", &Review::violation, "The largest over a slack.")
      .def_ro("slack_cost", &Review::slack_cost, "Of these examples.");

  nb::class_<classes::PairSets>(m, "PairSets",
                                "Working sets of constraints where the joint kernel is K(x, x') L(y, y').")
      .def(
          "__init__",
          [](classes::PairSets* self, std::shared_ptr<svm::SvmKernel> kernel, ArrayIn<double> gram,
             std::int64_t outputs, ArrayIn<std::int32_t> truths,
             std::optional<std::pair<ArrayIn<std::int64_t>, ArrayIn<std::int32_t>>> lists,
             std::optional<ArrayIn<double>> losses, const std::vector<double>& scales,
             const std::vector<double>& weights, const std::string& search, bool root,
             const std::string& slack, double C) {
            const auto costs = losses ? as_span(*losses) : std::span<const double>{};
            auto sets = lists ? classes::OutputSets(outputs, as_span(lists->first), as_span(lists->second),
                                                    costs, as_span(truths),
                                                    keep(lists->first, lists->second, losses, truths))
                              : classes::OutputSets(outputs, as_span(truths), costs, keep(truths, losses));
            new (self) classes::PairSets(std::move(kernel), as_span(gram), std::move(sets), scales, weights,
                                         formulation_from(search, root, slack, C), keep(gram));
          },
          "kernel"_a, "gram"_a, "outputs"_a, "truths"_a, "lists"_a.none(), "losses"_a.none(), "scales"_a,
          "weights"_a, "search"_a, "root"_a, "slack"_a, "C"_a,
          "gram: L, row by row. lists: begins and listed outputs, where each example has its own. scales: of "
          "losses that are 1 - L, normalised.")
      .def(
          "sums",
          [](const classes::PairSets& self, const ArrayIn<std::int64_t>& examples) {
            check_examples(self, as_span(examples));
            std::vector<double> sums(as_span(examples).size() * self.outputs());
            {
              nb::gil_scoped_release release;
              self.sums(as_span(examples), sums.data());
            }
            return to_numpy(std::move(sums));
          },
          "examples"_a, "Row by row what L multiplies to the scores of all outputs.")
      .def(
          "review",
          [](classes::PairSets& self, const ArrayIn<std::int64_t>& examples, const ArrayIn<double>& scores,
             double tol, std::int64_t most, int threads) {
            check_examples(self, as_span(examples));
            if (as_span(scores).size() != as_span(examples).size() * self.outputs())
              throw std::invalid_argument("there must be a score for each example and output");
            if (!(tol > 0 && most > 0 && threads > 0))
              throw std::invalid_argument("tol, most and threads must be above 0");
            nb::gil_scoped_release release;
            return self.review(as_span(examples), as_span(scores), tol, most, threads);
          },
          "examples"_a, "scores"_a, "tol"_a, "most"_a, "threads"_a,
          "Add outputs that are violated by more than slack and tol.")
      .def(
          "sweep",
          [](classes::PairSets& self, const ArrayIn<std::int64_t>& order, double tolerance) {
            check_examples(self, as_span(order));
            std::vector<std::int64_t> moved;
            {
              nb::gil_scoped_release release;
              moved = self.sweep(as_span(order), tolerance);
            }
            return to_numpy(std::move(moved));
          },
          "order"_a, "tolerance"_a, "Optimise these examples in turn; returns those that moved.")
      .def("forget", &classes::PairSets::forget, "idle"_a,
           "Forget constraints without a multiplier in so many visits.")
      .def_prop_ro("n_constraints", &classes::PairSets::constraints)
      .def(
          "measure",
          [](const classes::PairSets& self) {
            nb::gil_scoped_release release;
            const double norm = self.squared_norm();
            return std::pair(norm, self.dual_objective(norm));
          },
          "The squared norm of the weights, and the dual objective.")
      .def(
          "coefficients",
          [](const classes::PairSets& self) {
            auto all = self.coefficients();
            return nb::make_tuple(to_numpy(std::move(all.examples)), to_numpy(std::move(all.outputs)),
                                  to_numpy(std::move(all.values)));
          },
          nb::sig("def coefficients(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], "
                  "NDArray[numpy.float64]]"),
          "Example, output and value of each coefficient that is not 0.")
      .def(
          "supports",
          [](const classes::PairSets& self) {
            auto all = self.supports();
            return nb::make_tuple(to_numpy(std::move(all.examples)), to_numpy(std::move(all.multipliers)),
                                  to_numpy(std::move(all.losses)));
          },
          nb::sig("def supports(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.float64], "
                  "NDArray[numpy.float64]]"),
          "Examples, multipliers and losses of the constraints that have a multiplier.");
}

void register_class_ascent(nb::module_& m) {
  using classes::ClassAscent;
  nb::class_<ClassAscent>(m, "ClassAscent", "The dual of Crammer and Singer's machine, example by example.")
      .def(
          "__init__",
          [](ClassAscent* self, std::shared_ptr<models::SparseItems> inputs, std::int64_t outputs,
             ArrayIn<std::int32_t> truths, std::optional<ArrayIn<double>> losses,
             const std::optional<ArrayIn<double>>& weights, double C, bool unit_margins, bool averaging) {
            const auto costs = losses ? as_span(*losses) : std::span<const double>{};
            new (self) ClassAscent(
                std::move(inputs), classes::OutputSets(outputs, as_span(truths), costs, keep(truths, losses)),
                weights ? as_span(*weights) : std::span<const double>{}, {C, unit_margins, averaging});
          },
          "inputs"_a, "outputs"_a, "truths"_a, "losses"_a.none(), "weights"_a.none(), "C"_a, "unit_margins"_a,
          "averaging"_a, "unit_margins: the margin is 1 for all wrong outputs, whatever their losses.")
      .def(
          "visit",
          [](ClassAscent& self, const ArrayIn<std::int64_t>& order, double above) {
            nb::gil_scoped_release release;
            for (const std::int64_t example : as_span(order))
              if (example < 0 || example >= self.examples())
                throw std::out_of_range("there is no example " + std::to_string(example));
            return self.visit(as_span(order), above);
          },
          "order"_a, "above"_a, "Visit those of these examples whose gap was above this; returns how many.")
      .def(
          "measure",
          [](ClassAscent& self, int threads) {
            ClassAscent::Measure measured;
            {
              nb::gil_scoped_release release;
              measured = self.measure(threads);
            }
            return nb::make_tuple(measured.primal, measured.dual, measured.gap);
          },
          nb::sig("def measure(self, threads: int) -> tuple[float, float, float]"), "threads"_a,
          "Primal and dual objective, and their gap.")
      .def("measure_average", &ClassAscent::measure_average, "threads"_a,
           nb::call_guard<nb::gil_scoped_release>(), "Primal objective of the average.")
      .def_prop_ro("remembered_gap", &ClassAscent::remembered_gap)
      .def_prop_ro("dual", &ClassAscent::dual)
      .def_prop_ro("visits", &ClassAscent::visits)
      .def_prop_ro("constraints", &ClassAscent::constraints)
      .def_prop_ro("height", &ClassAscent::height)
      .def_ro("oracle_seconds", &ClassAscent::oracle_seconds)
      .def("coordinates",
           [](const ClassAscent& self) {
             return to_numpy(std::vector<double>(self.coordinates().begin(), self.coordinates().end()));
           })
      .def("average", [](const ClassAscent& self) { return to_numpy(self.average()); })
      .def("late", [](const ClassAscent& self) { return to_numpy(self.late()); });
}

}  // namespace

void register_classes(nb::module_& m) {
  register_class_ascent(m);
  m.def(
      "class_oracle",
      [](std::shared_ptr<models::SparseItems> inputs, std::shared_ptr<models::SparseItems> output_features,
         std::int64_t outputs, ArrayIn<std::int32_t> truths, std::optional<ArrayIn<double>> losses,
         bool every) -> std::shared_ptr<structured::Oracle> {
        const auto costs = losses ? as_span(*losses) : std::span<const double>{};
        classes::OutputSets sets(outputs, as_span(truths), costs, keep(truths, losses));
        return std::make_shared<classes::ClassOracle>(std::move(inputs), std::move(output_features),
                                                      std::move(sets), every);
      },
      "inputs"_a, "output_features"_a.none(), "outputs"_a, "truths"_a, "losses"_a.none(), "every"_a = false,
      "Classification, where every output is possible. output_features: a row for each output; None for "
      "their "
      "identities. losses: a matrix, row-major, by true and other output; None for 0-1 loss. every: slacks "
      "of "
      "their own for all wrong outputs.");
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
  m.def(
      "edit_distances",
      [](const ArrayIn<std::int64_t>& begins, const ArrayIn<std::int32_t>& symbols, int threads) {
        const classes::Strings strings(as_span(begins), as_span(symbols));
        std::vector<double> distances(strings.size() * strings.size());
        {
          nb::gil_scoped_release release;
          classes::edit_distances(strings, threads, distances.data());
        }
        return to_numpy(std::move(distances));
      },
      "begins"_a, "symbols"_a, "threads"_a,
      "Between all strings; string i is symbols[begins[i]:begins[i + 1]].");
  register_pair_sets(m);
}

}  // namespace hedgerow::python
