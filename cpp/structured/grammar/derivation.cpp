#include "structured/grammar/derivation.hpp"

#include <algorithm>
#include <bitset>
#include <stdexcept>

namespace hedgerow::structured::grammar {

namespace {

// Walks over a derivation with a stack of spans: visit(span, base label, labels of the chain on it) for every
// base and its chain, whether or not it has one.
template <class Visit>
void for_each_base(const Grammar& grammar, std::span<const Step> derivation, Visit&& visit) {
  struct Part {
    std::int32_t begin, end;
  };
  static thread_local std::vector<Part> stack;
  stack.clear();
  std::int32_t word = 0;
  for (std::size_t k = 0; k < derivation.size(); ++k) {
    const Step& step = derivation[k];
    std::int32_t label = no_label;
    if (step.kind == Step::Kind::word) {
      stack.push_back({word, word + 1});
      ++word;
    } else if (step.kind == Step::Kind::rule) {
      const std::int32_t end = stack.back().end;
      stack.pop_back();
      stack.back().end = end;
      label = grammar.label(grammar.rules()[step.id].parent);
    } else {
      continue;
    }
    std::span<const std::int32_t> labels;
    if (k + 1 < derivation.size()) {
      const Step& next = derivation[k + 1];
      if (next.kind == Step::Kind::chain) labels = grammar.chains()[next.id].labels;
      if (next.kind == Step::Kind::root_chain) labels = grammar.root_chains()[next.id].labels;
    }
    visit(span_number(stack.back().begin, stack.back().end), label, labels);
  }
}

}  // namespace

Brackets::Brackets(const Grammar& grammar, std::span<const Step> derivation, std::int64_t words) {
  begin_.assign(span_count(words) + 1, 0);
  for_each_base(grammar, derivation,
                [&](std::int64_t span, std::int32_t label, std::span<const std::int32_t> labels) {
                  begin_[span + 1] += static_cast<std::int32_t>(labels.size()) + (label != no_label);
                });
  for (std::size_t k = 1; k < begin_.size(); ++k) begin_[k] += begin_[k - 1];
  labels_.resize(begin_.back());
  // Markers share no span with another base but the words of their parts, which are smaller: the labels of a
  // span all come at once.
  for_each_base(grammar, derivation,
                [&](std::int64_t span, std::int32_t label, std::span<const std::int32_t> labels) {
                  std::int32_t at = begin_[span];
                  if (label != no_label) labels_[at++] = label;
                  std::ranges::copy(labels, labels_.begin() + at);
                });
}

std::int32_t Brackets::matches(std::int64_t span, std::int32_t base_label,
                               std::span<const std::int32_t> labels) const {
  const std::span<const std::int32_t> here{labels_.data() + begin_[span], labels_.data() + begin_[span + 1]};
  if (here.empty()) return 0;
  std::int32_t count = 0;
  // Each label of the other tree takes the first equal one that is left.
  const auto left_of = [&](std::int32_t label, std::size_t taken) {
    return static_cast<std::size_t>(std::ranges::count(here, label)) > taken;
  };
  if (base_label != no_label && left_of(base_label, 0)) ++count;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    std::size_t earlier = base_label == labels[k];
    for (std::size_t j = 0; j < k; ++j) earlier += labels[j] == labels[k];
    if (left_of(labels[k], earlier)) ++count;
  }
  return count;
}

BracketCounts Brackets::compare(const Grammar& grammar, std::span<const Step> derivation) const {
  BracketCounts counts;
  for_each_base(grammar, derivation,
                [&](std::int64_t span, std::int32_t label, std::span<const std::int32_t> labels) {
                  counts.all += static_cast<std::int32_t>(labels.size()) + (label != no_label);
                  counts.matched += matches(span, label, labels);
                });
  return counts;
}

double Brackets::added_cost(std::int64_t span, std::int32_t base_label, std::span<const std::int32_t> labels,
                            std::span<const double> costs) const {
  double sum = 0;
  std::int32_t matched = matches(span, base_label);
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const std::int32_t now = matches(span, base_label, labels.first(k + 1));
    sum += now > matched ? -costs[labels[k]] : costs[labels[k]];
    matched = now;
  }
  return sum;
}

double Brackets::cost_of_difference(const Grammar& grammar, std::span<const Step> derivation,
                                    std::span<const double> costs) const {
  double sum = 0;
  for (const std::int32_t label : labels_) sum += costs[label];
  for_each_base(grammar, derivation,
                [&](std::int64_t span, std::int32_t label, std::span<const std::int32_t> labels) {
                  if (label != no_label) sum += matches(span, label) ? -costs[label] : costs[label];
                  sum += added_cost(span, label, labels, costs);
                });
  return sum;
}

void check_derivation(const Grammar& grammar, std::span<const Step> derivation,
                      std::span<const std::int32_t> sentence) {
  struct Part {
    std::int32_t symbol;
    bool chained;
  };
  std::vector<Part> stack;
  const auto check = [](bool fine) {
    if (!fine) throw std::invalid_argument("a derivation that does not fit its grammar or its sentence");
  };
  const auto within = [&](std::int32_t id, const auto& list) {
    check(id >= 0 && id < static_cast<std::int32_t>(list.size()));
  };
  std::size_t word = 0;
  bool finished = false;
  for (const Step& step : derivation) {
    check(!finished);
    switch (step.kind) {
      case Step::Kind::word:
        check(word < sentence.size() && sentence[word] >= 0 && sentence[word] < grammar.word_kinds());
        check(std::ranges::any_of(grammar.tags(sentence[word]),
                                  [&](auto& rule) { return rule.tag == step.id; }));
        stack.push_back({step.id, false});
        ++word;
        break;
      case Step::Kind::rule: {
        within(step.id, grammar.rules());
        const BinaryRule& rule = grammar.rules()[step.id];
        check(stack.size() >= 2 && stack.back().symbol == rule.right &&
              stack[stack.size() - 2].symbol == rule.left);
        stack.pop_back();
        stack.back() = {rule.parent, false};
        break;
      }
      case Step::Kind::chain: {
        within(step.id, grammar.chains());
        const UnaryChain& chain = grammar.chains()[step.id];
        check(!stack.empty() && !stack.back().chained && stack.back().symbol == chain.base);
        stack.back() = {chain.top, true};
        break;
      }
      case Step::Kind::root_chain:
        within(step.id, grammar.root_chains());
        check(stack.size() == 1 && !stack.back().chained &&
              stack.back().symbol == grammar.root_chains()[step.id].base);
        finished = true;
        break;
      default:
        check(false);
    }
  }
  check(finished && word == sentence.size());
}

}  // namespace hedgerow::structured::grammar
