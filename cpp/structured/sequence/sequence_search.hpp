// The labels that answer a solver's question about one sequence.
#pragma once

#include <span>

#include "structured/oracle.hpp"
#include "structured/sequence/count_search.hpp"
#include "structured/sequence/sequence_loss.hpp"
#include "structured/sequence/span_search.hpp"
#include "structured/sequence/viterbi.hpp"

namespace hedgerow::structured::sequence {

// Memory for one sequence at a time, so that calls need not allocate.
struct SequenceSearch {
  MoveScores moves;
  Lattice lattice;
  Viterbi viterbi;
  CountedViterbi counted;
  CountSearch by_count;
  SpanSearch by_spans;
  std::vector<std::int32_t> labels;

  // Fills in `labels` with the answer for the sequence in `lattice`, whose emissions may change.
  void answer(Question question, const SequenceLoss& loss, std::span<const std::int32_t> truth);

 private:
  void find_wrong(std::span<const std::int32_t> truth);
  // Loss by the number of wrong labels: by bounds, and where these are not enough, the best labels for each
  // number.
  void find_by_count(Question question, const SequenceLoss& loss, std::span<const std::int32_t> truth);
  void find_by_spans(Question question, const SequenceLoss& loss, std::span<const std::int32_t> truth);
  void find_with_costs(const SequenceLoss& loss, std::span<const std::int32_t> truth);
  void keep_truth(std::span<const std::int32_t> truth) { labels.assign(truth.begin(), truth.end()); }
};

}  // namespace hedgerow::structured::sequence
