#include "structured/grammar/chart.hpp"

#include <algorithm>
#include <string>

#include "limits.hpp"

namespace hedgerow::structured::grammar {

bool Chart::fill(const Grammar& grammar, const StepWeights& weights, std::span<const std::int32_t> sentence,
                 TokenForms forms, BracketBonus bonus, double beam) {
  grammar_ = &grammar;
  weights_ = &weights;
  bonus_ = bonus;
  words_ = static_cast<std::int64_t>(sentence.size());
  nodes_.fill(grammar, weights.features, forms, words_);
  symbols_ = grammar.symbols();
  score_ = impossible;
  const std::int64_t spans = span_count(words_), entries = spans * symbols_;
  base_.assign(entries, impossible);
  top_.resize(entries);
  rule_.resize(entries);
  split_.resize(entries);
  chain_.resize(entries);
  left_begin_.resize(spans);
  left_end_.resize(spans);
  lefts_.clear();
  steps_ = 0;
  LongWork work;

  for (std::int64_t end = 1; end <= words_; ++end) {
    const std::int32_t kind = sentence[end - 1];
    if (kind < 0) return false;  // a word that nothing is known of
    const std::int64_t span = span_number(end - 1, end);
    double* base = base_.data() + span * symbols_;
    for (const LexicalRule& rule : grammar.tags(kind))
      base[rule.tag] = weights.of_word(rule) + nodes_.of_base(span, rule.tag);
    finish_span(end - 1, end, beam);
    for (std::int64_t begin = end - 2; begin >= 0; --begin) {
      work.add(add_rules(begin, end));
      finish_span(begin, end, beam);
    }
  }
  if (words_ == 0) return false;
  const std::int64_t whole = span_number(0, words_);
  for (std::size_t c = 0; c < grammar.root_chains().size(); ++c) {
    const UnaryChain& chain = grammar.root_chains()[c];
    const double below = base(whole, chain.base);
    if (below == impossible) continue;
    const double score = below + (weights.root_chains[c] + nodes_.of_chain(whole, chain) +
                                  bonus_.of_chain(whole, grammar.label(chain.base), chain.labels));
    if (score > score_) {
      score_ = score;
      root_chain_ = static_cast<std::int32_t>(c);
    }
  }
  return score_ > impossible;
}

std::int64_t Chart::add_rules(std::int64_t begin, std::int64_t end) {
  const std::int64_t at = span_number(begin, end) * symbols_;
  double* base = base_.data() + at;
  std::int32_t* rules = rule_.data() + at;
  std::int32_t* splits = split_.data() + at;
  const RuleOrder& order = grammar_->by_left();
  const RuleOrder::Entry* entries = order.entries.data();
  const double* rule_weights = weights_->by_left.data();
  std::int64_t steps = 0;
  for (std::int64_t middle = begin + 1; middle < end; ++middle) {
    const std::int64_t left_span = span_number(begin, middle);
    const double* left = top_.data() + left_span * symbols_;
    const double* right = top_.data() + span_number(middle, end) * symbols_;
    for (std::int64_t k = left_begin_[left_span]; k < left_end_[left_span]; ++k) {
      const std::int32_t symbol = lefts_[k];
      const double left_score = left[symbol];
      steps += order.begin[symbol + 1] - order.begin[symbol];
      for (std::int32_t r = order.begin[symbol]; r < order.begin[symbol + 1]; ++r) {
        const RuleOrder::Entry& entry = entries[r];
        const double score = left_score + right[entry.first] + rule_weights[r];
        if (score > base[entry.second]) {
          base[entry.second] = score;
          rules[entry.second] = entry.rule;
          splits[entry.second] = static_cast<std::int32_t>(middle);
        }
      }
    }
  }
  steps_ += static_cast<double>(steps);
  if (exceeds_pairs(steps_))
    throw BeyondLimit(beyond_limit("a sentence of " + std::to_string(words_) + " words has taken " +
                                       std::to_string(static_cast<std::int64_t>(steps_)) + " steps to parse",
                                   "pairs", limits.pairs));
  return steps;
}

void Chart::finish_span(std::int64_t begin, std::int64_t end, double beam) {
  const std::int64_t span = span_number(begin, end), at = span * symbols_;
  double* base = base_.data() + at;
  double* top = top_.data() + at;
  std::int32_t* chains = chain_.data() + at;
  if ((bonus_.truth || nodes_.any()) && end - begin > 1)
    for (std::int32_t s = 0; s < symbols_; ++s)
      if (base[s] > impossible) base[s] += nodes_.of_base(span, s) + bonus_.of_base(span, grammar_->label(s));
  std::copy_n(base, symbols_, top);
  std::fill_n(chains, symbols_, -1);
  for (std::size_t c = 0; c < grammar_->chains().size(); ++c) {
    const UnaryChain& chain = grammar_->chains()[c];
    const double below = base[chain.base];
    if (below == impossible) continue;
    const double score = below + (weights_->chains[c] + nodes_.of_chain(span, chain) +
                                  bonus_.of_chain(span, grammar_->label(chain.base), chain.labels));
    if (score > top[chain.top]) {
      top[chain.top] = score;
      chains[chain.top] = static_cast<std::int32_t>(c);
    }
  }
  const double highest = *std::max_element(top, top + symbols_);
  left_begin_[span] = static_cast<std::int64_t>(lefts_.size());
  if (highest > impossible) {
    const double lowest = highest - beam;
    for (std::int32_t s = 0; s < symbols_; ++s) {
      if (top[s] == impossible) continue;
      if (top[s] < lowest)
        top[s] = impossible;
      else if (grammar_->by_left().begin[s] < grammar_->by_left().begin[s + 1])
        lefts_.push_back(s);
    }
  }
  left_end_[span] = static_cast<std::int64_t>(lefts_.size());
}

void Chart::trace(Derivation& out) const {
  trace_base(0, words_, grammar_->root_chains()[root_chain_].base, out);
  out.push_back({Step::Kind::root_chain, root_chain_});
}

void Chart::trace_top(std::int64_t begin, std::int64_t end, std::int32_t symbol, Derivation& out) const {
  const std::int32_t chain = chain_[span_number(begin, end) * symbols_ + symbol];
  trace_base(begin, end, chain < 0 ? symbol : grammar_->chains()[chain].base, out);
  if (chain >= 0) out.push_back({Step::Kind::chain, chain});
}

void Chart::trace_base(std::int64_t begin, std::int64_t end, std::int32_t symbol, Derivation& out) const {
  if (end - begin == 1) {
    out.push_back({Step::Kind::word, symbol});
    return;
  }
  const std::int64_t at = span_number(begin, end) * symbols_ + symbol;
  const BinaryRule& rule = grammar_->rules()[rule_[at]];
  trace_top(begin, split_[at], rule.left, out);
  trace_top(split_[at], end, rule.right, out);
  out.push_back({Step::Kind::rule, rule_[at]});
}

}  // namespace hedgerow::structured::grammar
