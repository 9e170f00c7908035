#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/sparse_vectors.hpp"
#include "python/structured.hpp"
#include "structured/cuts.hpp"
#include "structured/n_slack.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

// Working sets with the oracle that fills them.
struct NSlack {
  std::shared_ptr<structured::Oracle> oracle;
  structured::WorkingSets sets;
};

}  // namespace

void register_solvers(nb::module_& m) {
  nb::register_exception_translator([](const std::exception_ptr& exception, void*) {
    try {
      std::rethrow_exception(exception);
    } catch (const structured::NotSeparable& error) {
      PyErr_SetString(PyExc_ArithmeticError, error.what());
    }
  });

  nb::class_<structured::Pass>(m, "NSlackPass", "What happened in a pass over the examples.")
      .def_prop_ro(
          "busy", [](const structured::Pass& pass) { return to_numpy(std::vector<std::int64_t>(pass.busy)); },
          nb::rv_policy::move, "Examples that got a constraint.")
      .def_ro("violation", &structured::Pass::violation, "The largest over a slack.")
      .def_ro("slack_cost", &structured::Pass::slack_cost,
              "Of all examples; when nothing was added, the slacks' part of the objective.")
      .def_ro("argmax_seconds", &structured::Pass::argmax_seconds)
      .def_ro("qp_seconds", &structured::Pass::qp_seconds);

  nb::class_<NSlack>(m, "NSlack", "The n-slack algorithm: working sets of constraints, filled pass by pass.")
      .def(
          "__init__",
          [](NSlack* self, std::shared_ptr<structured::Oracle> oracle,
             std::shared_ptr<structured::Space> space, const std::string& search, bool root,
             const std::string& slack, double C) {
            const structured::Formulation formulation = formulation_from(search, root, slack, C);
            const std::int64_t examples = oracle->examples(), features = oracle->features();
            new (self) NSlack{std::move(oracle),
                              structured::WorkingSets(formulation, examples,
                                                      structured::Weights(std::move(space), features))};
          },
          "oracle"_a, "space"_a, "search"_a, "root"_a, "slack"_a, "C"_a)
      .def(
          "visit",
          [](NSlack& self, const ArrayIn<std::int64_t>& examples, double tol, double qp_tol, double share,
             std::int64_t chunk, bool full, int threads) {
            if (!(tol > 0 && qp_tol > 0 && share >= 0 && chunk > 0 && threads > 0))
              throw std::invalid_argument("tol, qp_tol, chunk and threads must be above 0");
            for (const std::int64_t example : as_span(examples))
              if (example < 0 || example >= self.oracle->examples())
                throw std::out_of_range("there is no example " + std::to_string(example));
            nb::gil_scoped_release release;
            return structured::n_slack_pass(*self.oracle, self.sets, as_span(examples),
                                            {tol, qp_tol, share, chunk, full, threads});
          },
          "examples"_a, "tol"_a, "qp_tol"_a, "share"_a, "chunk"_a, "full"_a, "threads"_a,
          "Search outputs of these examples, and add those that violate their constraints.")
      .def(
          "optimise",
          [](NSlack& self, double qp_tol, bool verify, int threads) {
            if (threads < 1) throw std::invalid_argument("threads must be above 0");
            nb::gil_scoped_release release;
            const bool moved = self.sets.optimise(qp_tol, verify, threads);
            self.sets.settle();
            return moved;
          },
          "qp_tol"_a, "verify"_a, "threads"_a,
          "Optimise all multipliers until slopes have been no more than this apart, or, to verify, are; "
          "returns "
          "whether any moved.")
      .def(
          "forget", [](NSlack& self, std::int32_t idle) { self.sets.forget(idle); }, "idle"_a,
          "Forget constraints without a multiplier in this many optimisations.")
      .def_prop_ro("gave_up", [](const NSlack& self) { return self.sets.gave_up(); })
      .def_prop_ro("n_constraints", [](const NSlack& self) { return self.sets.constraints(); })
      .def_prop_ro("dual_objective", [](const NSlack& self) { return self.sets.dual_objective(); })
      .def_prop_ro("squared_norm", [](const NSlack& self) { return self.sets.squared_norm(); })
      .def_prop_ro(
          "coordinates", [](const NSlack& self) { return to_numpy(self.sets.coordinates()); },
          nb::rv_policy::move)
      .def(
          "constraints",
          [](const NSlack& self, std::int64_t example) {
            if (example < 0 || example >= self.sets.examples())
              throw std::out_of_range("there is no example " + std::to_string(example));
            nb::list all;
            for (const structured::Constraint& constraint : self.sets.of(example))
              all.append(nb::make_tuple(to_numpy(std::vector<std::int32_t>(constraint.indices)),
                                        to_numpy(std::vector<double>(constraint.values)), constraint.offset,
                                        constraint.multiplier));
            return all;
          },
          "example"_a, "(indices, values, offset, multiplier) of all constraints of an example.")
      .def(
          "supports",
          [](const NSlack& self) {
            std::vector<std::int64_t> examples;
            std::vector<double> multipliers, losses;
            for (std::int64_t example = 0; example < self.sets.examples(); ++example)
              for (const structured::Constraint& constraint : self.sets.of(example))
                if (constraint.multiplier > 0) {
                  examples.push_back(example);
                  multipliers.push_back(constraint.multiplier);
                  losses.push_back(constraint.loss);
                }
            return nb::make_tuple(to_numpy(std::move(examples)), to_numpy(std::move(multipliers)),
                                  to_numpy(std::move(losses)));
          },
          nb::sig("def supports(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.float64], "
                  "NDArray[numpy.float64]]"),
          "Examples, multipliers and losses of the constraints that have a multiplier.");

  nb::class_<structured::Cut>(m, "Cut", "The most violated constraints of all examples, added up.")
      .def(
          "__init__",
          [](structured::Cut* self, const ArrayIn<std::int32_t>& indices, const ArrayIn<double>& values,
             double offset, double height) {
            const structured::SparseVector sum = sparse_from(indices, values);
            new (self) structured::Cut{{sum.indices.begin(), sum.indices.end()},
                                       {sum.values.begin(), sum.values.end()},
                                       offset,
                                       height};
          },
          "indices"_a, "values"_a, "offset"_a, "height"_a)
      .def_prop_ro(
          "indices",
          [](const structured::Cut& cut) { return to_numpy(std::vector<std::int32_t>(cut.indices)); },
          nb::rv_policy::move)
      .def_prop_ro(
          "values", [](const structured::Cut& cut) { return to_numpy(std::vector<double>(cut.values)); },
          nb::rv_policy::move)
      .def_ro("offset", &structured::Cut::offset)
      .def_ro("height", &structured::Cut::height, "The sum of slacks at the weights that it was made for.");

  nb::class_<structured::CutSet>(m, "CutSet", "Cuts with what they have to do with each other.")
      .def(
          "__init__",
          [](structured::CutSet* self, std::shared_ptr<structured::Space> space, std::int64_t size) {
            new (self) structured::CutSet(std::move(space), size);
          },
          "space"_a, "size"_a)
      .def("__len__", &structured::CutSet::size)
      .def(
          "add",
          [](structured::CutSet& self, const structured::Cut& cut, int threads) {
            nb::gil_scoped_release release;
            return self.add(cut, threads);
          },
          "cut"_a, "threads"_a = 1, "Returns the products with all cuts before, and with itself.")
      .def(
          "combine",
          [](const structured::CutSet& self, const ArrayIn<double>& multipliers, int threads) {
            std::vector<double> sum;
            {
              nb::gil_scoped_release release;
              sum = self.combine(as_span(multipliers), threads);
            }
            return to_numpy(std::move(sum));
          },
          "multipliers"_a, "threads"_a = 1, "The sum of cuts times multipliers.")
      .def(
          "keep", [](structured::CutSet& self, const ArrayIn<bool>& kept) { self.keep(as_span(kept)); },
          "kept"_a, "Keep those that are marked.");

  nb::class_<structured::CutMaker>(m, "CutMaker", "Makes cuts, and keeps the outputs that it found last.")
      .def(
          "__init__",
          [](structured::CutMaker* self, std::shared_ptr<structured::Oracle> oracle,
             const std::string& search, bool root, std::size_t cache_size) {
            new (self) structured::CutMaker(std::move(oracle), {search_from(search), root}, cache_size);
          },
          "oracle"_a, "search"_a, "root"_a, "cache_size"_a)
      .def(
          "from_oracle",
          [](structured::CutMaker& self, const ArrayIn<double>& scores, int threads) {
            if (threads < 1) throw std::invalid_argument("threads must be above 0");
            nb::gil_scoped_release release;
            return self.from_oracle(as_span(scores), threads);
          },
          "scores"_a, "threads"_a, "The highest cut there is.")
      .def(
          "from_cache",
          [](structured::CutMaker& self, const ArrayIn<double>& scores, int threads) {
            if (threads < 1) throw std::invalid_argument("threads must be above 0");
            nb::gil_scoped_release release;
            return self.from_cache(as_span(scores), threads);
          },
          "scores"_a, "threads"_a, "The highest one over outputs that are known already.");
}

}  // namespace hedgerow::python
