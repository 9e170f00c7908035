#include "structured/classes/pair_sets.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/row_checks.hpp"
#include "parallel.hpp"
#include "structured/simplex_ascent.hpp"

namespace hedgerow::structured::classes {

namespace {

HEDGEROW_CLONES(double, dot, (const double* a, const double* b, std::int64_t n), (a, b, n)) {
  double sums[8] = {};
  std::int64_t k = 0;
  for (; k + 8 <= n; k += 8)
    for (int lane = 0; lane < 8; ++lane) sums[lane] += a[k + lane] * b[k + lane];
  double sum = 0;
  for (; k < n; ++k) sum += a[k] * b[k];
  for (const double part : sums) sum += part;
  return sum;
}

}  // namespace

struct PairSets::Found {
  double slack = 0;                                    // over all outputs
  double known = 0;                                    // over those that are known
  std::vector<std::pair<double, std::int64_t>> worst;  // violations and places, the largest first
};

PairSets::PairSets(std::shared_ptr<svm::SvmKernel> kernel, std::span<const double> gram, OutputSets outputs,
                   std::vector<double> scales, std::vector<double> weights, Formulation formulation,
                   std::shared_ptr<const void> owner)
    : kernel_(std::move(kernel)),
      gram_(gram),
      outputs_(std::move(outputs)),
      scales_(std::move(scales)),
      weights_(std::move(weights)),
      formulation_(formulation),
      owner_(std::move(owner)),
      sets_(outputs_.examples(), Set{{}, formulation.bound()}) {
  const auto m = static_cast<std::size_t>(outputs_.outputs());
  if (kernel_->size() != outputs_.examples())
    throw std::invalid_argument("there must be as many inputs as true outputs");
  if (gram_.size() != m * m || !models::all_finite(gram_))
    throw std::invalid_argument("there must be finite kernel values between all outputs");
  if (!scales_.empty() && (scales_.size() != m || !models::all_finite(scales_)))
    throw std::invalid_argument("there must be a scale for each output");
  if (!weights_.empty() && static_cast<std::int64_t>(weights_.size()) != examples())
    throw std::invalid_argument("there must be a weight for each example");
  for (const double weight : weights_)
    if (!(weight >= 0 && std::isfinite(weight))) throw std::invalid_argument("weights must be 0 or more");
  if (formulation_.slack == Formulation::Slack::none) throw std::invalid_argument("pair sets need slacks");
  sum_.resize(m);
  for (std::int64_t example = 0; example < examples(); ++example) {
    const Alternatives alternatives = outputs_[example];
    truths_.push_back(static_cast<std::int32_t>(alternatives.output(alternatives.truth)));
  }
}

double PairSets::loss(const Alternatives& alternatives, std::int64_t place) const {
  if (scales_.empty() || place == alternatives.truth) return alternatives.loss(place);
  const std::int64_t truth = alternatives.output(alternatives.truth), output = alternatives.output(place);
  // Rounding may leave less than 0.
  return std::max(0.0, 1 - gram_[truth * outputs() + output] * scales_[truth] * scales_[output]);
}

PairSets::Known PairSets::make(std::int64_t example, std::int32_t output, double loss) const {
  const Question& question = formulation_.question;
  const double weight = weights_.empty() ? 1 : weights_[example];
  const double height = question.search == Question::Search::best_wrong ? 1 : question.height(loss);
  return {.output = output,
          .offset = weight * height,
          .factor = weight * (question.search == Question::Search::slack ? height : 1),
          .loss = loss};
}

double PairSets::product(std::int64_t example, const Known& a, const Known& b) const {
  const std::int64_t m = outputs(), t = truth(example);
  const double of_outputs =
      gram_[t * m + t] - gram_[t * m + a.output] - gram_[t * m + b.output] + gram_[a.output * m + b.output];
  return kernel_->diagonal()[example] * of_outputs * a.factor * b.factor;
}

void PairSets::sum(std::int64_t example, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  kernel_->with_rows([&](auto& rows) {
    const auto* row = rows.row(static_cast<std::int32_t>(example));
    for (std::int64_t other = 0; other < examples(); ++other) {
      const auto value = static_cast<double>(row[other]);
      if (value == 0 || sets_[other].known.empty()) continue;
      double all = 0;
      for (const Known& known : sets_[other].known) {
        const double coefficient = known.multiplier * known.factor;
        out[known.output] -= value * coefficient;
        all += coefficient;
      }
      out[truth(other)] += value * all;
    }
  });
}

void PairSets::sums(std::span<const std::int64_t> examples, double* out) const {
  const auto m = static_cast<std::size_t>(outputs());
  for (const std::int64_t example : examples) {
    stop_if_asked();
    sum(example, {out, m});
    out += m;
  }
}

void PairSets::look(std::int64_t example, std::span<const double> scores, std::int64_t most,
                    Found& found) const {
  const Alternatives alternatives = outputs_[example];
  const Question& question = formulation_.question;
  const double weight = weights_.empty() ? 1 : weights_[example];
  const double true_score = scores[truth(example)];
  found.slack = found.known = 0;
  found.worst.clear();
  for (const Known& known : sets_[example].known)
    found.known = std::max(found.known, known.offset - known.factor * (true_score - scores[known.output]));
  found.slack = found.known;
  if (weight == 0) return;
  const std::int64_t n =
      alternatives.outputs.empty() ? outputs() : static_cast<std::int64_t>(alternatives.outputs.size());
  for (std::int64_t place = 0; place < n; ++place) {
    if (place == alternatives.truth) continue;
    const double margin = true_score - scores[alternatives.output(place)];
    const double violation = weight * question.violation(loss(alternatives, place), margin);
    const bool full = static_cast<std::int64_t>(found.worst.size()) == most;
    if (violation <= found.known || (full && violation <= found.worst.back().first)) continue;
    if (full) found.worst.pop_back();
    const auto after =
        std::ranges::find_if(found.worst, [&](const auto& one) { return one.first < violation; });
    found.worst.insert(after, {violation, place});
  }
  if (!found.worst.empty()) found.slack = std::max(found.slack, found.worst.front().first);
}

PairSets::Review PairSets::review(std::span<const std::int64_t> examples, std::span<const double> scores,
                                  double tol, std::int64_t most, int threads) {
  const auto m = static_cast<std::size_t>(outputs());
  std::vector<Found> found(examples.size());
  parallel_rows(0, static_cast<std::int64_t>(examples.size()), threads,
                [&](std::int64_t k, int) { look(examples[k], scores.subspan(k * m, m), most, found[k]); });
  Review review;
  for (std::size_t k = 0; k < examples.size(); ++k) {
    const std::int64_t example = examples[k];
    review.slack_cost += formulation_.cost(found[k].slack);
    review.violation = std::max(review.violation, found[k].slack - found[k].known);
    if (found[k].slack <= found[k].known + tol) continue;
    std::vector<Known>& known = sets_[example].known;
    const Alternatives alternatives = outputs_[example];
    const std::size_t before = known.size();
    for (const auto& [violation, place] : found[k].worst) {
      const auto output = static_cast<std::int32_t>(alternatives.output(place));
      // What is known is not violated by more than the slack; rounding may make it seem so.
      if (std::ranges::any_of(known, [&](const Known& old) { return old.output == output; })) continue;
      known.push_back(make(example, output, loss(alternatives, place)));
    }
    if (known.size() > before) review.busy.push_back(example);
  }
  return review;
}

double PairSets::optimise(std::int64_t example, double tolerance) {
  Set& set = sets_[example];
  std::vector<Known>& known = set.known;
  if (known.empty()) return 0;
  const std::int64_t m = outputs();
  sum(example, sum_);
  const double true_score = dot(sum_.data(), gram_.data() + truth(example) * m, m);
  slopes_.clear();
  multipliers_.clear();
  double mass = 0;
  for (const Known& one : known) mass += one.multiplier;
  for (const Known& one : known) {
    const double margin = true_score - dot(sum_.data(), gram_.data() + one.output * m, m);
    slopes_.push_back(one.offset - one.factor * margin - formulation_.ridge() * mass);
    multipliers_.push_back(one.multiplier);
  }
  products_.resize(known.size() * known.size());
  for (std::size_t a = 0; a < known.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b)
      products_[a * known.size() + b] = products_[b * known.size() + a] =
          product(example, known[a], known[b]) + formulation_.ridge();
  const SimplexBlock block{multipliers_, set.room, slopes_, products_};
  const double gap = slope_gap(block);
  if (gap > tolerance) {
    ascend(block, tolerance / 2);
    for (std::size_t k = 0; k < known.size(); ++k) known[k].multiplier = multipliers_[k];
  }
  for (Known& one : known) one.idle = one.multiplier > 0 ? 0 : one.idle + 1;
  return gap;
}

std::vector<std::int64_t> PairSets::sweep(std::span<const std::int64_t> order, double tolerance) {
  std::vector<std::int64_t> moved;
  for (const std::int64_t example : order) {
    stop_if_asked();
    if (optimise(example, tolerance) > tolerance) moved.push_back(example);
  }
  return moved;
}

void PairSets::forget(std::int32_t idle) {
  for (Set& set : sets_) std::erase_if(set.known, [&](const Known& one) { return one.idle >= idle; });
}

std::int64_t PairSets::constraints() const {
  std::int64_t number = 0;
  for (const Set& set : sets_) number += static_cast<std::int64_t>(set.known.size());
  return number;
}

double PairSets::squared_norm() const {
  const std::int64_t m = outputs();
  std::vector<double> sum(m);
  double norm = 0;
  for (std::int64_t example = 0; example < examples(); ++example) {
    const std::vector<Known>& known = sets_[example].known;
    if (std::ranges::none_of(known, [](const Known& one) { return one.multiplier > 0; })) continue;
    this->sum(example, sum);
    const double true_score = dot(sum.data(), gram_.data() + truth(example) * m, m);
    for (const Known& one : known)
      if (one.multiplier > 0)
        norm +=
            one.multiplier * one.factor * (true_score - dot(sum.data(), gram_.data() + one.output * m, m));
  }
  return std::max(0.0, norm);
}

double PairSets::dual_objective(double squared_norm) const {
  double linear = 0, ridge = 0;
  for (const Set& set : sets_) {
    double mass = 0;
    for (const Known& one : set.known) {
      mass += one.multiplier;
      linear += one.multiplier * one.offset;
    }
    ridge += formulation_.ridge() * mass * mass;
  }
  return linear - squared_norm / 2 - ridge / 2;
}

PairSets::Coefficients PairSets::coefficients() const {
  Coefficients all;
  const auto add = [&](std::int64_t example, std::int32_t output, double value) {
    if (value == 0) return;
    all.examples.push_back(example);
    all.outputs.push_back(output);
    all.values.push_back(value);
  };
  for (std::int64_t example = 0; example < examples(); ++example) {
    double mass = 0;
    for (const Known& one : sets_[example].known) mass += one.multiplier * one.factor;
    add(example, truths_[example], mass);
    for (const Known& one : sets_[example].known) add(example, one.output, -one.multiplier * one.factor);
  }
  return all;
}

PairSets::Supports PairSets::supports() const {
  Supports all;
  for (std::int64_t example = 0; example < examples(); ++example)
    for (const Known& one : sets_[example].known)
      if (one.multiplier > 0) {
        all.examples.push_back(example);
        all.multipliers.push_back(one.multiplier);
        all.losses.push_back(one.loss);
      }
  return all;
}

}  // namespace hedgerow::structured::classes
