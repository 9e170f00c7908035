#include "structured/grammar/parser.hpp"

#include <algorithm>
#include <stdexcept>

#include "parallel.hpp"
#include "structured/grammar/chart.hpp"

namespace hedgerow::structured::grammar {

Parses parse(const Grammar& grammar, std::span<const double> weights, std::span<const std::int32_t> words,
             std::span<const std::int64_t> word_begin, double beam, int threads) {
  if (static_cast<std::int64_t>(weights.size()) < grammar.features())
    throw std::invalid_argument("weights are too short");
  if (word_begin.empty() || word_begin.front() != 0 || !std::ranges::is_sorted(word_begin) ||
      word_begin.back() != static_cast<std::int64_t>(words.size()))
    throw std::invalid_argument("the arrays of the sentences do not fit together");
  for (const std::int32_t word : words)
    if (word < -1 || word >= grammar.word_kinds()) throw std::invalid_argument("an unknown kind of word");
  if (!(beam >= 0)) throw std::invalid_argument("the beam must not be negative");

  StepWeights step_weights;
  step_weights.assign(grammar, weights);
  const std::int64_t sentences = static_cast<std::int64_t>(word_begin.size()) - 1;
  std::vector<Derivation> found(sentences);
  std::vector<Chart> charts(std::max(threads, 1));
  parallel_rows(0, sentences, threads, [&](std::int64_t i, int thread) {
    const std::span<const std::int32_t> sentence =
        words.subspan(word_begin[i], word_begin[i + 1] - word_begin[i]);
    Chart& chart = charts[thread];
    constexpr double no_beam = std::numeric_limits<double>::infinity();
    if (chart.fill(grammar, step_weights, sentence, {}, beam) ||
        (beam < no_beam && chart.fill(grammar, step_weights, sentence)))
      chart.trace(found[i]);
  });
  Parses parses;
  for (const Derivation& derivation : found) {
    parses.steps.insert(parses.steps.end(), derivation.begin(), derivation.end());
    parses.begin.push_back(static_cast<std::int64_t>(parses.steps.size()));
  }
  return parses;
}

}  // namespace hedgerow::structured::grammar
