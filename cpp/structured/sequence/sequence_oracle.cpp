#include "structured/sequence/sequence_oracle.hpp"

#include <algorithm>
#include <atomic>
#include <string>

#include "parallel.hpp"
#include "structured/sequence/k_best.hpp"
#include "structured/sequence/sequence_features.hpp"
#include "structured/sequence/sequence_search.hpp"

namespace hedgerow::structured::sequence {

SequenceOracle::SequenceOracle(Chain chain, SequenceLoss loss, std::shared_ptr<const TokenSequences> tokens,
                               std::vector<std::int32_t> truth, std::int64_t features, bool constrained)
    : chain_(std::move(chain)),
      loss_(std::move(loss)),
      tokens_(std::move(tokens)),
      truth_(std::move(truth)),
      features_(features),
      constrained_(constrained) {
  chain_.check();
  loss_.check();
  if (static_cast<std::int64_t>(truth_.size()) != tokens_->tokens())
    throw std::invalid_argument("there must be as many labels as tokens");
  for (const std::int32_t label : truth_)
    if (label < 0 || label >= chain_.labels) throw std::invalid_argument("labels are numbered from 0");
  if (features_ < std::max(chain_.plain(), tokens_->weights()))
    throw std::invalid_argument("there are fewer features than the examples have");
}

void SequenceOracle::find(std::int64_t example, std::span<const double> weights, Question question,
                          Candidate& found) const {
  static thread_local SequenceSearch search;
  const auto y = truth(example);
  search.moves.set(chain_, weights, constrained_);
  search.lattice.set(search.moves, chain_, *tokens_, example, weights);
  search.answer(question, loss_, y);
  if (std::ranges::equal(y, search.labels)) {
    found.clear();
    return;
  }
  sequence_difference(chain_, *tokens_, example, y, search.labels, found);
  found.loss = loss_.of(y, search.labels);
  found.correct = false;
}

namespace {

// Calls `look` with the lattice of each sequence, as prediction sees it.
template <typename Look>
void each_lattice(const Chain& chain, const TokenSequences& tokens, std::span<const double> weights,
                  int threads, Look look) {
  chain.check();
  if (static_cast<std::int64_t>(weights.size()) < std::max(chain.plain(), tokens.weights()))
    throw std::invalid_argument("weights are too short");
  MoveScores moves;
  moves.set(chain, weights, true);
  parallel_rows(0, tokens.size(), threads, [&](std::int64_t sequence, int) {
    static thread_local Lattice lattice;
    lattice.set(moves, chain, tokens, sequence, weights);
    look(sequence, lattice);
  });
}

}  // namespace

void decode_sequences(const Chain& chain, const TokenSequences& tokens, std::span<const double> weights,
                      int threads, std::span<std::int32_t> labels) {
  each_lattice(chain, tokens, weights, threads, [&](std::int64_t sequence, const Lattice& lattice) {
    static thread_local Viterbi viterbi;
    const auto own = labels.subspan(tokens.token_begin(sequence), tokens.length(sequence));
    if (viterbi.best(lattice, own) == no_score)
      throw std::invalid_argument("the constraints allow no labels for sequence " + std::to_string(sequence));
  });
}

RankedLabels decode_k(const Chain& chain, const TokenSequences& tokens, std::span<const double> weights,
                      std::int32_t k, int threads) {
  if (k < 1) throw std::invalid_argument("k must be at least 1");
  std::vector<RankedLabels> own(tokens.size());
  each_lattice(chain, tokens, weights, threads, [&](std::int64_t sequence, const Lattice& lattice) {
    static thread_local KBest best;
    best.run(lattice, k);
    const std::int64_t length = tokens.length(sequence);
    RankedLabels& ranked = own[sequence];
    ranked.labels.resize(best.found() * length);
    for (std::int32_t rank = 0; rank < best.found(); ++rank) {
      ranked.scores.push_back(best.score(rank));
      best.labels(rank, std::span(ranked.labels).subspan(rank * length, length));
    }
  });
  RankedLabels all;
  for (const RankedLabels& ranked : own) {
    all.found.push_back(static_cast<std::int64_t>(ranked.scores.size()));
    all.scores.insert(all.scores.end(), ranked.scores.begin(), ranked.scores.end());
    all.labels.insert(all.labels.end(), ranked.labels.begin(), ranked.labels.end());
  }
  return all;
}

void find_max_marginals(const Chain& chain, const TokenSequences& tokens, std::span<const double> weights,
                        int threads, std::span<double> out) {
  each_lattice(chain, tokens, weights, threads, [&](std::int64_t sequence, const Lattice& lattice) {
    max_marginals(lattice, out.subspan(tokens.token_begin(sequence) * chain.labels,
                                       tokens.length(sequence) * chain.labels));
  });
}

}  // namespace hedgerow::structured::sequence
