// CKY: the highest score of every symbol over every span of a sentence.
//
// T sect. 4.5, algorithm 5, with unary chains: the base of a span is what a rule or a word makes of it, the
// top is the base with a chain on it or without one. Rules join tops; root chains finish bases of the whole
// sentence.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "structured/grammar/derivation.hpp"
#include "structured/grammar/grammar.hpp"
#include "structured/grammar/node_scores.hpp"

namespace hedgerow::structured::grammar {

inline constexpr double impossible = -std::numeric_limits<double>::infinity();

// Something that is added to the score of every bracket, and more for those of a true tree; or what a bracket
// costs by its label, less the same for one of a true tree.
struct BracketBonus {
  const Brackets* truth = nullptr;  // none: no bonus at all
  double bracket = 0, match = 0;
  std::span<const double> costs{};  // one a label

  double of_base(std::int64_t span, std::int32_t label) const {
    if (!truth || label == no_label) return 0;
    if (!costs.empty()) return truth->matches(span, label) ? -costs[label] : costs[label];
    return bracket + (truth->any(span) ? match * truth->matches(span, label) : 0);
  }
  // Of a chain on a base with that label.
  double of_chain(std::int64_t span, std::int32_t base_label, std::span<const std::int32_t> labels) const {
    if (!truth) return 0;
    if (!costs.empty()) return truth->added_cost(span, base_label, labels, costs);
    double sum = bracket * static_cast<double>(labels.size());
    if (truth->any(span))
      sum += match * (truth->matches(span, base_label, labels) - truth->matches(span, base_label));
    return sum;
  }
};

class Chart {
 public:
  // Fills the chart; whether the sentence has a tree. `forms`: of the words, where nodes score by what they
  // span. `beam`: symbols whose top is lower than the highest of their span by more are dropped.
  bool fill(const Grammar& grammar, const StepWeights& weights, std::span<const std::int32_t> sentence,
            TokenForms forms, BracketBonus bonus = {}, double beam = std::numeric_limits<double>::infinity());

  double score() const { return score_; }  // of the best tree
  std::int64_t words() const { return words_; }
  double base(std::int64_t span, std::int32_t symbol) const { return base_[span * symbols_ + symbol]; }
  double top(std::int64_t span, std::int32_t symbol) const { return top_[span * symbols_ + symbol]; }
  const BracketBonus& bonus() const { return bonus_; }
  const NodeScores& nodes() const { return nodes_; }

  // Adds the steps of the best tree, or of the best top or base.
  void trace(Derivation& out) const;
  void trace_top(std::int64_t begin, std::int64_t end, std::int32_t symbol, Derivation& out) const;
  void trace_base(std::int64_t begin, std::int64_t end, std::int32_t symbol, Derivation& out) const;

 private:
  // Gives the number of steps that it takes, of which the limit "pairs" allows a sentence so many.
  std::int64_t add_rules(std::int64_t begin, std::int64_t end);
  void finish_span(std::int64_t begin, std::int64_t end, double beam);

  const Grammar* grammar_ = nullptr;
  const StepWeights* weights_ = nullptr;
  BracketBonus bonus_;
  NodeScores nodes_;
  std::int64_t words_ = 0, symbols_ = 0;
  double steps_ = 0;
  double score_ = impossible;
  std::int32_t root_chain_ = -1;
  // One entry a span and symbol.
  std::vector<double> base_, top_;
  std::vector<std::int32_t> rule_, split_;  // how the base came about, where end - begin > 1
  std::vector<std::int32_t> chain_;         // how the top came about: a chain, or -1
  // One entry a span: where in lefts_ the symbols are that are possible and left in some rule.
  std::vector<std::int64_t> left_begin_, left_end_;
  std::vector<std::int32_t> lefts_;
};

}  // namespace hedgerow::structured::grammar
