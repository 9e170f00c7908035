#include "structured/grammar/second_best.hpp"

namespace hedgerow::structured::grammar {

namespace {

// A part of the true tree, and the best way to make its symbol of its span that is not the true one.
struct Part {
  enum class Way : std::uint8_t { none, other_rule, wrong_left, wrong_right, other_chain, wrong_base };
  std::int32_t begin = 0, end = 0, symbol = 0;
  double score = impossible;  // of that best other way
  Way way = Way::none;
  std::int32_t id = -1, split = -1;    // the rule or chain of the way
  std::int32_t left = -1, right = -1;  // true parts below: `left` is the base of a chain

  void offer(double other, Way by, std::int32_t by_id = -1, std::int32_t at = -1) {
    if (other > score) {
      score = other;
      way = by;
      id = by_id;
      split = at;
    }
  }
};

class Search {
 public:
  Search(const Grammar& grammar, const StepWeights& weights, const Chart& chart)
      : grammar_(grammar), weights_(weights), chart_(chart) {}

  bool run(std::span<const Step> truth, Derivation& out) {
    std::vector<std::int32_t> stack;  // tops
    std::int32_t word = 0, base = -1;
    for (const Step& step : truth) {
      if (base >= 0 && step.kind != Step::Kind::chain && step.kind != Step::Kind::root_chain) {
        stack.push_back(add_top(base, -1, parts_[base].symbol));
        base = -1;
      }
      switch (step.kind) {
        case Step::Kind::word:
          base = add({word, word + 1, step.id});
          ++word;
          break;
        case Step::Kind::rule: {
          const std::int32_t right = stack.back(), left = stack[stack.size() - 2];
          stack.resize(stack.size() - 2);
          base = add_rule(step.id, left, right);
          break;
        }
        case Step::Kind::chain:
          stack.push_back(add_top(base, step.id, grammar_.chains()[step.id].top));
          base = -1;
          break;
        default:
          return finish(base, step.id, out);
      }
    }
    return false;
  }

 private:
  std::int32_t add(const Part& part) {
    parts_.push_back(part);
    return static_cast<std::int32_t>(parts_.size()) - 1;
  }

  std::int32_t add_rule(std::int32_t true_rule, std::int32_t left, std::int32_t right) {
    const BinaryRule& rule = grammar_.rules()[true_rule];
    const std::int32_t begin = parts_[left].begin, middle = parts_[left].end, end = parts_[right].end;
    Part part{begin, end, rule.parent};
    part.left = left;
    part.right = right;
    const RuleOrder& order = grammar_.by_parent();
    const double own = chart_.nodes().of_base(span_number(begin, end), rule.parent);
    for (std::int32_t split = begin + 1; split < end; ++split) {
      const std::int64_t left_span = span_number(begin, split), right_span = span_number(split, end);
      for (std::int32_t r = order.begin[rule.parent]; r < order.begin[rule.parent + 1]; ++r) {
        const RuleOrder::Entry& entry = order.entries[r];
        const double left_score = chart_.top(left_span, entry.first),
                     right_score = chart_.top(right_span, entry.second), weight = weights_.by_parent[r] + own;
        if (split != middle || entry.rule != true_rule) {
          part.offer(left_score + right_score + weight, Part::Way::other_rule, entry.rule, split);
        } else {
          part.offer(parts_[left].score + right_score + weight, Part::Way::wrong_left, true_rule);
          part.offer(left_score + parts_[right].score + weight, Part::Way::wrong_right, true_rule);
        }
      }
    }
    return add(part);
  }

  // `true_chain` is -1 where the base is the top.
  std::int32_t add_top(std::int32_t base, std::int32_t true_chain, std::int32_t symbol) {
    Part part{parts_[base].begin, parts_[base].end, symbol};
    part.left = base;
    const std::int64_t span = span_number(part.begin, part.end);
    if (true_chain < 0)
      part.offer(parts_[base].score, Part::Way::wrong_base, -1);
    else
      part.offer(chart_.base(span, symbol), Part::Way::other_chain, -1);
    for (const std::int32_t c : grammar_.chains_to(symbol)) {
      const UnaryChain& chain = grammar_.chains()[c];
      const double weight = weights_.chains[c] + chart_.nodes().of_chain(span, chain);
      if (c == true_chain)
        part.offer(parts_[base].score + weight, Part::Way::wrong_base, c);
      else
        part.offer(chart_.base(span, chain.base) + weight, Part::Way::other_chain, c);
    }
    return add(part);
  }

  bool finish(std::int32_t base, std::int32_t true_chain, Derivation& out) {
    Part part{parts_[base].begin, parts_[base].end};
    const std::int64_t span = span_number(part.begin, part.end);
    for (std::size_t c = 0; c < grammar_.root_chains().size(); ++c) {
      const UnaryChain& chain = grammar_.root_chains()[c];
      const double weight = weights_.root_chains[c] + chart_.nodes().of_chain(span, chain);
      const auto id = static_cast<std::int32_t>(c);
      if (id == true_chain)
        part.offer(parts_[base].score + weight, Part::Way::wrong_base, id);
      else
        part.offer(chart_.base(span, chain.base) + weight, Part::Way::other_chain, id);
    }
    if (part.way == Part::Way::none) return false;
    if (part.way == Part::Way::wrong_base)
      trace(base, out);
    else
      chart_.trace_base(part.begin, part.end, grammar_.root_chains()[part.id].base, out);
    out.push_back({Step::Kind::root_chain, part.id});
    return true;
  }

  // The steps of the best other way to a part.
  void trace(std::int32_t number, Derivation& out) const {
    const Part& part = parts_[number];
    switch (part.way) {
      case Part::Way::other_rule: {
        const BinaryRule& rule = grammar_.rules()[part.id];
        chart_.trace_top(part.begin, part.split, rule.left, out);
        chart_.trace_top(part.split, part.end, rule.right, out);
        out.push_back({Step::Kind::rule, part.id});
        break;
      }
      case Part::Way::wrong_left:
      case Part::Way::wrong_right: {
        const Part &left = parts_[part.left], &right = parts_[part.right];
        if (part.way == Part::Way::wrong_left)
          trace(part.left, out);
        else
          chart_.trace_top(left.begin, left.end, left.symbol, out);
        if (part.way == Part::Way::wrong_right)
          trace(part.right, out);
        else
          chart_.trace_top(right.begin, right.end, right.symbol, out);
        out.push_back({Step::Kind::rule, part.id});
        break;
      }
      default: {
        const std::int32_t base_symbol = part.id < 0 ? part.symbol : grammar_.chains()[part.id].base;
        if (part.way == Part::Way::wrong_base)
          trace(part.left, out);
        else
          chart_.trace_base(part.begin, part.end, base_symbol, out);
        if (part.id >= 0) out.push_back({Step::Kind::chain, part.id});
      }
    }
  }

  const Grammar& grammar_;
  const StepWeights& weights_;
  const Chart& chart_;
  std::vector<Part> parts_;
};

}  // namespace

bool best_other(const Grammar& grammar, const StepWeights& weights, const Chart& chart,
                std::span<const Step> truth, Derivation& out) {
  return Search(grammar, weights, chart).run(truth, out);
}

}  // namespace hedgerow::structured::grammar
