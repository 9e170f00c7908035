#include "structured/sequence/sequence_features.hpp"

#include <algorithm>

namespace hedgerow::structured::sequence {

namespace {

using Labels = std::span<const std::int32_t>;
using Entry = TokenSequences::Entry;

// The features of labels alone, with a sign; only those at tokens where y and its rival differ.
class LabelFeatures {
 public:
  LabelFeatures(const Chain& chain, Labels y, Labels rival, double sign, Candidate& out)
      : chain_(chain), y_(y), rival_(rival), sign_(sign), out_(out) {}

  void add() {
    const auto length = static_cast<std::int64_t>(y_.size());
    for (std::int64_t t = 0; t < length; ++t) {
      if (chain_.bias && differs(t, 0)) out_.add(chain_.bias_begin() + y_[t], sign_);
      std::int64_t state = 0, power = 1;
      for (std::int32_t m = 1; m <= std::min<std::int64_t>(chain_.order, t); ++m) {
        state += power * y_[t - m];  // one label further back is one digit higher
        power *= chain_.labels;
        if (differs(t, m)) add_scaled(chain_.moves_begin(m) + state * chain_.labels + y_[t]);
      }
    }
    if (!chain_.boundaries || length == 0) return;
    if (differs(0, 0)) add_scaled(chain_.start_begin() + y_[0]);
    if (differs(length - 1, 0)) add_scaled(chain_.stop_begin() + y_[length - 1]);
  }

 private:
  void add_scaled(std::int64_t index) {
    if (chain_.scale != 0) out_.add(index, sign_ * chain_.scale);
  }
  // Whether the labels from t - m to t are others in the rival.
  bool differs(std::int64_t t, std::int32_t m) const {
    if (rival_.empty()) return true;
    for (std::int64_t k = t - m; k <= t; ++k)
      if (y_[k] != rival_[k]) return true;
    return false;
  }

  const Chain& chain_;
  Labels y_, rival_;
  double sign_;
  Candidate& out_;
};

// Features of tokens, in order: entries of one place stand together.
void add_token_features(const Chain& chain, std::span<const Entry> entries, std::span<const double> values,
                        Labels y, Labels z, Candidate& out) {
  static thread_local std::vector<double> sums;
  for (std::size_t k = 0; k < entries.size();) {
    const std::int32_t start = entries[k].start;
    std::size_t end = k + 1;
    while (end < entries.size() && entries[end].start == start) ++end;
    if (end == k + 1) {  // as most features of a sentence
      const std::int32_t token = entries[k].token;
      const double value = values.empty() ? 1.0 : values[k];
      if (z.empty()) {
        out.add(start + y[token], value);
      } else if (y[token] < z[token]) {
        out.add(start + y[token], value);
        out.add(start + z[token], -value);
      } else if (y[token] > z[token]) {
        out.add(start + z[token], -value);
        out.add(start + y[token], value);
      }
    } else {
      sums.assign(chain.labels, 0.0);
      for (std::size_t j = k; j < end; ++j) {
        const std::int32_t token = entries[j].token;
        const double value = values.empty() ? 1.0 : values[j];
        if (!z.empty() && y[token] == z[token]) continue;
        sums[y[token]] += value;
        if (!z.empty()) sums[z[token]] -= value;
      }
      for (std::int32_t b = 0; b < chain.labels; ++b)
        if (sums[b] != 0) out.add(start + b, sums[b]);
    }
    k = end;
  }
}

void add_moving_features(const Chain& chain, std::span<const Entry> features, std::span<const double> values,
                         Labels y, Labels z, Candidate& out) {
  for (std::size_t k = 0; k < features.size(); ++k) {
    const auto [start, t] = features[k];
    if (t == 0) continue;
    if (!z.empty() && y[t - 1] == z[t - 1] && y[t] == z[t]) continue;
    out.add(start + y[t - 1] * chain.labels + y[t], values[k]);
    if (!z.empty()) out.add(start + z[t - 1] * chain.labels + z[t], -values[k]);
  }
}

}  // namespace

void sequence_difference(const Chain& chain, const TokenSequences& tokens, std::int64_t sequence, Labels y,
                         Labels z, Candidate& difference) {
  difference.clear();
  LabelFeatures(chain, y, z, 1.0, difference).add();
  if (!z.empty()) LabelFeatures(chain, z, y, -1.0, difference).add();
  // Features of labels come before those of tokens, which are in order already.
  difference.settle();
  add_token_features(chain, tokens.entries(sequence), tokens.values(sequence), y, z, difference);
  if (!tokens.looks_at_moves()) return;
  add_moving_features(chain, tokens.moving(sequence), tokens.moving_values(sequence), y, z, difference);
  difference.settle();
}

}  // namespace hedgerow::structured::sequence
