#include "linear/extremal_features.hpp"
#include "linear/linear_learner.hpp"
#include "linear/winnow.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/locks.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

void register_winnow(nb::module_& m) {
  m.def(
      "winnow_weights",
      [](const linear::LinearLearner& learner, std::int32_t function) {
        if (function < 0 || function >= learner.functions()) throw nb::index_error("function out of range");
        const Reading reading(learner);
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
