// Label sequences as structured solvers see them.
#pragma once

#include <memory>
#include <vector>

#include "structured/oracle.hpp"
#include "structured/sequence/chain.hpp"
#include "structured/sequence/sequence_loss.hpp"
#include "structured/sequence/token_sequences.hpp"

namespace hedgerow::structured::sequence {

class SequenceOracle final : public Oracle {
 public:
  // `truth`: the labels of all tokens. `features` may be more than the examples use.
  SequenceOracle(Chain chain, SequenceLoss loss, std::shared_ptr<const TokenSequences> tokens,
                 std::vector<std::int32_t> truth, std::int64_t features, bool constrained);

  std::int64_t examples() const override { return tokens_->size(); }
  std::int64_t features() const override { return features_; }
  void find(std::int64_t example, std::span<const double> weights, Question question,
            Candidate& found) const override;

 private:
  std::span<const std::int32_t> truth(std::int64_t example) const {
    return std::span(truth_).subspan(tokens_->token_begin(example), tokens_->length(example));
  }

  Chain chain_;
  SequenceLoss loss_;
  std::shared_ptr<const TokenSequences> tokens_;
  std::vector<std::int32_t> truth_;
  std::int64_t features_;
  bool constrained_;  // whether outputs that the chain does not allow are no rivals in training either
};

// The best labels of all tokens, on several threads.
void decode_sequences(const Chain& chain, const TokenSequences& tokens, std::span<const double> weights,
                      int threads, std::span<std::int32_t> labels);

// The k best labels of all sequences, best first: how many each has, scores, labels one after the other.
struct RankedLabels {
  std::vector<std::int64_t> found;
  std::vector<double> scores;
  std::vector<std::int32_t> labels;
};
RankedLabels decode_k(const Chain& chain, const TokenSequences& tokens, std::span<const double> weights,
                      std::int32_t k, int threads);
// Of each token and label: see k_best.hpp.
void find_max_marginals(const Chain& chain, const TokenSequences& tokens, std::span<const double> weights,
                        int threads, std::span<double> out);

}  // namespace hedgerow::structured::sequence
