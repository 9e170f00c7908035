#include "structured/sequence/sequence_oracle.hpp"

#include <algorithm>
#include <atomic>

#include "parallel.hpp"
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

void decode_sequences(const Chain& chain, const TokenSequences& tokens, std::span<const double> weights,
                      int threads, std::span<std::int32_t> labels) {
  chain.check();
  if (static_cast<std::int64_t>(weights.size()) < std::max(chain.plain(), tokens.weights()))
    throw std::invalid_argument("weights are too short");
  MoveScores moves;
  moves.set(chain, weights, true);
  parallel_rows(0, tokens.size(), threads, [&](std::int64_t sequence, int) {
    static thread_local Lattice lattice;
    static thread_local Viterbi viterbi;
    lattice.set(moves, chain, tokens, sequence, weights);
    const auto own = labels.subspan(tokens.token_begin(sequence), tokens.length(sequence));
    if (viterbi.best(lattice, own) == no_score)
      throw std::invalid_argument("the constraints allow no labels for sequence " + std::to_string(sequence));
  });
}

}  // namespace hedgerow::structured::sequence
