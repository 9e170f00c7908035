#include "linear/winnow.hpp"

#include "linear/bounded_winnow.hpp"

namespace hedgerow::linear {
namespace {

template <class Weights>
std::unique_ptr<LinearRule> make(const WinnowParameters& parameters, Averaging averaging) {
  if (averaging == Averaging::normalized)
    throw std::invalid_argument("averaging of a Winnow is never normalized");
  if (averaging == Averaging::average) return std::make_unique<Winnow<Weights, true>>(parameters, averaging);
  return std::make_unique<Winnow<Weights, false>>(parameters, averaging);
}

template <bool averaged>
std::unique_ptr<LinearRule> make_bounded(const WinnowParameters& parameters, Averaging averaging,
                                         std::int64_t max_features, double top) {
  using Inner = Winnow<BalancedWeights, averaged>;
  return std::make_unique<BoundedWinnow<Inner>>(parameters, averaging, max_features, top);
}

NewRule make_positive(Parameters& p, Averaging averaging) {
  return make<PositiveWeights>({WinnowKind::plain, p.number("promotion"), p.number("demotion"),
                                p.number("threshold"), 0, p.number("initial_weight"), 0},
                               averaging);
}
const LinearRules::Entry positive{"positive-winnow", make_positive};

// A positive Winnow whose weights follow the external regret of each feature: by how much it would have lost
// less than the learner. A feature says that every example which has it is positive. Blum, Mansour: From
// external to internal regret, JMLR 8, 2007 (COLT 2005), section 6: sleeping experts.
NewRule make_regret(Parameters& p, Averaging averaging) {
  const bool only_mistakes = p.choice<bool>("update", {{"mistakes", true}, {"all", false}});
  return make<PositiveWeights>({WinnowKind::regret, 1, p.number("decay"), p.number("threshold"), 0,
                                p.number("initial_weight"), 0, only_mistakes},
                               averaging);
}
const LinearRules::Entry regret{"regret-winnow", make_regret};

NewRule make_balanced(Parameters& p, Averaging averaging) {
  return make<BalancedWeights>({WinnowKind::plain, p.number("promotion"), p.number("demotion"),
                                p.number("threshold"), 0, p.number("initial_up"), p.number("initial_down")},
                               averaging);
}
const LinearRules::Entry balanced{"balanced-winnow", make_balanced};

NewRule make_modified(Parameters& p, Averaging averaging) {
  const WinnowParameters parameters{WinnowKind::modified,    p.number("promotion"), p.number("demotion"),
                                    p.number("threshold"),   p.number("margin"),    p.number("initial_up"),
                                    p.number("initial_down")};
  const std::optional<std::int64_t> max_features = p.whole_or_none("max_features");
  const double top = p.number("top_share");
  if (!max_features) return make<BalancedWeights>(parameters, averaging);
  return averaging == Averaging::average ? make_bounded<true>(parameters, averaging, *max_features, top)
                                         : make_bounded<false>(parameters, averaging, *max_features, top);
}
const LinearRules::Entry modified{"modified-winnow", make_modified};

}  // namespace
}  // namespace hedgerow::linear
