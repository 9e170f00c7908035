#include "structured/classes/class_ascent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "parallel.hpp"
#include "structured/classes/output_scores.hpp"

namespace hedgerow::structured::classes {

namespace {

double squared(std::span<const double> values) {
  return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

// Adds x (x) a vector of some output features.
void add_product(const SparseRow& row, std::span<const std::int32_t> features, std::span<const double> values,
                 std::int64_t p, double* weights) {
  for (std::size_t k = 0; k < row.index.size(); ++k) {
    double* of_feature = weights + row.index[k] * p;
    for (std::size_t r = 0; r < features.size(); ++r) of_feature[features[r]] += row.value[k] * values[r];
  }
}

// What to take away from those that are larger, so that what is left of them sums up to `mass`. Those that
// are larger are left in `active`.
double threshold(std::span<const double> values, double mass, std::vector<std::int32_t>& active) {
  double border = std::ranges::max(values) - mass;
  active.clear();
  for (std::size_t k = 0; k < values.size(); ++k)
    if (values[k] > border) active.push_back(static_cast<std::int32_t>(k));
  for (std::size_t before = 0; before != active.size();) {
    before = active.size();
    double sum = 0;
    for (const std::int32_t k : active) sum += values[k];
    border = (sum - mass) / static_cast<double>(before);
    std::erase_if(active, [&](std::int32_t k) { return values[k] <= border; });
  }
  return border;
}

}  // namespace

ClassAscent::ClassAscent(std::shared_ptr<const models::SparseItems> inputs, OutputSets outputs,
                         std::span<const double> weights, ClassAscentSettings settings)
    : inputs_(std::move(inputs)),
      outputs_(std::move(outputs)),
      settings_(settings),
      weights_(inputs_->width * outputs_.outputs()),
      gaps_(outputs_.examples(), std::numeric_limits<double>::infinity()),
      targets_(outputs_.outputs()),
      best_(outputs_.outputs()) {
  if (!(settings_.C > 0)) throw std::invalid_argument("C must be above 0");
  if (inputs_->size() != examples())
    throw std::invalid_argument("there must be as many inputs as true outputs");
  if (!weights.empty() && std::ssize(weights) != examples())
    throw std::invalid_argument("there must be a weight for each example");
  for (std::int64_t example = 0; example < examples(); ++example) {
    const double weight = weights.empty() ? 1 : weights[example];
    if (!(weight >= 0 && std::isfinite(weight))) throw std::invalid_argument("weights must be 0 or more");
    blocks_.push_back({{}, squared(row_of(*inputs_, example).value), settings_.C * weight});
  }
}

std::int64_t ClassAscent::visit(std::span<const std::int64_t> order, double above) {
  std::vector<double> scores(classes());
  const std::int64_t before = visits_;
  for (const std::int64_t example : order) {
    if (!(gaps_[example] > above)) continue;
    stop_if_asked();
    output_scores(row_of(*inputs_, example), weights_.data(), classes(), scores.data());
    gaps_[example] = look(example, scores).gap;
    ++visits_;
    if (gaps_[example] > 0) optimise(example, scores);
  }
  return visits_ - before;
}

ClassAscent::Look ClassAscent::look(std::int64_t example, std::span<double> scores) const {
  const Alternatives alternatives = outputs_[example];
  const double true_score = scores[alternatives.truth];
  if (settings_.unit_margins || alternatives.losses.empty())
    for (double& score : scores) score += 1 - true_score;
  else
    for (std::size_t r = 0; r < scores.size(); ++r) scores[r] += alternatives.losses[r] - true_score;
  scores[alternatives.truth] = 0;
  const Block& block = blocks_[example];
  const double slack = std::ranges::max(scores);
  double used = 0;
  for (const Multiplier& multiplier : block.multipliers) used += multiplier.value * scores[multiplier.output];
  return {slack, std::max(0.0, block.room * slack - used)};
}

// The best multipliers of an example, in best_; only those in active_ are not 0.
void ClassAscent::find_best(std::int64_t example, std::span<const double> violations) {
  const Block& block = blocks_[example];
  const std::int64_t truth = outputs_[example].truth;
  if (block.squared_norm == 0) {  // no weights change anything
    active_ = {static_cast<std::int32_t>(std::ranges::max_element(violations) - violations.begin())};
    best_[active_.front()] = block.room;
    return;
  }
  double left = block.room;
  std::ranges::copy(violations, targets_.begin());
  for (const Multiplier& multiplier : block.multipliers) {
    targets_[multiplier.output] += block.squared_norm * multiplier.value;
    left -= multiplier.value;
  }
  targets_[truth] = block.squared_norm * left;
  const double border = threshold(targets_, block.squared_norm * block.room, active_);
  std::erase(active_, static_cast<std::int32_t>(truth));
  for (const std::int32_t output : active_) best_[output] = (targets_[output] - border) / block.squared_norm;
}

void ClassAscent::optimise(std::int64_t example, std::span<const double> violations) {
  find_best(example, violations);
  Block& block = blocks_[example];
  const auto t = static_cast<double>(visits_);
  const double earlier = settings_.averaging ? t * (t - 1) / 2 : 0;  // what visits before this one count
  multipliers_.clear();
  features_.clear();
  steps_.clear();
  double sum = 0;
  const auto move = [&](const Multiplier& from) {
    const double value = std::exchange(best_[from.output], 0.0), step = value - from.value;
    const Multiplier moved{from.output, value, from.late + step * earlier};
    if (moved.value > 0 || moved.late != 0) multipliers_.push_back(moved);
    if (step == 0) return;
    features_.push_back(from.output);
    steps_.push_back(-step);
    sum += step;
  };
  for (const Multiplier& multiplier : block.multipliers) move(multiplier);
  for (const std::int32_t output : active_)
    if (best_[output] > 0) move({output, 0, 0});
  block.multipliers.assign(multipliers_.begin(), multipliers_.end());
  if (features_.empty()) return;
  const Alternatives alternatives = outputs_[example];
  for (std::size_t k = 0; k < features_.size(); ++k) {
    const double step = -steps_[k];
    height_ += step * (settings_.unit_margins ? 1 : alternatives.loss(features_[k]));
    // A quadratic function grows by the step times the mean of its slopes.
    dual_ += step * (violations[features_[k]] - block.squared_norm * (step + sum) / 2);
  }
  features_.push_back(static_cast<std::int32_t>(alternatives.truth));
  steps_.push_back(sum);
  add_product(row_of(*inputs_, example), features_, steps_, classes(), weights_.data());
}

double ClassAscent::remembered_gap() const { return std::reduce(gaps_.begin(), gaps_.end()); }

std::int64_t ClassAscent::constraints() const {
  std::int64_t sum = 0;
  for (const Block& block : blocks_)
    sum += std::ranges::count_if(block.multipliers, [](const Multiplier& some) { return some.value > 0; });
  return sum;
}

ClassAscent::Measure ClassAscent::measure(int threads) {
  std::vector<double> costs = costs_by(weights_, &gaps_, threads);
  const double norm = squared(weights_);
  dual_ = height_ - norm / 2;
  return {norm / 2 + std::reduce(costs.begin(), costs.end()), dual_, remembered_gap()};
}

double ClassAscent::measure_average(int threads) {
  const std::vector<double> mean = average();
  const std::vector<double> costs = costs_by(mean, nullptr, threads);
  return squared(mean) / 2 + std::reduce(costs.begin(), costs.end());
}

std::vector<double> ClassAscent::costs_by(std::span<const double> weights, std::vector<double>* gaps,
                                          int threads) {
  const auto start = Clock::now();
  std::vector<double> costs(examples());
  parallel_rows(0, examples(), threads, [&](std::int64_t example, int) {
    static thread_local std::vector<double> scores;
    scores.resize(classes());
    output_scores(row_of(*inputs_, example), weights.data(), classes(), scores.data());
    const Look seen = look(example, scores);
    costs[example] = blocks_[example].room * seen.slack;
    if (gaps) (*gaps)[example] = seen.gap;
  });
  oracle_seconds += std::chrono::duration<double>(Clock::now() - start).count();
  return costs;
}

std::vector<double> ClassAscent::late() const {
  std::vector<double> sum(settings_.averaging ? weights_.size() : 0), values;
  std::vector<std::int32_t> features;
  for (std::int64_t example = 0; settings_.averaging && example < examples(); ++example) {
    features.assign(1, static_cast<std::int32_t>(outputs_[example].truth));
    values.assign(1, 0.0);
    for (const Multiplier& multiplier : blocks_[example].multipliers) {
      features.push_back(multiplier.output);
      values.push_back(-multiplier.late);
      values.front() += multiplier.late;
    }
    if (features.size() > 1) add_product(row_of(*inputs_, example), features, values, classes(), sum.data());
  }
  return sum;
}

std::vector<double> ClassAscent::average() const {
  std::vector<double> mean = late();
  const auto t = static_cast<double>(std::max<std::int64_t>(visits_, 1));
  for (std::size_t k = 0; k < mean.size(); ++k) mean[k] = weights_[k] - mean[k] / (t * (t + 1) / 2);
  return mean;
}

}  // namespace hedgerow::structured::classes
