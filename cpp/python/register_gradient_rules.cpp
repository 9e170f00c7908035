#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "linear/adagrad_rda.hpp"
#include "linear/fobos.hpp"
#include "linear/rda.hpp"
#include "linear/truncated_gradient.hpp"
#include "python/bindings.hpp"
#include "python/choices.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

using Linear = std::unique_ptr<linear::LinearRule>;
using AveragingName = std::optional<std::string>;

linear::UpdateOn update_from(const std::string& given) {
  return one_of<linear::UpdateOn>("update", given,
                                  {{"all", linear::UpdateOn::all}, {"mistakes", linear::UpdateOn::mistakes}});
}

template <template <bool> class Learner>
void register_rule(nb::module_& m, const char* name) {
  m.def(
      name,
      [](const std::string& loss, double l1, double l2, double learning_rate, const std::string& update,
         const AveragingName& averaging, bool bias, std::int64_t table_size) -> Linear {
        return linear::make_shrinking_rule<Learner>(
            linear::GradientOptions{loss_from(loss), l1, l2, learning_rate, update_from(update),
                                    averaging_from(averaging), bias, table_size});
      },
      "loss"_a, "l1"_a, "l2"_a, "learning_rate"_a, "update"_a, "averaging"_a.none(), "bias"_a,
      "table_size"_a = linear::GradientOptions().table_size);
}

}  // namespace

void register_gradient_rules(nb::module_& m) {
  register_rule<linear::Rda>(m, "rda_rule");
  register_rule<linear::AdagradRda>(m, "adagrad_rda_rule");
  register_rule<linear::Fobos>(m, "fobos_rule");
  m.def(
      "truncated_gradient_rule",
      [](const std::string& loss, double l1, double learning_rate, const std::string& schedule,
         std::int64_t truncate_every, double threshold, const AveragingName& averaging, bool bias,
         std::int64_t table_size) -> Linear {
        linear::TruncatedGradientOptions options;
        options.loss = loss_from(loss);
        options.l1 = l1;
        options.learning_rate = learning_rate;
        options.averaging = averaging_from(averaging);
        options.bias = bias;
        options.table_size = table_size;
        options.constant_rate = one_of<bool>("schedule", schedule, {{"constant", true}, {"decaying", false}});
        options.truncate_every = static_cast<double>(truncate_every);
        options.theta = threshold;
        return linear::make_truncated_gradient(options);
      },
      "loss"_a, "l1"_a, "learning_rate"_a, "schedule"_a, "truncate_every"_a, "threshold"_a,
      "averaging"_a.none(), "bias"_a, "table_size"_a = linear::GradientOptions().table_size);
}

}  // namespace hedgerow::python
