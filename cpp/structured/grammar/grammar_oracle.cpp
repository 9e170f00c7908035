#include "structured/grammar/grammar_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "structured/grammar/chart.hpp"
#include "structured/grammar/second_best.hpp"
#include "structured/grammar/strata.hpp"
#include "structured/grammar/survivors.hpp"

namespace hedgerow::structured::grammar {

struct GrammarOracle::Scratch {
  StepWeights weights;
  Chart chart;
  Survivors survivors;
  Strata strata;
  LossTable losses;
  Derivation tree, answer;
};

GrammarOracle::GrammarOracle(std::shared_ptr<const Grammar> grammar, TreeLoss loss, std::vector<double> costs,
                             std::vector<std::int32_t> words, std::vector<std::int64_t> word_begin,
                             std::vector<std::int32_t> forms, std::vector<Step> steps,
                             std::vector<std::int64_t> step_begin)
    : grammar_(std::move(grammar)),
      loss_(loss),
      costs_(std::move(costs)),
      words_(std::move(words)),
      word_begin_(std::move(word_begin)),
      forms_(std::move(forms)),
      steps_(std::move(steps)),
      step_begin_(std::move(step_begin)) {
  const auto fits = [](const std::vector<std::int64_t>& begin, std::size_t size) {
    return !begin.empty() && begin.front() == 0 && begin.back() == static_cast<std::int64_t>(size) &&
           std::ranges::is_sorted(begin);
  };
  if (!fits(word_begin_, words_.size()) || !fits(step_begin_, steps_.size()) ||
      word_begin_.size() != step_begin_.size())
    throw std::invalid_argument("sentences and derivations do not fit together");
  sentences().check(*grammar_);
  if (loss_ == TreeLoss::costs)
    for (std::int32_t symbol = 0; symbol < grammar_->symbols(); ++symbol)
      if (grammar_->label(symbol) >= static_cast<std::int32_t>(costs_.size()))
        throw std::invalid_argument("every label needs a cost");
  for (std::int64_t i = 0; i < examples(); ++i) {
    check_derivation(*grammar_, truth(i), sentence(i));
    brackets_.emplace_back(*grammar_, truth(i), static_cast<std::int64_t>(sentence(i).size()));
  }
}

template <class Add>
void GrammarOracle::for_all_features(std::int64_t example, std::span<const Step> derivation,
                                     Add&& add) const {
  for_each_feature(*grammar_, derivation, sentence(example), add);
  if (const SpanFeatures* spans = grammar_->span_features())
    for_each_node(*grammar_, derivation, [&](std::int64_t begin, std::int64_t end, std::int32_t node_class) {
      spans->for_each_feature(forms(example), begin, end, node_class, add);
    });
}

void GrammarOracle::find(std::int64_t example, std::span<const double> weights, Question question,
                         Candidate& found) const {
  static thread_local Scratch scratch;
  scratch.weights.assign(*grammar_, weights);
  search(example, question, scratch);
  found.clear();
  found.correct = std::ranges::equal(scratch.answer, truth(example));
  if (found.correct) return;
  for_all_features(example, truth(example), [&](std::int32_t f) { found.add(f, 1); });
  for_all_features(example, scratch.answer, [&](std::int32_t f) { found.add(f, -1); });
  found.settle();
  found.loss = loss_of(example, scratch.answer);
}

double GrammarOracle::loss_of(std::int64_t example, std::span<const Step> derivation) const {
  const Brackets& brackets = brackets_[example];
  if (loss_ == TreeLoss::costs) return brackets.cost_of_difference(*grammar_, derivation, costs_);
  return tree_loss(loss_, brackets.size(), brackets.compare(*grammar_, derivation));
}

void GrammarOracle::search(std::int64_t example, Question question, Scratch& scratch) const {
  using enum Question::Search;
  scratch.answer.clear();
  if (question.search == best) {
    if (scratch.chart.fill(*grammar_, scratch.weights, sentence(example), forms(example)))
      scratch.chart.trace(scratch.answer);
  } else if (question.search == best_wrong) {
    search_other(example, scratch);
  } else if (loss_ == TreeLoss::zero_one) {
    // All wrong trees have one loss, so the best of them or the true one.
    search_other(example, scratch);
    const double margin = score(example, truth(example), scratch) - score(example, scratch.answer, scratch);
    if (question.violation(1, margin) <= 0) scratch.answer.clear();
  } else if (loss_ == TreeLoss::costs) {
    search_with_costs(example, question, scratch);
  } else {
    search_augmented(example, question, scratch);
  }
  if (scratch.answer.empty()) scratch.answer.assign(truth(example).begin(), truth(example).end());
}

void GrammarOracle::search_other(std::int64_t example, Scratch& scratch) const {
  scratch.chart.fill(*grammar_, scratch.weights, sentence(example), forms(example));
  best_other(*grammar_, scratch.weights, scratch.chart, truth(example), scratch.answer);
}

// Costs add up over brackets as scores do over rules, so that one chart has both.
void GrammarOracle::search_with_costs(std::int64_t example, Question question, Scratch& scratch) const {
  if (question.search != Question::Search::margin || question.root)
    throw std::invalid_argument("costs of brackets are for margin re-scaling with linear slacks only");
  scratch.chart.fill(*grammar_, scratch.weights, sentence(example), forms(example),
                     {&brackets_[example], 0, 0, costs_});
  scratch.chart.trace(scratch.answer);
  const double margin = score(example, truth(example), scratch) - score(example, scratch.answer, scratch);
  if (loss_of(example, scratch.answer) <= margin) scratch.answer.clear();  // no more than the true tree
}

// max H(loss, score), exactly. With loss <= L, a plane over the numbers of brackets, margin re-scaling is
// bounded by score + L, which an ordinary chart maximises. Its best tree has a value near the highest one, so
// few of the chart's items can be part of a tree whose bound is not below that value, and strata are cheap
// among them. (Further planes, at the tree that was found, cost a chart each and leave no fewer items.)
//
// Slack re-scaling has a bound of the same kind. With u = 1 - margin > 0,
//   2 sqrt(u loss) <= u + loss <= u + L,
// so trees that can beat the value v have u + L >= 2 sqrt(v).
void GrammarOracle::search_augmented(std::int64_t example, Question question, Scratch& scratch) const {
  const Brackets& brackets = brackets_[example];
  const bool slack = question.search == Question::Search::slack;
  LossTable& losses = scratch.losses;
  losses.fill(loss_, question.root, brackets.size(),
              grammar_->most_brackets(static_cast<std::int64_t>(sentence(example).size())));
  const double true_score = score(example, truth(example), scratch);
  const auto value_of = [&](BracketCounts counts, double tree_score) {
    const double u = 1 - true_score + tree_score, loss = losses(counts);
    return slack ? loss * u : loss + u - 1;
  };

  // It touches the losses at trees as large as the true one that are half right.
  const LossTable::Plane plane = losses.above({brackets.size() / 2, brackets.size()});
  Chart& chart = scratch.chart;
  chart.fill(*grammar_, scratch.weights, sentence(example), forms(example),
             {&brackets, plane.bracket, plane.match});
  scratch.tree.clear();
  chart.trace(scratch.tree);
  const double value =
      value_of(brackets.compare(*grammar_, scratch.tree), score(example, scratch.tree, scratch));
  double best_value = 0;  // of the true tree
  if (value > best_value) {
    best_value = value;
    scratch.answer = scratch.tree;
  }
  const double needed = slack ? 2 * std::sqrt(best_value) : best_value + 1;
  const double threshold = needed - (1 - true_score) - plane.constant;
  const double rounding = 1e-10 * (1 + std::abs(chart.score()) + std::abs(threshold));
  if (chart.score() <= threshold + rounding) return;
  scratch.survivors.find(*grammar_, scratch.weights, chart, threshold - rounding);
  scratch.tree.clear();
  if (scratch.strata.find(*grammar_, scratch.weights, chart, scratch.survivors, threshold - rounding,
                          value_of, best_value, scratch.tree))
    scratch.answer = scratch.tree;
}

double GrammarOracle::score(std::int64_t example, std::span<const Step> derivation,
                            const Scratch& scratch) const {
  double sum = 0;
  for_all_features(example, derivation,
                   [&](std::int32_t feature) { sum += scratch.weights.features[feature]; });
  return sum;
}

}  // namespace hedgerow::structured::grammar
