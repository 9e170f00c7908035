#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "linear/bounded_winnow.hpp"
#include "linear/linear_learner.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/choices.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

using Linear = std::unique_ptr<linear::LinearRule>;
using AveragingName = std::optional<std::string>;

template <class Weights, bool modified>
Linear winnow(const linear::WinnowParameters& parameters, const AveragingName& averaging) {
  const models::Averaging kind = averaging_from(averaging);
  if (kind == models::Averaging::normalized)
    throw std::invalid_argument("averaging of a Winnow is never normalized");
  if (kind == models::Averaging::average)
    return std::make_unique<linear::Winnow<Weights, modified, true>>(parameters, kind);
  return std::make_unique<linear::Winnow<Weights, modified, false>>(parameters, kind);
}

template <bool averaged>
Linear bounded(const linear::WinnowParameters& parameters, models::Averaging averaging,
               std::int64_t max_features, double top) {
  using Inner = linear::Winnow<linear::BalancedWeights, true, averaged>;
  return std::make_unique<linear::BoundedWinnow<Inner>>(parameters, averaging, max_features, top);
}

}  // namespace

void register_winnow_rules(nb::module_& m) {
  m.def(
      "positive_winnow_rule",
      [](double promotion, double demotion, double threshold, double initial_weight,
         const AveragingName& averaging) {
        return winnow<linear::PositiveWeights, false>({promotion, demotion, threshold, 0, initial_weight, 0},
                                                      averaging);
      },
      "promotion"_a, "demotion"_a, "threshold"_a, "initial_weight"_a, "averaging"_a.none());
  m.def(
      "balanced_winnow_rule",
      [](double promotion, double demotion, double threshold, double initial_up, double initial_down,
         const AveragingName& averaging) {
        return winnow<linear::BalancedWeights, false>(
            {promotion, demotion, threshold, 0, initial_up, initial_down}, averaging);
      },
      "promotion"_a, "demotion"_a, "threshold"_a, "initial_up"_a, "initial_down"_a, "averaging"_a.none());
  m.def(
      "modified_winnow_rule",
      [](double promotion, double demotion, double threshold, double margin, double initial_up,
         double initial_down, std::optional<std::int64_t> max_features, double top,
         const AveragingName& averaging) {
        const linear::WinnowParameters parameters{promotion, demotion,   threshold,
                                                  margin,    initial_up, initial_down};
        if (!max_features) return winnow<linear::BalancedWeights, true>(parameters, averaging);
        const models::Averaging kind = averaging_from(averaging);
        return kind == models::Averaging::average ? bounded<true>(parameters, kind, *max_features, top)
                                                  : bounded<false>(parameters, kind, *max_features, top);
      },
      "promotion"_a, "demotion"_a, "threshold"_a, "margin"_a, "initial_up"_a, "initial_down"_a,
      "max_features"_a.none(), "top"_a, "averaging"_a.none());

  m.def(
      "winnow_weights",
      [](const linear::LinearLearner& learner, std::int32_t function) {
        if (function < 0 || function >= learner.functions()) throw nb::index_error("function out of range");
        const auto* rule = dynamic_cast<const linear::WinnowRule*>(&learner.function(function));
        if (!rule) throw std::invalid_argument("this learner is no Winnow");
        std::vector<std::int32_t> features;
        std::vector<double> up, down;
        rule->weights(features, up, down);
        return nb::make_tuple(to_numpy(std::move(features)), to_numpy(std::move(up)),
                              to_numpy(std::move(down)));
      },
      "learner"_a, "function"_a,
      "Features in the model of a Winnow, and the two weights of each in the last predictor.");
  m.def(
      "extremal_features",
      [](ArrayIn<std::int32_t> features, ArrayIn<double> scores, std::int64_t k, double top) {
        if (features.size() != scores.size())
          throw std::invalid_argument("there must be a score for every feature");
        if (k < 0 || !(top >= 0 && top <= 1)) throw std::invalid_argument("k or top is out of range");
        return to_numpy(linear::extremal_features(as_span(features), as_span(scores), k, top));
      },
      "features"_a, "scores"_a, "k"_a, "top"_a,
      "Places of the k features with the largest scores and, for the share 1 - top of them, the smallest.");
}

}  // namespace hedgerow::python
