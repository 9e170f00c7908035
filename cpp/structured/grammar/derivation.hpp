// Derivations: how a tree is built, step by step, and what is known of a true one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "structured/grammar/grammar.hpp"

namespace hedgerow::structured::grammar {

// One step; a derivation lists them in post-order and ends with its root chain.
struct Step {
  enum class Kind : std::int32_t { word, rule, chain, root_chain };
  Kind kind;
  std::int32_t id;  // the tag of the next word, or the number of the rule or chain

  bool operator==(const Step&) const = default;
};
using Derivation = std::vector<Step>;

// Spans of words [begin, end) are numbered; those that end earlier come first.
inline std::int64_t span_number(std::int64_t begin, std::int64_t end) { return end * (end - 1) / 2 + begin; }
inline std::int64_t span_count(std::int64_t words) { return words * (words + 1) / 2; }

// How many brackets two trees have in common, and one of them has.
struct BracketCounts {
  std::int32_t matched = 0, all = 0;
};

// The labelled brackets of a tree, for comparison with others.
class Brackets {
 public:
  Brackets(const Grammar& grammar, std::span<const Step> derivation, std::int64_t words);

  std::int32_t size() const { return static_cast<std::int32_t>(labels_.size()); }
  bool any(std::int64_t span) const { return begin_[span] < begin_[span + 1]; }
  // How many of the labels, with a base's label if it has one, the span has too. Equal labels count as often
  // as both have them.
  std::int32_t matches(std::int64_t span, std::int32_t base_label,
                       std::span<const std::int32_t> labels = {}) const;
  BracketCounts compare(const Grammar& grammar, std::span<const Step> derivation) const;
  // What all brackets of the two trees cost that only one of them has, by their labels.
  double cost_of_difference(const Grammar& grammar, std::span<const Step> derivation,
                            std::span<const double> costs) const;
  // What the labels of a chain, on a base with that label, add to the cost of a tree: theirs, or less the
  // cost of a true bracket that is found.
  double added_cost(std::int64_t span, std::int32_t base_label, std::span<const std::int32_t> labels,
                    std::span<const double> costs) const;

 private:
  std::vector<std::int32_t> begin_, labels_;  // labels of every span
};

// Calls visit(step, begin, end, base_symbol) for every step; the base symbol is what a chain stands on. A
// derivation that is no tree over `words` words with word kinds `sentence` throws std::invalid_argument.
void check_derivation(const Grammar& grammar, std::span<const Step> derivation,
                      std::span<const std::int32_t> sentence);

// Adds the features of a derivation, each times `factor`: add(feature, factor) for every one.
template <class Add>
void for_each_feature(const Grammar& grammar, std::span<const Step> derivation,
                      std::span<const std::int32_t> sentence, Add&& add) {
  std::size_t word = 0;
  for (const Step& step : derivation) switch (step.kind) {
      case Step::Kind::word:
        for (const LexicalRule& rule : grammar.tags(sentence[word]))
          if (rule.tag == step.id && rule.feature != no_feature) add(rule.feature);
        ++word;
        break;
      case Step::Kind::rule:
        add(grammar.rules()[step.id].feature);
        break;
      case Step::Kind::chain:
        for (const std::int32_t feature : grammar.chains()[step.id].features) add(feature);
        break;
      default:
        for (const std::int32_t feature : grammar.root_chains()[step.id].features) add(feature);
    }
}

// Calls visit(begin, end, class) for every node whose span counts, of a derivation that was checked.
template <class Visit>
void for_each_node(const Grammar& grammar, std::span<const Step> derivation, Visit&& visit) {
  std::vector<std::int32_t> begins;  // of the parts that are not joined yet
  std::int32_t word = 0;
  const auto visit_class = [&](std::int32_t node_class) {
    if (node_class != no_class) visit(begins.back(), word, node_class);
  };
  for (const Step& step : derivation) switch (step.kind) {
      case Step::Kind::word:
        begins.push_back(word++);
        visit_class(grammar.node_class(step.id));
        break;
      case Step::Kind::rule:
        begins.pop_back();
        visit_class(grammar.node_class(grammar.rules()[step.id].parent));
        break;
      case Step::Kind::chain:
        std::ranges::for_each(grammar.chains()[step.id].classes, visit_class);
        break;
      default:
        std::ranges::for_each(grammar.root_chains()[step.id].classes, visit_class);
    }
}

}  // namespace hedgerow::structured::grammar
