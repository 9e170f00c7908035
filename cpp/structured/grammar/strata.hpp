// CKY that keeps the best score for every number of brackets and of brackets in common with the true tree.
//
// Losses of trees that do not add up over brackets, such as 1 - F1, depend on the tree by these two numbers
// only, so that the tree with the highest H(loss, score) is the best one of its stratum.
#pragma once

#include <vector>

#include "structured/grammar/survivors.hpp"

namespace hedgerow::structured::grammar {

class Strata {
 public:
  // Looks among the survivors of a chart with a bonus, at that threshold, for the tree with the highest
  // value(counts, score), and appends its derivation if the value is above `value_to_beat`, which then is
  // replaced. The value must rise with the score, fall with matched brackets and rise with all brackets.
  template <class Value>
  bool find(const Grammar& grammar, const StepWeights& weights, const Chart& chart,
            const Survivors& survivors, double threshold, const Value& value, double& value_to_beat,
            Derivation& out) {
    build(grammar, weights, chart, survivors, threshold);
    std::int32_t best_state = -1, best_root = -1;
    for (const Survivors::Way& root : survivors.roots()) {
      const UnaryChain& chain = grammar.root_chains()[root.id];
      const BracketCounts added = chain_counts(grammar, survivors[root.left], chain, *chart.bonus().truth);
      const double weight =
          weights.root_chains[root.id] + chart.nodes().of_chain(span_number(0, chart.words()), chain);
      for (std::int32_t s = begin_[root.left]; s < end_[root.left]; ++s) {
        const BracketCounts counts{states_[s].counts.matched + added.matched,
                                   states_[s].counts.all + added.all};
        const double found = value(counts, states_[s].score + weight);
        if (found > value_to_beat) {
          value_to_beat = found;
          best_state = s;
          best_root = root.id;
        }
      }
    }
    if (best_state < 0) return false;
    trace(survivors, best_state, out);
    out.push_back({Step::Kind::root_chain, best_root});
    return true;
  }

  std::int64_t size() const { return static_cast<std::int64_t>(states_.size()); }

 private:
  // The best way to an item in one stratum.
  struct State {
    double score;
    BracketCounts counts;
    std::int32_t item, left, right;  // the item, and the states it was made of
    std::int64_t way;
  };
  struct Place {
    double score = impossible;
    std::int64_t way = -1;
    std::int32_t left = -1, right = -1;
  };

  void build(const Grammar& grammar, const StepWeights& weights, const Chart& chart,
             const Survivors& survivors, double threshold);
  void offer(std::int32_t matched, std::int32_t all, const Place& place);
  void settle(std::int32_t item, double outside, const BracketBonus& bonus, double threshold);
  static BracketCounts chain_counts(const Grammar& grammar, const Survivors::Item& base,
                                    const UnaryChain& chain, const Brackets& truth);
  void trace(const Survivors& survivors, std::int32_t state, Derivation& out) const;

  std::vector<State> states_;
  std::vector<std::int32_t> begin_, end_;  // states of every item
  // The item under way: places by matched and all brackets, and what part of them is in use.
  std::vector<Place> grid_;
  std::int32_t width_ = 0;
  std::int32_t least_matched_ = 0, most_matched_ = -1, least_all_ = 0, most_all_ = -1;
  std::vector<double> dominating_;
};

}  // namespace hedgerow::structured::grammar
