#include "structured/grammar/strata.hpp"

#include <algorithm>

namespace hedgerow::structured::grammar {

BracketCounts Strata::chain_counts(const Grammar& grammar, const Survivors::Item& base,
                                   const UnaryChain& chain, const Brackets& truth) {
  const std::int64_t span = span_number(base.begin, base.end);
  BracketCounts counts{0, static_cast<std::int32_t>(chain.labels.size())};
  if (truth.any(span)) {
    const std::int32_t label = grammar.label(base.symbol);
    counts.matched = truth.matches(span, label, chain.labels) - truth.matches(span, label);
  }
  return counts;
}

void Strata::build(const Grammar& grammar, const StepWeights& weights, const Chart& chart,
                   const Survivors& survivors, double threshold) {
  const Brackets& truth = *chart.bonus().truth;
  states_.clear();
  begin_.assign(survivors.size(), 0);
  end_.assign(survivors.size(), 0);
  width_ = static_cast<std::int32_t>(grammar.most_brackets(chart.words())) + 1;
  const std::size_t places = static_cast<std::size_t>(width_) * (truth.size() + 1);
  if (grid_.size() < places) grid_.resize(places);
  dominating_.resize(width_);

  for (const std::int32_t number : survivors.bottom_up()) {
    const Survivors::Item& item = survivors[number];
    const std::int64_t span = span_number(item.begin, item.end);
    if (!item.is_top && item.end - item.begin == 1) {
      offer(0, 0, {chart.base(span, item.symbol), -1, -1, -1});
    } else if (item.is_top) {
      for (std::int64_t w = item.first_way; w < item.last_way; ++w) {
        const Survivors::Way& way = survivors.way(w);
        BracketCounts added;
        double weight = 0;
        if (way.id >= 0) {
          const UnaryChain& chain = grammar.chains()[way.id];
          added = chain_counts(grammar, survivors[way.left], chain, truth);
          weight = weights.chains[way.id] + chart.nodes().of_chain(span, chain);
        }
        for (std::int32_t s = begin_[way.left]; s < end_[way.left]; ++s)
          offer(states_[s].counts.matched + added.matched, states_[s].counts.all + added.all,
                {states_[s].score + weight, w, s, -1});
      }
    } else {
      const std::int32_t label = grammar.label(item.symbol);
      const std::int32_t all = label == no_label ? 0 : 1;
      const std::int32_t matched = all ? truth.matches(span, label) : 0;
      const double own = chart.nodes().of_base(span, item.symbol);
      for (std::int64_t w = item.first_way; w < item.last_way; ++w) {
        const Survivors::Way& way = survivors.way(w);
        const double weight = weights.features[grammar.rules()[way.id].feature] + own;
        for (std::int32_t l = begin_[way.left]; l < end_[way.left]; ++l) {
          const State left = states_[l];
          for (std::int32_t r = begin_[way.right]; r < end_[way.right]; ++r) {
            const State& right = states_[r];
            offer(left.counts.matched + right.counts.matched + matched,
                  left.counts.all + right.counts.all + all, {left.score + right.score + weight, w, l, r});
          }
        }
      }
    }
    settle(number, item.outside, chart.bonus(), threshold);
  }
}

void Strata::offer(std::int32_t matched, std::int32_t all, const Place& place) {
  if (most_matched_ < 0) {
    least_matched_ = most_matched_ = matched;
    least_all_ = most_all_ = all;
  } else {
    least_matched_ = std::min(least_matched_, matched);
    most_matched_ = std::max(most_matched_, matched);
    least_all_ = std::min(least_all_, all);
    most_all_ = std::max(most_all_, all);
  }
  Place& old = grid_[matched * width_ + all];
  if (place.score > old.score) old = place;
}

// Turns the places of an item into its states, without those that cannot be part of the answer: because no
// tree that uses them reaches the threshold, or because they are dominated.
//
// A state with no more matched brackets, no fewer brackets and no lower score dominates another of the same
// item: whatever tree is built around the one can be built around the other, with the same numbers added on
// both sides, and the value falls with matched brackets and rises with all brackets and the score. For 1 - F1
// = 1 - 2 matched / (true + all) and for all wrong brackets that is plain. Slack re-scaling multiplies the
// loss by 1 - margin, which keeps the order of losses only where it is positive; where it is not, the value
// is not positive, and the true tree, whose value is 0, is not beaten by any of the two.
void Strata::settle(std::int32_t item, double outside, const BracketBonus& bonus, double threshold) {
  begin_[item] = static_cast<std::int32_t>(states_.size());
  std::fill(dominating_.begin() + least_all_, dominating_.begin() + most_all_ + 1, impossible);
  for (std::int32_t matched = least_matched_; matched <= most_matched_; ++matched) {
    double highest = impossible;  // among at most so many matched and at least so many brackets
    for (std::int32_t all = most_all_; all >= least_all_; --all) {
      Place& place = grid_[matched * width_ + all];
      highest = std::max(highest, dominating_[all]);
      if (place.score > highest) {
        highest = place.score;
        if (place.score + bonus.match * matched + bonus.bracket * all + outside >= threshold)
          states_.push_back({place.score, {matched, all}, item, place.left, place.right, place.way});
      }
      dominating_[all] = highest;
      place = {};
    }
  }
  end_[item] = static_cast<std::int32_t>(states_.size());
  most_matched_ = -1;
  least_all_ = 0;
  most_all_ = -1;
}

void Strata::trace(const Survivors& survivors, std::int32_t number, Derivation& out) const {
  const State& state = states_[number];
  const Survivors::Item& item = survivors[state.item];
  if (state.way < 0) {
    out.push_back({Step::Kind::word, item.symbol});
    return;
  }
  const Survivors::Way& way = survivors.way(state.way);
  trace(survivors, state.left, out);
  if (!item.is_top) {
    trace(survivors, state.right, out);
    out.push_back({Step::Kind::rule, way.id});
  } else if (way.id >= 0) {
    out.push_back({Step::Kind::chain, way.id});
  }
}

}  // namespace hedgerow::structured::grammar
