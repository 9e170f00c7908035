#include "structured/grammar/parser.hpp"

#include <algorithm>
#include <stdexcept>

#include "parallel.hpp"
#include "structured/grammar/chart.hpp"
#include "structured/grammar/k_best_trees.hpp"

namespace hedgerow::structured::grammar {

namespace {

// Calls `look` with the chart of each sentence that has a tree.
template <typename Look>
void each_chart(const Grammar& grammar, std::span<const double> weights, const Sentences& sentences,
                double beam, int threads, Look look) {
  if (static_cast<std::int64_t>(weights.size()) < grammar.features())
    throw std::invalid_argument("weights are too short");
  if (!(beam >= 0)) throw std::invalid_argument("the beam must not be negative");

  StepWeights step_weights;
  step_weights.assign(grammar, weights);
  std::vector<Chart> charts(std::max(threads, 1));
  parallel_rows(0, sentences.size(), threads, [&](std::int64_t i, int thread) {
    const std::span<const std::int32_t> kinds = sentences.kinds(i);
    const TokenForms forms = sentences.forms_of(grammar, i);
    Chart& chart = charts[thread];
    constexpr double no_beam = std::numeric_limits<double>::infinity();
    if (chart.fill(grammar, step_weights, kinds, forms, {}, beam) ||
        (beam < no_beam && chart.fill(grammar, step_weights, kinds, forms)))
      look(i, step_weights, chart);
  });
}

void append(const Derivation& derivation, Parses& parses) {
  parses.steps.insert(parses.steps.end(), derivation.begin(), derivation.end());
  parses.begin.push_back(static_cast<std::int64_t>(parses.steps.size()));
}

}  // namespace

Parses parse(const Grammar& grammar, std::span<const double> weights, const Sentences& sentences, double beam,
             int threads) {
  sentences.check(grammar);
  std::vector<Derivation> found(sentences.size());
  each_chart(grammar, weights, sentences, beam, threads,
             [&](std::int64_t i, const StepWeights&, const Chart& chart) { chart.trace(found[i]); });
  Parses parses;
  for (const Derivation& derivation : found) append(derivation, parses);
  return parses;
}

RankedParses parse_k(const Grammar& grammar, std::span<const double> weights, const Sentences& sentences,
                     std::int32_t k, double beam, int threads) {
  if (k < 1) throw std::invalid_argument("k must be at least 1");
  struct Own {
    std::vector<Derivation> trees;
    std::vector<double> scores;
  };
  sentences.check(grammar);
  std::vector<Own> own(sentences.size());
  each_chart(grammar, weights, sentences, beam, threads,
             [&](std::int64_t i, const StepWeights& step_weights, const Chart& chart) {
               KBestTrees best(grammar, step_weights, chart);
               for (std::int32_t rank = 0; rank < k && best.find(rank); ++rank) {
                 own[i].scores.push_back(best.score(rank));
                 best.trace(rank, own[i].trees.emplace_back());
               }
             });
  RankedParses all;
  for (const Own& one : own) {
    all.found.push_back(static_cast<std::int64_t>(one.trees.size()));
    all.scores.insert(all.scores.end(), one.scores.begin(), one.scores.end());
    for (const Derivation& derivation : one.trees) append(derivation, all);
  }
  return all;
}

}  // namespace hedgerow::structured::grammar
