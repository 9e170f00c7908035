#include "structured/grammar/survivors.hpp"

#include <algorithm>

namespace hedgerow::structured::grammar {

void Survivors::find(const Grammar& grammar, const StepWeights& weights, const Chart& chart,
                     double threshold) {
  // Grids are large and few of their places are used: they are cleared by what was used last.
  for (const Item& item : items_)
    (item.is_top ? tops_ : bases_).item[span_number(item.begin, item.end) * symbols_ + item.symbol] = -1;
  items_.clear();
  ways_.clear();
  roots_.clear();
  order_.clear();
  symbols_ = grammar.symbols();
  const std::int64_t words = chart.words(), spans = span_count(words);
  for (Grid* grid : {&bases_, &tops_}) {
    if (static_cast<std::int64_t>(grid->item.size()) < spans * symbols_)
      grid->item.resize(spans * symbols_, -1);
    if (static_cast<std::int64_t>(grid->of_span.size()) < spans) grid->of_span.resize(spans);
    for (std::int64_t span = 0; span < spans; ++span) grid->of_span[span].clear();
  }

  const std::int64_t whole = span_number(0, words);
  for (std::size_t c = 0; c < grammar.root_chains().size(); ++c) {
    const UnaryChain& chain = grammar.root_chains()[c];
    const double outside = weights.root_chains[c] + chart.nodes().of_chain(whole, chain) +
                           chart.bonus().of_chain(whole, grammar.label(chain.base), chain.labels);
    if (chart.base(whole, chain.base) + outside >= threshold)
      roots_.push_back(
          {static_cast<std::int32_t>(c), reach(bases_, 0, words, chain.base, false, outside), -1});
  }
  for (std::int64_t length = words; length >= 1; --length)
    for (std::int64_t begin = 0; begin + length <= words; ++begin) {
      const std::int64_t span = span_number(begin, begin + length);
      for (const std::int32_t top : tops_.of_span[span]) expand_top(top, grammar, weights, chart, threshold);
      for (const std::int32_t base : bases_.of_span[span])
        expand_base(base, grammar, weights, chart, threshold);
    }
  std::ranges::reverse(order_);
}

std::int32_t Survivors::reach(Grid& grid, std::int64_t begin, std::int64_t end, std::int32_t symbol,
                              bool is_top, double outside) {
  const std::int64_t span = span_number(begin, end);
  std::int32_t& item = grid.item[span * symbols_ + symbol];
  if (item < 0) {
    item = static_cast<std::int32_t>(items_.size());
    items_.push_back(
        {static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end), symbol, is_top, outside, 0, 0});
    grid.of_span[span].push_back(item);
  } else {
    items_[item].outside = std::max(items_[item].outside, outside);
  }
  return item;
}

void Survivors::expand_top(std::int32_t top, const Grammar& grammar, const StepWeights& weights,
                           const Chart& chart, double threshold) {
  const Item item = items_[top];
  const std::int64_t span = span_number(item.begin, item.end),
                     first = static_cast<std::int64_t>(ways_.size());
  if (chart.base(span, item.symbol) + item.outside >= threshold)
    ways_.push_back({-1, reach(bases_, item.begin, item.end, item.symbol, false, item.outside), -1});
  for (const std::int32_t c : grammar.chains_to(item.symbol)) {
    const UnaryChain& chain = grammar.chains()[c];
    if (chart.base(span, chain.base) == impossible) continue;
    const double outside = item.outside + weights.chains[c] + chart.nodes().of_chain(span, chain) +
                           chart.bonus().of_chain(span, grammar.label(chain.base), chain.labels);
    if (chart.base(span, chain.base) + outside >= threshold)
      ways_.push_back({c, reach(bases_, item.begin, item.end, chain.base, false, outside), -1});
  }
  items_[top].first_way = first;
  items_[top].last_way = static_cast<std::int64_t>(ways_.size());
  order_.push_back(top);
}

void Survivors::expand_base(std::int32_t base, const Grammar& grammar, const StepWeights& weights,
                            const Chart& chart, double threshold) {
  const Item item = items_[base];
  const std::int64_t first = static_cast<std::int64_t>(ways_.size());
  const std::int64_t span = span_number(item.begin, item.end);
  double outside = item.outside;
  if (item.end - item.begin > 1)
    outside +=
        chart.nodes().of_base(span, item.symbol) + chart.bonus().of_base(span, grammar.label(item.symbol));
  const RuleOrder& order = grammar.by_parent();
  for (std::int32_t middle = item.begin + 1; middle < item.end; ++middle) {
    const std::int64_t left_span = span_number(item.begin, middle),
                       right_span = span_number(middle, item.end);
    for (std::int32_t r = order.begin[item.symbol]; r < order.begin[item.symbol + 1]; ++r) {
      const RuleOrder::Entry& entry = order.entries[r];
      const double left = chart.top(left_span, entry.first), right = chart.top(right_span, entry.second),
                   around = outside + weights.by_parent[r];
      if (left + right + around >= threshold) {
        const std::int32_t left_item = reach(tops_, item.begin, middle, entry.first, true, right + around);
        const std::int32_t right_item = reach(tops_, middle, item.end, entry.second, true, left + around);
        ways_.push_back({entry.rule, left_item, right_item});
      }
    }
  }
  items_[base].first_way = first;
  items_[base].last_way = static_cast<std::int64_t>(ways_.size());
  order_.push_back(base);
}

}  // namespace hedgerow::structured::grammar
