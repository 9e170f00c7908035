// Sequences of tokens with sparse features, as decoders read them.
//
// A feature is known by the place of its weights: `labels` of them from `start` on. Features that look at
// moves too have labels x labels more behind these. Within a sequence features are ordered by their place,
// tokens beside them: a weight that several tokens need is fetched once, and differences of joint features
// come out in order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hedgerow::structured::sequence {

// Features of tokens in the order of the tokens. Without `value` all are 1; without `wide` none looks at
// moves.
struct TokenRows {
  std::span<const std::int64_t> sequence_begin;  // in tokens
  std::span<const std::int64_t> row_begin;       // of each token, in features
  std::span<const std::int32_t> start;
  std::span<const double> value;
  std::span<const std::uint8_t> wide;
};

class TokenSequences {
 public:
  struct Entry {
    std::int32_t start;
    std::int32_t token;  // within its sequence
  };

  TokenSequences(const TokenRows& rows, std::int32_t labels, int threads);

  std::int64_t size() const { return static_cast<std::int64_t>(token_begin_.size()) - 1; }
  std::int64_t tokens() const { return token_begin_.back(); }
  std::int64_t token_begin(std::int64_t sequence) const { return token_begin_[sequence]; }
  std::int64_t length(std::int64_t sequence) const {
    return token_begin_[sequence + 1] - token_begin_[sequence];
  }
  // Weights below this number are used.
  std::int64_t weights() const { return weights_; }
  bool looks_at_moves() const { return !moving_.empty(); }

  std::span<const Entry> entries(std::int64_t sequence) const {
    return std::span(entries_).subspan(begin_[sequence], begin_[sequence + 1] - begin_[sequence]);
  }
  // Of the entries; empty when all are 1.
  std::span<const double> values(std::int64_t sequence) const {
    if (values_.empty()) return {};
    return std::span(values_).subspan(begin_[sequence], begin_[sequence + 1] - begin_[sequence]);
  }
  // Features that look at moves, `start` the place of the weights of moves, in the order of tokens.
  std::span<const Entry> moving(std::int64_t sequence) const {
    return std::span(moving_).subspan(moving_begin_[sequence],
                                      moving_begin_[sequence + 1] - moving_begin_[sequence]);
  }
  std::span<const double> moving_values(std::int64_t sequence) const {
    return std::span(moving_values_)
        .subspan(moving_begin_[sequence], moving_begin_[sequence + 1] - moving_begin_[sequence]);
  }

 private:
  std::vector<std::int64_t> token_begin_, begin_, moving_begin_;
  std::vector<Entry> entries_, moving_;
  std::vector<double> values_, moving_values_;
  std::int64_t weights_ = 0;
};

}  // namespace hedgerow::structured::sequence
