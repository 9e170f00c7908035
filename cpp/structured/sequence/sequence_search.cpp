#include "structured/sequence/sequence_search.hpp"

namespace hedgerow {

void SequenceSearch::answer(Question question, const SequenceLoss& loss,
                            std::span<const std::int32_t> truth) {
  using enum Question::Search;
  labels.resize(truth.size());
  if (truth.empty()) return;
  if (question.search == best) {
    viterbi.best(lattice, labels);
  } else if (question.search == best_wrong) {
    find_wrong(truth);
  } else if (question.search == margin && !question.root && loss.kind != SequenceLoss::Kind::zero_one) {
    find_with_costs(loss, truth);
  } else if (loss.counts()) {
    find_by_count(question, loss, truth);
  } else {
    throw std::invalid_argument("costs of labels are for margin re-scaling with linear slacks only");
  }
}

void SequenceSearch::find_wrong(std::span<const std::int32_t> truth) {
  counted.run(lattice, truth, 1);
  if (counted.score(1) == no_score)
    keep_truth(truth);
  else
    counted.labels(1, labels);
}

void SequenceSearch::find_with_costs(const SequenceLoss& loss, std::span<const std::int32_t> truth) {
  const auto length = static_cast<std::int32_t>(truth.size());
  for (std::int32_t t = 0; t < length; ++t)
    for (std::int32_t b = 0; b < lattice.labels(); ++b)
      lattice.emissions(t)[b] += loss.of_label(truth[t], b, length);
  if (viterbi.best(lattice, labels) == no_score) keep_truth(truth);
}

void SequenceSearch::find_by_count(Question question, const SequenceLoss& loss,
                                   std::span<const std::int32_t> truth) {
  const auto length = static_cast<std::int32_t>(truth.size());
  const double true_score = lattice.score(truth);
  counted.run(lattice, truth, 1);
  // Most examples are settled in the end: even the largest loss with the best score would violate nothing.
  if (question.violation(loss.of_count(length, length), true_score - counted.score(1)) <= 0) {
    keep_truth(truth);
    return;
  }
  const std::int32_t layers = loss.kind == SequenceLoss::Kind::zero_one ? 1 : length;
  if (layers > 1) counted.run(lattice, truth, layers);
  // The true output violates nothing; what does not violate more is no answer.
  double highest = 0;
  std::int32_t best_layer = 0;
  for (std::int32_t layer = 1; layer <= layers; ++layer) {
    if (counted.score(layer) == no_score) continue;
    const double violation =
        question.violation(loss.of_count(layer, length), true_score - counted.score(layer));
    if (violation > highest) {
      highest = violation;
      best_layer = layer;
    }
  }
  if (best_layer == 0)
    keep_truth(truth);
  else
    counted.labels(best_layer, labels);
}

}  // namespace hedgerow
