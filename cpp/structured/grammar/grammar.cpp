#include "structured/grammar/grammar.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>

#include "structured/grammar/span_features.hpp"

namespace hedgerow::structured::grammar {

namespace {

void check(bool fine, const char* what) {
  if (!fine) throw std::invalid_argument(std::string("a grammar with ") + what);
}

template <class Key, class Entry>
RuleOrder ordered(const std::vector<BinaryRule>& rules, std::int32_t symbols, Key key, Entry entry) {
  RuleOrder order;
  order.begin.assign(symbols + 1, 0);
  for (const BinaryRule& rule : rules) ++order.begin[key(rule) + 1];
  for (std::int32_t s = 0; s < symbols; ++s) order.begin[s + 1] += order.begin[s];
  order.entries.resize(rules.size());
  std::vector<std::int32_t> next(order.begin.begin(), order.begin.end() - 1);
  for (std::size_t r = 0; r < rules.size(); ++r)
    order.entries[next[key(rules[r])]++] = entry(rules[r], static_cast<std::int32_t>(r));
  return order;
}

}  // namespace

Grammar::Grammar(std::vector<std::int32_t> labels, std::vector<BinaryRule> rules,
                 std::vector<UnaryChain> chains, std::vector<UnaryChain> root_chains,
                 std::vector<std::vector<LexicalRule>> lexicon, std::int64_t features)
    : labels_(std::move(labels)),
      classes_(labels_.size(), no_class),
      rules_(std::move(rules)),
      chains_(std::move(chains)),
      root_chains_(std::move(root_chains)),
      lexicon_(std::move(lexicon)),
      features_(features) {
  check(features >= 0 && features <= std::numeric_limits<std::int32_t>::max(), "too many features");
  const auto is_symbol = [&](std::int32_t s) { return s >= 0 && s < symbols(); };
  const auto is_feature = [&](std::int32_t f) { return f >= 0 && f < features; };
  for (const std::int32_t label : labels_) check(label >= no_label, "a negative label");
  std::set<std::tuple<int, int, int>> seen_rules;
  for (const BinaryRule& r : rules_) {
    check(is_symbol(r.parent) && is_symbol(r.left) && is_symbol(r.right), "a rule of unknown symbols");
    check(is_feature(r.feature), "a rule of an unknown feature");
    check(seen_rules.emplace(r.parent, r.left, r.right).second, "a rule that is there twice");
  }
  for (const auto* list : {&chains_, &root_chains_})
    for (const UnaryChain& chain : *list) {
      check(is_symbol(chain.base) && is_symbol(chain.top), "a chain of unknown symbols");
      check(std::ranges::all_of(chain.features, is_feature), "a chain of an unknown feature");
      check(std::ranges::all_of(chain.labels, [](int label) { return label >= 0; }), "a chain without label");
    }
  for (const auto& tags : lexicon_) {
    std::set<std::int32_t> seen;
    for (const LexicalRule& rule : tags) {
      check(is_symbol(rule.tag) && labels_[rule.tag] == no_label, "a word whose tag is no tag");
      check(rule.feature == no_feature || is_feature(rule.feature), "a word of an unknown feature");
      check(seen.insert(rule.tag).second, "a word that has a tag twice");
    }
  }
  by_left_ = ordered(
      rules_, symbols(), [](const BinaryRule& r) { return r.left; },
      [](const BinaryRule& r, std::int32_t id) { return RuleOrder::Entry{r.right, r.parent, id}; });
  by_parent_ = ordered(
      rules_, symbols(), [](const BinaryRule& r) { return r.parent; },
      [](const BinaryRule& r, std::int32_t id) { return RuleOrder::Entry{r.left, r.right, id}; });
  chain_begin_.assign(symbols() + 1, 0);
  for (const UnaryChain& chain : chains_) ++chain_begin_[chain.top + 1];
  for (std::int32_t s = 0; s < symbols(); ++s) chain_begin_[s + 1] += chain_begin_[s];
  chain_ids_.resize(chains_.size());
  std::vector<std::int32_t> next(chain_begin_.begin(), chain_begin_.end() - 1);
  for (std::size_t c = 0; c < chains_.size(); ++c)
    chain_ids_[next[chains_[c].top]++] = static_cast<std::int32_t>(c);
}

void Grammar::look_at_spans(std::vector<std::int32_t> classes, std::shared_ptr<const SpanFeatures> features) {
  check(classes.size() == labels_.size() && features, "a class missing");
  check(std::ranges::all_of(classes, [](std::int32_t c) { return c >= no_class; }), "a negative class");
  classes_ = std::move(classes);
  span_features_ = std::move(features);
}

std::int64_t Grammar::features() const {
  return span_features_ ? std::max(features_, span_features_->features()) : features_;
}

std::int64_t Grammar::most_brackets(std::int64_t words) const {
  std::size_t chain = 0, root_chain = 0;
  for (const UnaryChain& c : chains_) chain = std::max(chain, c.labels.size());
  for (const UnaryChain& c : root_chains_) root_chain = std::max(root_chain, c.labels.size());
  return (words - 1) + (2 * words - 2) * static_cast<std::int64_t>(chain) +
         static_cast<std::int64_t>(root_chain);
}

void StepWeights::assign(const Grammar& grammar, std::span<const double> weights) {
  features = weights;
  const auto gather = [&](const RuleOrder& order, std::vector<double>& out) {
    out.resize(order.entries.size());
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] = weights[grammar.rules()[order.entries[k].rule].feature];
  };
  gather(grammar.by_left(), by_left);
  gather(grammar.by_parent(), by_parent);
  const auto sum = [&](const std::vector<UnaryChain>& list, std::vector<double>& out) {
    out.clear();
    for (const UnaryChain& chain : list) {
      double total = 0;
      for (const std::int32_t feature : chain.features) total += weights[feature];
      out.push_back(total);
    }
  };
  sum(grammar.chains(), chains);
  sum(grammar.root_chains(), root_chains);
}

}  // namespace hedgerow::structured::grammar
