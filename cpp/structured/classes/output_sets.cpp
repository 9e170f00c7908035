#include "structured/classes/output_sets.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "models/row_checks.hpp"

namespace hedgerow::structured::classes {

namespace {

void check_losses(std::span<const double> losses) {
  if (!models::all_finite(losses) || std::ranges::any_of(losses, [](double loss) { return loss < 0; }))
    throw std::invalid_argument("losses must be finite and at least 0");
}

}  // namespace

OutputSets::OutputSets(std::int64_t outputs, std::span<const std::int32_t> truths,
                       std::span<const double> losses, std::shared_ptr<const void> owner)
    : outputs_(outputs), truths_(truths), losses_(losses), owner_(std::move(owner)) {
  for (const std::int32_t truth : truths)
    if (truth < 0 || truth >= outputs)
      throw std::invalid_argument("there is no output " + std::to_string(truth));
  if (!losses.empty() && static_cast<std::int64_t>(losses.size()) != outputs * outputs)
    throw std::invalid_argument("losses need a row and a column for each output");
  check_losses(losses);
}

OutputSets::OutputSets(std::int64_t outputs, std::span<const std::int64_t> begin,
                       std::span<const std::int32_t> listed, std::span<const double> losses,
                       std::span<const std::int32_t> truths, std::shared_ptr<const void> owner)
    : outputs_(outputs),
      begin_(begin),
      listed_(listed),
      truths_(truths),
      losses_(losses),
      owner_(std::move(owner)) {
  if (!models::rows_follow(begin, listed.size()) || begin.size() != truths.size() + 1)
    throw std::invalid_argument("the lists of outputs do not follow each other");
  if (losses.size() != listed.size()) throw std::invalid_argument("every output in a list needs a loss");
  for (const std::int32_t output : listed)
    if (output < 0 || output >= outputs)
      throw std::invalid_argument("there is no output " + std::to_string(output));
  for (std::size_t example = 0; example < truths.size(); ++example)
    if (truths[example] < 0 || truths[example] >= begin[example + 1] - begin[example])
      throw std::invalid_argument("the list of example " + std::to_string(example) + " has no true output");
  check_losses(losses);
}

Alternatives OutputSets::operator[](std::int64_t example) const {
  const std::int64_t truth = truths_[example];
  if (!begin_.empty()) {
    const std::int64_t begin = begin_[example], size = begin_[example + 1] - begin;
    return {listed_.subspan(begin, size), losses_.subspan(begin, size), truth};
  }
  if (losses_.empty()) return {{}, {}, truth};
  return {{}, losses_.subspan(truth * outputs_, outputs_), truth};
}

std::int64_t choose(std::span<const double> scores, const Alternatives& alternatives, Question question) {
  const auto n = static_cast<std::int64_t>(scores.size());
  const std::int64_t truth = alternatives.truth;
  if (question.search == Question::Search::best) return std::ranges::max_element(scores) - scores.begin();
  const double true_score = scores[truth];
  // The true output violates nothing; where only wrong ones are asked for, any other is preferred to it.
  std::int64_t best = truth;
  double largest = question.search == Question::Search::best_wrong ? -INFINITY : 0;
  for (std::int64_t place = 0; place < n; ++place) {
    if (place == truth) continue;
    const double violation = question.violation(alternatives.loss(place), true_score - scores[place]);
    if (violation > largest) {
      largest = violation;
      best = place;
    }
  }
  return best;
}

}  // namespace hedgerow::structured::classes
