#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <limits>

#include "linear/fold.hpp"
#include "linear/linear_learner.hpp"
#include "linear/rule_on_weights.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/choices.hpp"
#include "python/locks.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

const linear::LinearRule& function_of(const linear::LinearLearner& learner, std::int32_t j) {
  if (j < 0 || j >= learner.functions()) throw nb::index_error("function out of range");
  return learner.function(j);
}

void register_linear_rules(nb::module_& m) {
  nb::class_<linear::LinearRule>(m, "LinearRule", "A learner of one linear function.");
  m.def(
      "linear_rule",
      [](const std::string& name, const AveragingName& averaging, const nb::dict& parameters) {
        return linear::LinearRules::make(name, parameters_from(parameters), averaging_from(averaging));
      },
      "name"_a, "averaging"_a.none(), "parameters"_a);
  m.def("linear_rules", &linear::LinearRules::names, "Names of the rules that there are.");
  m.def(
      "rule_on_weights",
      [](const online::KernelRule& rule, const AveragingName& averaging, double largest_scale) {
        const auto* plain = dynamic_cast<const online::Rule*>(&rule);
        if (!plain) throw std::invalid_argument("this rule needs a kernel");
        return linear::rule_on_weights(plain->fresh(), averaging_from(averaging), largest_scale);
      },
      "rule"_a, "averaging"_a.none(), "largest_scale"_a = 1e30,
      "Beyond the largest scale, the common factor of all weights is multiplied into them.");
}

void register_mixing(nb::class_<linear::LinearLearner, online::Learner>& learner) {
  using linear::LinearLearner;
  learner
      .def_prop_ro(
          "mixing_of_cells",
          [](const LinearLearner& self) {
            const Reading reading(self);
            return kinds_of(self.function(0).coordinates_of_cells());
          },
          nb::sig("def mixing_of_cells(self) -> dict[str, str]"),
          "Coordinates of cells, and how shards mix each: mean, sum, max, first.")
      .def_prop_ro(
          "mixing_of_numbers",
          [](LinearLearner& self) {
            const Reading reading(self);
            std::vector<models::Field> fields;
            for (const auto& [field, by_function] : self.numbers()) fields.push_back(field);
            return kinds_of(fields);
          },
          nb::sig("def mixing_of_numbers(self) -> dict[str, str]"))
      .def(
          "numbers",
          [](LinearLearner& self) {
            const Reading reading(self);
            nb::dict found;
            for (auto& [field, by_function] : self.numbers())
              found[field.name] = to_numpy(std::move(by_function));
            return found;
          },
          "Of functions, by name.")
      .def(
          "change_since",
          [](const LinearLearner& self, const LinearLearner& start) {
            linear::CellChange change;
            {
              const LongReadingBoth reading(self, start);
              change = self.change_since(start);
            }
            nb::list coordinates;
            for (auto& column : change.coordinates) coordinates.append(to_numpy(std::move(column)));
            return nb::make_tuple(to_numpy(std::move(change.features)), coordinates);
          },
          "start"_a, "Keys of cells, function * 2**32 + feature, and what was added to their coordinates.")
      .def(
          "mix",
          [](LinearLearner& self, ArrayIn<std::int64_t> keys, const std::vector<ArrayIn<double>>& coordinates,
             const nb::dict& numbers, std::int64_t width) {
            linear::CellChange change{{keys.data(), keys.data() + keys.size()}, {}};
            for (const auto& column : coordinates) {
              if (column.size() != keys.size()) throw std::invalid_argument("coordinates differ in length");
              change.coordinates.emplace_back(column.data(), column.data() + column.size());
            }
            const Writing writing(self);
            if (coordinates.size() != self.function(0).coordinates_of_cells().size())
              throw std::invalid_argument("there must be an array for each coordinate");
            std::vector<std::vector<double>> by_function(self.functions());
            for (const auto& [field, now] : self.numbers()) {
              const auto values = nb::cast<ArrayIn<double>>(numbers[field.name]);
              if (values.size() != by_function.size())
                throw std::invalid_argument("numbers differ in length");
              for (std::size_t j = 0; j < by_function.size(); ++j) by_function[j].push_back(values(j));
            }
            nb::gil_scoped_release release;
            self.mix(change, by_function, width);
          },
          "keys"_a, "coordinates"_a, "numbers"_a, "width"_a,
          "Makes this learner, with which all shards began, their mixture.")
      .def(
          "set_counts",
          [](LinearLearner& self, std::int64_t seen, std::int64_t mistakes) {
            const Writing writing(self);
            self.set_counts(seen, mistakes);
          },
          "seen"_a, "mistakes"_a)
      .def(
          "begin_average",
          [](LinearLearner& self) {
            const Writing writing(self);
            self.begin_average();
          },
          "Of the predictors so far none counts for the average.");
}

}  // namespace

void register_linear(nb::module_& m) {
  register_linear_rules(m);

  nb::class_<linear::LinearLearner, online::Learner> learner(m, "LinearLearner",
                                                             "Passes of a learner of weights.");
  learner
      .def(
          "__init__",
          [](linear::LinearLearner* self, const linear::LinearRule& rule, CodeMatrix codes,
             const std::string& decoding, std::int64_t trace_every, const std::string& counting,
             double half_life) {
            new (self) linear::LinearLearner(rule, codes_from(codes, decoding), trace_every,
                                             counting_from(counting), half_life);
          },
          "rule"_a, "codes"_a, "decoding"_a, "trace_every"_a, "counting"_a = "examples",
          "half_life"_a = std::numeric_limits<double>::infinity())
      .def_prop_ro("width", read(&linear::LinearLearner::width), "Of the widest batch so far.")
      .def(
          "nonzeros",
          [](const linear::LinearLearner& self, std::int32_t function) {
            const Reading reading(self);
            std::vector<std::int32_t> features;
            std::vector<double> weights;
            function_of(self, function).nonzeros(features, weights);
            return nb::make_tuple(to_numpy(std::move(features)), to_numpy(std::move(weights)));
          },
          "function"_a, "Features and weights of the function that predicts.")
      .def(
          "nonzero_count",
          [](const linear::LinearLearner& self, std::int32_t function) {
            const Reading reading(self);
            return function_of(self, function).nonzero_count();
          },
          "function"_a)
      .def(
          "intercept",
          [](const linear::LinearLearner& self, std::int32_t function) {
            const Reading reading(self);
            return function_of(self, function).intercept();
          },
          "function"_a)
      .def(
          "prune",
          [](linear::LinearLearner& self, std::int64_t k, double top) {
            const LongWriting writing(self);
            self.prune(k, top);
          },
          "k"_a, "top"_a, "Keeps k features of each function.");

  register_mixing(learner);

  m.def(
      "fold_rows",
      [](ArrayIn<std::int64_t> begin, ArrayIn<std::int64_t> index, ArrayIn<double> value,
         std::int64_t width) {
        linear::FoldedRows rows = linear::fold_rows(as_span(begin), as_span(index), as_span(value), width);
        return nb::make_tuple(to_numpy(std::move(rows.begin)), to_numpy(std::move(rows.index)),
                              to_numpy(std::move(rows.value)));
      },
      "begin"_a, "index"_a, "value"_a, "width"_a,
      "Sparse rows with every feature j in column j modulo the width, a power of two.");
}

}  // namespace hedgerow::python
