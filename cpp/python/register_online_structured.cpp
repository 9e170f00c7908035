#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/locks.hpp"
#include "python/sparse_vectors.hpp"
#include "python/structured.hpp"
#include "structured/frank_wolfe.hpp"
#include "structured/perceptron.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

structured::StepRule rule_from(const std::string& update, double C) {
  using enum structured::StepRule::Kind;
  if (update == "perceptron") return {perceptron, C};
  if (update == "PA") return {pa, C};
  if (update == "PA-I") return {pa_1, C};
  if (update == "PA-II") return {pa_2, C};
  throw std::invalid_argument("update must be 'perceptron', 'PA', 'PA-I' or 'PA-II', got '" + update + "'");
}

void check_order(const ArrayIn<std::int64_t>& order, std::int64_t examples) {
  for (const std::int64_t example : as_span(order))
    if (example < 0 || example >= examples)
      throw std::out_of_range("there is no example " + std::to_string(example));
}

// Those at these places; there are zeros behind the last.
auto some(std::span<const double> values, std::span<const std::int32_t> indices) {
  std::vector<double> found;
  found.reserve(indices.size());
  for (const std::int32_t index : indices) {
    if (index < 0) throw std::out_of_range("there is no coordinate " + std::to_string(index));
    found.push_back(static_cast<std::size_t>(index) < values.size() ? values[index] : 0.0);
  }
  return to_numpy(std::move(found));
}

template <class T>
auto copied(std::span<const T> values) {
  return to_numpy(std::vector<T>(values.begin(), values.end()));
}

}  // namespace

void register_online_structured(nb::module_& m) {
  nb::class_<structured::StructuredPerceptron>(m, "StructuredPerceptron",
                                               "A structured perceptron, or passive-aggressive learner.")
      .def(
          "__init__",
          [](structured::StructuredPerceptron* self, std::shared_ptr<structured::Space> space,
             std::int64_t size, const std::string& update, double C, bool dual) {
            new (self) structured::StructuredPerceptron(std::move(space), size, rule_from(update, C), dual);
          },
          "space"_a, "size"_a, "update"_a, "C"_a, "dual"_a)
      .def(
          "move_to",
          [](structured::StructuredPerceptron& self, std::shared_ptr<structured::Space> space,
             std::int64_t size) {
            // With the GIL: the old space may be the last to hold arrays of numpy.
            const Writing writing(self);
            self.move_to(std::move(space), size);
          },
          "space"_a, "size"_a, "Go on in a space with further coordinates.")
      .def(
          "move_back",
          [](structured::StructuredPerceptron& self, std::int64_t size) {
            if (size < 0) throw std::invalid_argument("size must not be negative");
            const Writing writing(self);
            self.move_back(size);
          },
          "size"_a, "Back to as many coordinates as there were, when nothing was learned since.")
      .def(
          "resume",
          [](structured::StructuredPerceptron& self, const ArrayIn<double>& coordinates,
             const ArrayIn<double>& late, std::int64_t seen) {
            const Writing writing(self);
            self.resume(as_span(coordinates), as_span(late), seen);
          },
          "coordinates"_a, "late"_a, "seen"_a, "Go on where another learner stopped.")
      .def(
          "start",
          [](structured::StructuredPerceptron& self, const ArrayIn<std::int32_t>& indices,
             const ArrayIn<double>& values) {
            const Writing writing(self);
            self.start(sparse_from(indices, values));
          },
          "indices"_a, "values"_a, "Begin with these weights, in place of zeros.")
      .def(
          "learn",
          [](structured::StructuredPerceptron& self, const structured::Oracle& oracle,
             const ArrayIn<std::int64_t>& order, std::int64_t offset) {
            const LongWriting writing(self);
            check_order(order, oracle.examples());
            self.learn(oracle, as_span(order), offset);
          },
          "oracle"_a, "order"_a, "offset"_a = 0, "One pass over these examples.")
      .def_prop_ro("n_coordinates",
                   [](const structured::StructuredPerceptron& self) {
                     const Reading reading(self);
                     return self.coordinates().size();
                   })
      .def("coordinates",
           [](const structured::StructuredPerceptron& self) {
             const Reading reading(self);
             return copied(self.coordinates());
           })
      .def("average",
           [](const structured::StructuredPerceptron& self) {
             const Reading reading(self);
             return to_numpy(self.average());
           })
      .def("late",
           [](const structured::StructuredPerceptron& self) {
             const Reading reading(self);
             return copied(self.late());
           })
      .def(
          "at",
          [](const structured::StructuredPerceptron& self, const ArrayIn<std::int32_t>& indices) {
            const Reading reading(self);
            return nb::make_tuple(some(self.coordinates(), as_span(indices)),
                                  some(self.late(), as_span(indices)));
          },
          "indices"_a,
          nb::sig("def at(self, indices: NDArray[numpy.int32]) -> tuple[NDArray[numpy.float64], "
                  "NDArray[numpy.float64]]"),
          "Some of the coordinates, and of what is late.")
      .def_prop_ro("seen", read(&structured::StructuredPerceptron::seen))
      .def_prop_rw("mistakes", read(&structured::StructuredPerceptron::mistakes),
                   write(&structured::StructuredPerceptron::mistakes))
      .def_prop_rw("updates", read(&structured::StructuredPerceptron::updates),
                   write(&structured::StructuredPerceptron::updates))
      .def_prop_rw("loss", read(&structured::StructuredPerceptron::loss),
                   write(&structured::StructuredPerceptron::loss))
      .def(
          "dual_counts",
          [](structured::StructuredPerceptron& self) {
            const Reading reading(self);
            const structured::DualCounts& counts = self.dual_counts();
            return nb::make_tuple(copied(counts.coefficients()), copied(counts.examples()),
                                  copied(counts.begins()), copied(counts.indices()), copied(counts.values()));
          },
          "(coefficients, examples, begins, indices, values) of the candidates that made updates.")
      .def(
          "resume_dual",
          [](structured::StructuredPerceptron& self, const ArrayIn<double>& coefficients,
             const ArrayIn<std::int64_t>& examples, const ArrayIn<std::int64_t>& begins,
             const ArrayIn<std::int32_t>& indices, const ArrayIn<double>& values) {
            const Writing writing(self);
            self.dual_counts().resume(as_span(coefficients), as_span(examples), as_span(begins),
                                      as_span(indices), as_span(values));
          },
          "coefficients"_a, "examples"_a, "begins"_a, "indices"_a, "values"_a,
          "Go on with what `dual_counts` gave.");

  nb::class_<structured::FrankWolfe>(m, "FrankWolfe", "Block-coordinate Frank-Wolfe for structured SVMs.")
      .def(
          "__init__",
          [](structured::FrankWolfe* self, std::shared_ptr<structured::Oracle> oracle,
             std::shared_ptr<structured::Space> space, double C, const std::string& search, bool averaging,
             std::int32_t patience, std::uint64_t seed, double remainder) {
            new (self) structured::FrankWolfe(
                std::move(oracle), std::move(space),
                {C, structured::Question{search_from(search)}, averaging, patience, remainder}, seed);
          },
          "oracle"_a, "space"_a, "C"_a, "search"_a, "averaging"_a, "patience"_a, "seed"_a,
          "remainder"_a = structured::FrankWolfeSettings().remainder)
      .def(
          "resume",
          [](structured::FrankWolfe& self, const ArrayIn<double>& coordinates, const ArrayIn<double>& late,
             std::int64_t visits,
             double height) { self.resume(as_span(coordinates), as_span(late), visits, height); },
          "coordinates"_a, "late"_a, "visits"_a, "height"_a, "Go on where another one stopped.")
      .def(
          "visit",
          [](structured::FrankWolfe& self, const ArrayIn<std::int64_t>& order, int threads) {
            nb::gil_scoped_release release;
            check_order(order, self.examples());
            self.visit(as_span(order), threads);
          },
          "order"_a, "threads"_a, "Visit these examples, each once.")
      .def("visit_by_gap", &structured::FrankWolfe::visit_by_gap, "count"_a, "threads"_a,
           nb::call_guard<nb::gil_scoped_release>(), "Visit so many examples, drawn by their gaps.")
      .def(
          "revisit",
          [](structured::FrankWolfe& self, const ArrayIn<std::int64_t>& order, int threads) {
            nb::gil_scoped_release release;
            check_order(order, self.examples());
            return self.revisit(as_span(order), threads);
          },
          "order"_a, "threads"_a = 1,
          "Visit these examples without the oracle; gives the gap over the constraints that they have.")
      .def(
          "measure",
          [](structured::FrankWolfe& self, int threads) {
            structured::FrankWolfe::Measure measured;
            {
              nb::gil_scoped_release release;
              measured = self.measure(threads);
            }
            return nb::make_tuple(measured.primal, measured.dual, measured.gap);
          },
          nb::sig("def measure(self, threads: int) -> tuple[float, float, float]"), "threads"_a,
          "Primal and dual objective, and the gap of these examples.")
      .def("measure_average", &structured::FrankWolfe::measure_average, "threads"_a,
           nb::call_guard<nb::gil_scoped_release>(), "Primal objective of the average.")
      .def_prop_ro("remembered_gap", &structured::FrankWolfe::remembered_gap)
      .def_prop_ro("dual", &structured::FrankWolfe::dual)
      .def_prop_ro("visits", &structured::FrankWolfe::visits)
      .def_prop_ro("constraints", &structured::FrankWolfe::constraints)
      .def_prop_ro("height", &structured::FrankWolfe::height)
      .def_ro("oracle_seconds", &structured::FrankWolfe::oracle_seconds)
      .def("coordinates", [](const structured::FrankWolfe& self) { return copied(self.coordinates()); })
      .def("average", [](const structured::FrankWolfe& self) { return to_numpy(self.average()); })
      .def("late", [](const structured::FrankWolfe& self) { return copied(self.late()); });
}

}  // namespace hedgerow::python
