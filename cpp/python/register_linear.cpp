#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "linear/arow.hpp"
#include "linear/fold.hpp"
#include "linear/ftrl.hpp"
#include "linear/linear_learner.hpp"
#include "linear/rule_on_weights.hpp"
#include "linear/scw.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/choices.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

using Linear = std::unique_ptr<linear::LinearRule>;
using AveragingName = std::optional<std::string>;

const linear::LinearRule& function_of(const linear::LinearLearner& learner, std::int32_t j) {
  if (j < 0 || j >= learner.functions()) throw nb::index_error("function out of range");
  return learner.function(j);
}

void register_linear_rules(nb::module_& m) {
  nb::class_<linear::LinearRule>(m, "LinearRule", "A learner of one linear function.");
  m.def(
      "rule_on_weights",
      [](const online::KernelRule& rule, const AveragingName& averaging, double largest_scale) -> Linear {
        const auto* plain = dynamic_cast<const online::Rule*>(&rule);
        if (!plain) throw std::invalid_argument("this rule needs a kernel");
        return linear::rule_on_weights(plain->fresh(), averaging_from(averaging), largest_scale);
      },
      "rule"_a, "averaging"_a.none(), "largest_scale"_a = 1e30,
      "Beyond the largest scale, the common factor of all weights is multiplied into them.");
  m.def(
      "ftrl_rule",
      [](const std::string& loss, double alpha, double beta, double l1, double l2,
         const AveragingName& averaging, bool bias) -> Linear {
        return linear::make_steady_rule<linear::Ftrl>(
            averaging_from(averaging), linear::FtrlOptions{loss_from(loss), alpha, beta, l1, l2}, bias);
      },
      "loss"_a, "alpha"_a, "beta"_a, "l1"_a, "l2"_a, "averaging"_a.none(), "bias"_a);
  m.def(
      "arow_rule",
      [](double r, const AveragingName& averaging, bool bias) -> Linear {
        return linear::make_steady_rule<linear::Arow>(averaging_from(averaging), r, bias);
      },
      "r"_a, "averaging"_a.none(), "bias"_a);
  m.def(
      "scw_rule",
      [](const std::string& variant, double C, double phi, const AveragingName& averaging,
         bool bias) -> Linear {
        const auto kind = one_of<linear::SoftConfidence>(
            "variant", variant,
            {{"SCW-I", linear::SoftConfidence::scw1}, {"SCW-II", linear::SoftConfidence::scw2}});
        return linear::make_steady_rule<linear::Scw>(averaging_from(averaging), kind, C, phi, bias);
      },
      "variant"_a, "C"_a, "phi"_a, "averaging"_a.none(), "bias"_a);
}

}  // namespace

void register_linear(nb::module_& m) {
  register_linear_rules(m);

  nb::class_<linear::LinearLearner, online::Learner>(m, "LinearLearner", "Passes of a learner of weights.")
      .def(
          "__init__",
          [](linear::LinearLearner* self, const linear::LinearRule& rule, CodeMatrix codes,
             const std::string& decoding, std::int64_t trace_every) {
            new (self) linear::LinearLearner(rule, codes_from(codes, decoding), trace_every);
          },
          "rule"_a, "codes"_a, "decoding"_a, "trace_every"_a)
      .def_prop_ro("width", &linear::LinearLearner::width, "Of the widest batch so far.")
      .def(
          "nonzeros",
          [](const linear::LinearLearner& self, std::int32_t function) {
            std::vector<std::int32_t> features;
            std::vector<double> weights;
            function_of(self, function).nonzeros(features, weights);
            return nb::make_tuple(to_numpy(std::move(features)), to_numpy(std::move(weights)));
          },
          "function"_a, "Features and weights of the function that predicts.")
      .def(
          "nonzero_count",
          [](const linear::LinearLearner& self, std::int32_t function) {
            return function_of(self, function).nonzero_count();
          },
          "function"_a)
      .def(
          "intercept",
          [](const linear::LinearLearner& self, std::int32_t function) {
            return function_of(self, function).intercept();
          },
          "function"_a);

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
