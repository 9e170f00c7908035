// The best tree but for the true one.
#pragma once

#include "structured/grammar/chart.hpp"

namespace hedgerow::structured::grammar {

// Appends the derivation with the highest score of a chart, filled without bonus, among all but `truth`,
// which is derived by its grammar; whether there is one. Its score is the chart's for all but the parts of
// the true tree, where it is the highest of: another way to the part, the true way with another left part, or
// with another right part. So only the true tree's parts are looked at again.
bool best_other(const Grammar& grammar, const StepWeights& weights, const Chart& chart,
                std::span<const Step> truth, Derivation& out);

}  // namespace hedgerow::structured::grammar
