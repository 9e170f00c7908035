#include "structured/sequence/sequence_search.hpp"

#include <algorithm>
#include <functional>

namespace hedgerow::structured::sequence {

void SequenceSearch::answer(Question question, const SequenceLoss& loss,
                            std::span<const std::int32_t> truth) {
  using enum Question::Search;
  labels.resize(truth.size());
  if (truth.empty()) return;
  if (question.search == best) {
    viterbi.best(lattice, labels);
  } else if (question.search == best_wrong) {
    find_wrong(truth);
  } else if (loss.by_spans()) {
    find_by_spans(question, loss, truth);
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

void SequenceSearch::find_by_spans(Question question, const SequenceLoss& loss,
                                   std::span<const std::int32_t> truth) {
  const bool adds_up =
      loss.kind == SequenceLoss::Kind::spans && question.search == Question::Search::margin && !question.root;
  const double true_score = lattice.score(truth);
  by_spans.run(
      lattice, loss, truth, adds_up,
      [&](double wrong, double score) { return question.violation(wrong, true_score - score); }, labels);
}

void SequenceSearch::find_by_count(Question question, const SequenceLoss& loss,
                                   std::span<const std::int32_t> truth) {
  const auto length = static_cast<std::int32_t>(truth.size());
  const double true_score = lattice.score(truth);
  const auto violation = [&](std::int32_t wrong, double score) {
    return question.violation(loss.of_count(wrong, length), true_score - score);
  };
  if (loss.kind == SequenceLoss::Kind::zero_one) {
    find_wrong(truth);
    // The true output violates nothing; what does not violate more is no answer.
    if (counted.score(1) == no_score || violation(1, counted.score(1)) <= 0) keep_truth(truth);
    return;
  }
  by_count.run(lattice, truth, std::cref(violation), labels);
  const std::int32_t open = by_count.open();
  if (open == 0) return;
  // The last layer also has outputs with more wrong labels, unless there can be none.
  counted.run(lattice, truth, std::min(open + 1, length));
  double highest = by_count.highest();
  for (std::int32_t layer = 1; layer <= open; ++layer) {
    if (counted.score(layer) == no_score || violation(layer, counted.score(layer)) <= highest) continue;
    highest = violation(layer, counted.score(layer));
    counted.labels(layer, labels);
  }
}

}  // namespace hedgerow::structured::sequence
