#include "linear/winnow.hpp"

#include "linear/bounded_winnow.hpp"

namespace hedgerow::linear {
namespace {

template <class Weights, bool modified>
std::unique_ptr<LinearRule> make(const WinnowParameters& parameters, Averaging averaging) {
  if (averaging == Averaging::normalized)
    throw std::invalid_argument("averaging of a Winnow is never normalized");
  if (averaging == Averaging::average)
    return std::make_unique<Winnow<Weights, modified, true>>(parameters, averaging);
  return std::make_unique<Winnow<Weights, modified, false>>(parameters, averaging);
}

template <bool averaged>
std::unique_ptr<LinearRule> make_bounded(const WinnowParameters& parameters, Averaging averaging,
                                         std::int64_t max_features, double top) {
  using Inner = Winnow<BalancedWeights, true, averaged>;
  return std::make_unique<BoundedWinnow<Inner>>(parameters, averaging, max_features, top);
}

NewRule make_positive(Parameters& p, Averaging averaging) {
  return make<PositiveWeights, false>(
      {p.number("promotion"), p.number("demotion"), p.number("threshold"), 0, p.number("initial_weight"), 0},
      averaging);
}
const LinearRules::Entry positive{"positive-winnow", make_positive};

NewRule make_balanced(Parameters& p, Averaging averaging) {
  return make<BalancedWeights, false>({p.number("promotion"), p.number("demotion"), p.number("threshold"), 0,
                                       p.number("initial_up"), p.number("initial_down")},
                                      averaging);
}
const LinearRules::Entry balanced{"balanced-winnow", make_balanced};

NewRule make_modified(Parameters& p, Averaging averaging) {
  const WinnowParameters parameters{p.number("promotion"), p.number("demotion"),   p.number("threshold"),
                                    p.number("margin"),    p.number("initial_up"), p.number("initial_down")};
  const std::optional<std::int64_t> max_features = p.whole_or_none("max_features");
  const double top = p.number("top");
  if (!max_features) return make<BalancedWeights, true>(parameters, averaging);
  return averaging == Averaging::average ? make_bounded<true>(parameters, averaging, *max_features, top)
                                         : make_bounded<false>(parameters, averaging, *max_features, top);
}
const LinearRules::Entry modified{"modified-winnow", make_modified};

}  // namespace
}  // namespace hedgerow::linear
