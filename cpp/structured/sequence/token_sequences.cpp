#include "structured/sequence/token_sequences.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "parallel.hpp"

namespace hedgerow::structured::sequence {

namespace {

void check_begins(std::span<const std::int64_t> begin, std::size_t end, const char* what) {
  if (begin.empty() || begin.front() != 0 || begin.back() != static_cast<std::int64_t>(end) ||
      !std::ranges::is_sorted(begin))
    throw std::invalid_argument(std::string("the arrays of ") + what + " do not fit together");
}

void check(const TokenRows& rows) {
  check_begins(rows.row_begin, rows.start.size(), "tokens");
  check_begins(rows.sequence_begin, rows.row_begin.size() - 1, "sequences");
  if ((!rows.value.empty() && rows.value.size() != rows.start.size()) ||
      (!rows.wide.empty() && rows.wide.size() != rows.start.size()))
    throw std::invalid_argument("features need as many values as places");
  if (std::ranges::any_of(rows.start, [](std::int32_t start) { return start < 0; }))
    throw std::invalid_argument("places of weights are numbered from 0");
  if (std::ranges::any_of(rows.value, [](double value) { return value == 0 || !std::isfinite(value); }))
    throw std::invalid_argument("values of features must be finite, and zeros left out");
}

}  // namespace

TokenSequences::TokenSequences(const TokenRows& rows, std::int32_t labels, int threads) {
  check(rows);
  token_begin_.assign(rows.sequence_begin.begin(), rows.sequence_begin.end());
  for (std::int64_t s = 0; s < size(); ++s)
    if (length(s) > std::numeric_limits<std::int32_t>::max())
      throw std::invalid_argument("a sequence has too many tokens");
  for (const std::int64_t token : token_begin_) begin_.push_back(rows.row_begin[token]);
  entries_.resize(rows.start.size());
  if (!rows.value.empty()) values_.resize(rows.start.size());

  parallel_rows(0, size(), threads, [&](std::int64_t s, int) {
    // Place and number in one word sort fast, and equal places keep the order of tokens.
    static thread_local std::vector<std::uint64_t> keys;
    static thread_local std::vector<std::int32_t> token_of;
    const std::int64_t base = begin_[s];
    if (begin_[s + 1] - base > std::numeric_limits<std::int32_t>::max())
      throw std::invalid_argument("a sequence has too many features");
    keys.clear();
    token_of.clear();
    for (std::int64_t token = token_begin_[s]; token < token_begin_[s + 1]; ++token)
      for (std::int64_t k = rows.row_begin[token]; k < rows.row_begin[token + 1]; ++k) {
        keys.push_back(static_cast<std::uint64_t>(rows.start[k]) << 32 |
                       static_cast<std::uint64_t>(k - base));
        token_of.push_back(static_cast<std::int32_t>(token - token_begin_[s]));
      }
    std::ranges::sort(keys);
    for (std::size_t j = 0; j < keys.size(); ++j) {
      const std::uint64_t k = keys[j] & 0xFFFFFFFF;
      entries_[base + j] = {static_cast<std::int32_t>(keys[j] >> 32), token_of[k]};
      if (!values_.empty()) values_[base + j] = rows.value[base + k];
    }
  });

  const std::int64_t wide_row = labels + static_cast<std::int64_t>(labels) * labels;
  for (std::size_t k = 0; k < rows.start.size(); ++k)
    weights_ = std::max(weights_, rows.start[k] + (!rows.wide.empty() && rows.wide[k] ? wide_row : labels));
  if (weights_ > std::numeric_limits<std::int32_t>::max())
    throw std::invalid_argument("there are too many features");
  if (rows.wide.empty()) return;
  for (std::int64_t s = 0; s < size(); ++s) {
    moving_begin_.push_back(static_cast<std::int64_t>(moving_.size()));
    for (std::int64_t token = token_begin_[s]; token < token_begin_[s + 1]; ++token)
      for (std::int64_t k = rows.row_begin[token]; k < rows.row_begin[token + 1]; ++k)
        if (rows.wide[k]) {
          moving_.push_back({rows.start[k] + labels, static_cast<std::int32_t>(token - token_begin_[s])});
          moving_values_.push_back(rows.value.empty() ? 1.0 : rows.value[k]);
        }
  }
  moving_begin_.push_back(static_cast<std::int64_t>(moving_.size()));
}

}  // namespace hedgerow::structured::sequence
