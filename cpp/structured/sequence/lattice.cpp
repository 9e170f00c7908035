#include "structured/sequence/lattice.hpp"

#include <algorithm>

#include "parallel.hpp"

namespace hedgerow::structured::sequence {

namespace {

using Entry = TokenSequences::Entry;

// rows[token] += value * weights[start ...], row by row.
template <bool ones>
HEDGEROW_INLINE void add_rows(std::span<const Entry> entries, const double* values, const double* weights,
                              std::int32_t labels, std::int32_t stride, double* rows) {
  // Rows of weights are scattered over memory: ask for them well before they are needed.
  constexpr std::size_t ahead = 12;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (k + ahead < entries.size()) {
      const double* next = weights + entries[k + ahead].start;
      for (std::int32_t b = 0; b < labels; b += 8) prefetch(next + b);
    }
    const double* row = weights + entries[k].start;
    double* out = rows + static_cast<std::int64_t>(entries[k].token) * stride;
    if constexpr (ones) {
      for (std::int32_t b = 0; b < labels; ++b) out[b] += row[b];
    } else {
      const double value = values[k];
      for (std::int32_t b = 0; b < labels; ++b) out[b] += value * row[b];
    }
  }
}

HEDGEROW_CLONES(void, add_plain_rows,
                (std::span<const Entry> entries, const double* weights, std::int32_t labels,
                 std::int32_t stride, double* rows),
                (entries, weights, labels, stride, rows)) {
  add_rows<true>(entries, nullptr, weights, labels, stride, rows);
}

HEDGEROW_CLONES(void, add_scaled_rows,
                (std::span<const Entry> entries, const double* values, const double* weights,
                 std::int32_t labels, std::int32_t stride, double* rows),
                (entries, values, weights, labels, stride, rows)) {
  add_rows<false>(entries, values, weights, labels, stride, rows);
}

// out = max(out, score + moves); padding is a whole number of vectors of four.
HEDGEROW_INLINE void raise(double* __restrict out, double score, const double* __restrict moves,
                           std::int32_t stride) {
  for (std::int32_t b = 0; b < stride; b += 4)
    for (std::int32_t lane = 0; lane < 4; ++lane) {
      const double reached = score + moves[b + lane];
      out[b + lane] = out[b + lane] < reached ? reached : out[b + lane];
    }
}

HEDGEROW_CLONES(void, raise_all,
                (double* out, const double* before, const double* moves, std::int32_t labels,
                 std::int64_t tails, std::int32_t stride),
                (out, before, moves, labels, tails, stride)) {
  // States run through their places in order: the last label fastest, then the row.
  const double* row = before;
  std::int32_t last = 0;
  for (std::int32_t first = 0; first < labels; ++first)
    for (std::int64_t tail = 0; tail < tails; ++tail, moves += stride) {
      const double score = row[last];
      if (++last == labels) {
        last = 0;
        row += stride;
      }
      raise(out + tail * stride, score, moves, stride);
    }
}

}  // namespace

void MoveScores::set(const Chain& chain, std::span<const double> weights, bool constrained) {
  constrained = constrained && chain.constrained();
  labels_ = chain.labels;
  order_ = std::max(chain.order, 1);
  stride_ = (labels_ + 3) / 4 * 4;
  const auto allowed = [&](std::int32_t from, std::int32_t to) {
    return !constrained || chain.allows(from, to);
  };
  starts_.assign(stride_, no_score);
  stops_.assign(stride_, no_score);
  for (std::int32_t b = 0; b < labels_; ++b) {
    const double start = chain.boundaries ? chain.scale * weights[chain.start_begin() + b] : 0.0;
    const double stop = chain.boundaries ? chain.scale * weights[chain.stop_begin() + b] : 0.0;
    if (allowed(labels_, b)) starts_[b] = start;
    if (allowed(b, labels_)) stops_[b] = stop;
  }
  moves_.resize(order_ + 1);
  for (std::int32_t m = 1; m <= order_; ++m) {
    const std::int64_t states = chain.power(m), shorter = chain.power(m - 1);
    std::vector<double>& moves = moves_[m];
    moves.assign(states * stride_, no_score);
    const double* own = m <= chain.order ? weights.data() + chain.moves_begin(m) : nullptr;
    for (std::int64_t state = 0; state < states; ++state)
      for (std::int32_t b = 0; b < labels_; ++b) {
        double score = own ? chain.scale * own[state * labels_ + b] : 0.0;
        // What the state without its first label adds is in the table of shorter states already.
        if (m > 1)
          score += moves_[m - 1][state % shorter * stride_ + b];
        else if (!allowed(static_cast<std::int32_t>(state), b))
          score = no_score;
        moves[state * stride_ + b] = score;
      }
  }
}

void Lattice::set(const MoveScores& moves, const Chain& chain, const TokenSequences& tokens,
                  std::int64_t sequence, std::span<const double> weights) {
  moves_ = &moves;
  length_ = static_cast<std::int32_t>(tokens.length(sequence));
  power_.resize(order() + 1);
  for (std::int32_t m = 0; m <= order(); ++m) power_[m] = chain.power(m);
  tails_ = power_[order() - 1];

  emissions_.assign(static_cast<std::int64_t>(length_) * stride(), 0.0);
  if (chain.bias)
    for (std::int32_t t = 0; t < length_; ++t)
      std::copy_n(weights.data() + chain.bias_begin(), labels(), emissions(t));
  const auto entries = tokens.entries(sequence);
  const auto values = tokens.values(sequence);
  if (values.empty())
    add_plain_rows(entries, weights.data(), labels(), stride(), emissions_.data());
  else
    add_scaled_rows(entries, values.data(), weights.data(), labels(), stride(), emissions_.data());

  moving_.assign(length_, -1);
  if (tokens.looks_at_moves()) read_moving(tokens, sequence, weights);
}

void Lattice::read_moving(const TokenSequences& tokens, std::int64_t sequence,
                          std::span<const double> weights) {
  const auto features = tokens.moving(sequence);
  const auto values = tokens.moving_values(sequence);
  std::int64_t rows = 0;
  for (const Entry& feature : features)
    if (feature.token > 0 && moving_[feature.token] < 0) {
      moving_[feature.token] = rows;
      rows += labels();
    }
  moving_scores_.assign(rows * stride(), 0.0);
  for (std::size_t k = 0; k < features.size(); ++k) {
    if (features[k].token == 0) continue;  // nothing moves to the first token
    const double* own = weights.data() + features[k].start;
    double* out = moving_scores_.data() + moving_[features[k].token] * stride();
    for (std::int32_t a = 0; a < labels(); ++a)
      for (std::int32_t b = 0; b < labels(); ++b) out[a * stride() + b] += values[k] * own[a * labels() + b];
  }
}

void Lattice::begin(double* scores) const {
  std::copy_n(moves_->starts(), stride(), scores);
  add_emissions(0, scores);
}

void Lattice::step(const double* before, std::int32_t t, double* scores) const {
  const std::int64_t filled = (t < order() ? states(t) / labels() : tails_) * stride();
  std::fill_n(scores, filled, no_score);
  if (moving_[t] < 0 && t >= order()) {
    raise_all(scores, before, moves_->from(order(), 0), labels(), tails_, stride());
    return;
  }
  for (std::int64_t state = 0; state < states(t - 1); ++state) {
    const double score = before[place(state)];
    double* out = scores + (t < order() ? state : state % tails_) * stride();
    for (std::int32_t b = 0; b < labels(); ++b) out[b] = std::max(out[b], score + move(t, state, b));
  }
}

void Lattice::add_emissions(std::int32_t t, double* scores) const {
  const double* own = emissions(t);
  const std::int64_t rows = states(t) / labels();
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int32_t b = 0; b < stride(); ++b) scores[row * stride() + b] += own[b];
}

double Lattice::score(std::span<const std::int32_t> y) const {
  if (y.empty()) return 0;
  double sum = start(y[0]) + emissions(0)[y[0]];
  std::int64_t state = y[0];
  for (std::int32_t t = 1; t < length_; ++t) {
    sum += move(t, state, y[t]);
    sum += emissions(t)[y[t]];
    state = advance(state, t, y[t]);
  }
  return sum + stop(y.back());
}

}  // namespace hedgerow::structured::sequence
