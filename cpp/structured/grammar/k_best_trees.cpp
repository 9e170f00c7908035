#include "structured/grammar/k_best_trees.hpp"

#include <algorithm>

namespace hedgerow::structured::grammar {

bool KBestTrees::find(std::int32_t rank) {
  if (!root_.known) begin_root();
  while (static_cast<std::int32_t>(root_.found.size()) <= rank)
    if (!next(root_)) return false;
  return true;
}

std::int32_t KBestTrees::part(std::int32_t begin, std::int32_t end, std::int32_t symbol, bool top) {
  const std::int64_t key = (span_number(begin, end) * grammar_.symbols() + symbol) * 2 + (top ? 1 : 0);
  const auto [place, fresh] = numbers_.try_emplace(key, static_cast<std::int32_t>(parts_.size()));
  if (fresh) parts_.push_back(std::make_unique<Part>(Part{begin, end, symbol, top}));
  return place->second;
}

double KBestTrees::chart_score(const Part& part) const {
  const std::int64_t span = span_number(part.begin, part.end);
  return part.top ? chart_.top(span, part.symbol) : chart_.base(span, part.symbol);
}

bool KBestTrees::find(std::int32_t number, std::int32_t rank) {
  Part& part = *parts_[number];
  if (!part.known) begin(part);
  while (static_cast<std::int32_t>(part.found.size()) <= rank)
    if (!next(part)) return false;
  return true;
}

bool KBestTrees::next(Part& part) {
  if (!part.found.empty()) {
    // What uses the next best part below in place of the one that the last way used. Going on with the left
    // part only while the right one is the best meets every pair of ranks once.
    const Way last = part.found.back();
    if (last.left >= 0 && last.right_rank == 0) offer_next(part, last, true);
    if (last.right >= 0) offer_next(part, last, false);
  }
  if (part.open.empty()) return false;
  std::ranges::pop_heap(part.open, {}, &Way::score);
  part.found.push_back(part.open.back());
  part.open.pop_back();
  return true;
}

void KBestTrees::offer(Part& part, Way way) {
  if (way.score == impossible) return;
  part.open.push_back(way);
  std::ranges::push_heap(part.open, {}, &Way::score);
}

void KBestTrees::offer_next(Part& part, const Way& way, bool left) {
  Way further = way;
  ++(left ? further.left_rank : further.right_rank);
  if (!find(further.left, further.left_rank)) return;
  further.score = parts_[further.left]->found[further.left_rank].score + further.weight;
  if (further.right >= 0) {
    if (!find(further.right, further.right_rank)) return;
    further.score += parts_[further.right]->found[further.right_rank].score;
  }
  offer(part, further);
}

void KBestTrees::begin(Part& part) {
  part.known = true;
  const std::int32_t begin = part.begin, end = part.end;
  const std::int64_t span = span_number(begin, end);
  if (part.top) {
    const auto from = [&](std::int32_t id, double weight, std::int32_t base) {
      const std::int32_t below = this->part(begin, end, base, false);
      Way way{chart_score(*parts_[below]) + weight, weight, id};
      way.left = below;
      offer(part, way);
    };
    from(-1, 0, part.symbol);
    for (const std::int32_t c : grammar_.chains_to(part.symbol)) {
      const UnaryChain& chain = grammar_.chains()[c];
      from(c, weights_.chains[c] + chart_.nodes().of_chain(span, chain), chain.base);
    }
    return;
  }
  if (end - begin == 1) {
    offer(part, {chart_score(part)});
    return;
  }
  const RuleOrder& order = grammar_.by_parent();
  const double own = chart_.nodes().of_base(span, part.symbol);
  for (std::int32_t split = begin + 1; split < end; ++split)
    for (std::int32_t r = order.begin[part.symbol]; r < order.begin[part.symbol + 1]; ++r) {
      const RuleOrder::Entry& entry = order.entries[r];
      const double left = chart_.top(span_number(begin, split), entry.first),
                   right = chart_.top(span_number(split, end), entry.second);
      if (left == impossible || right == impossible) continue;
      const double weight = weights_.by_parent[r] + own;
      Way way{left + right + weight, weight, entry.rule, split};
      way.left = this->part(begin, split, entry.first, true);
      way.right = this->part(split, end, entry.second, true);
      offer(part, way);
    }
}

void KBestTrees::begin_root() {
  root_.known = true;
  root_.end = static_cast<std::int32_t>(chart_.words());
  for (std::size_t c = 0; c < grammar_.root_chains().size(); ++c) {
    const UnaryChain& chain = grammar_.root_chains()[c];
    const double weight = weights_.root_chains[c] + chart_.nodes().of_chain(span_number(0, root_.end), chain);
    const std::int32_t base = part(0, root_.end, chain.base, false);
    Way way{chart_score(*parts_[base]) + weight, weight, static_cast<std::int32_t>(c)};
    way.left = base;
    offer(root_, way);
  }
}

void KBestTrees::trace(std::int32_t rank, Derivation& out) {
  const Way way = root_.found[rank];
  trace(way.left, way.left_rank, out);
  out.push_back({Step::Kind::root_chain, way.id});
}

void KBestTrees::trace(std::int32_t number, std::int32_t rank, Derivation& out) {
  find(number, rank);  // the best way of a part may not have been looked for
  const Part& part = *parts_[number];
  const Way way = part.found[rank];
  if (way.left < 0) {
    chart_.trace_base(part.begin, part.end, part.symbol, out);
    return;
  }
  trace(way.left, way.left_rank, out);
  if (way.right >= 0) trace(way.right, way.right_rank, out);
  if (part.top && way.id >= 0) out.push_back({Step::Kind::chain, way.id});
  if (!part.top) out.push_back({Step::Kind::rule, way.id});
}

}  // namespace hedgerow::structured::grammar
