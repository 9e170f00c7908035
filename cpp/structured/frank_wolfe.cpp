#include "structured/frank_wolfe.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "parallel.hpp"

namespace hedgerow {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Problems in Python may have found features that have no weight yet.
double known_product(const Candidate& found, std::span<const double> scores) {
  const auto end = std::ranges::lower_bound(found.indices, static_cast<std::int64_t>(scores.size()));
  const auto known = static_cast<std::size_t>(end - found.indices.begin());
  return product({std::span(found.indices).first(known), found.values}, scores);
}

}  // namespace

FrankWolfe::FrankWolfe(std::shared_ptr<const Oracle> oracle, std::shared_ptr<const Space> space,
                       FrankWolfeSettings settings, std::uint64_t seed)
    : oracle_(std::move(oracle)),
      settings_(settings),
      weights_(std::move(space), oracle_->features()),
      blocks_(oracle_->examples()),
      gaps_(oracle_->examples()),
      random_(seed) {
  if (!(settings_.C > 0)) throw std::invalid_argument("C must be above 0");
}

void FrankWolfe::move_to(std::shared_ptr<const Oracle> oracle, std::shared_ptr<const Space> space) {
  oracle_ = std::move(oracle);
  if (space->plain() && weights_.space().plain()) {
    weights_.grow(oracle_->features());
  } else {
    Weights moved(std::move(space), std::max(oracle_->features(), weights_.size()));
    moved.assign(weights_.coordinates());
    weights_ = std::move(moved);
  }
  blocks_.assign(oracle_->examples(), Block());
  gaps_ = GapSampler(oracle_->examples());
}

void FrankWolfe::resume(std::span<const double> coordinates, std::span<const double> late,
                        std::int64_t visits, double height) {
  if (late.size() > coordinates.size() || visits < 0)
    throw std::invalid_argument("this is not the state of a Frank-Wolfe solver");
  weights_.assign(coordinates);
  late_.assign(late.begin(), late.end());
  visits_ = visits;
  height_ = height;
  dual_ = height_ - weights_.squared_norm() / 2;
}

void FrankWolfe::visit(std::span<const std::int64_t> order) {
  for (const std::int64_t example : order) {
    stop_if_asked();
    visit(example);
  }
}

void FrankWolfe::visit_by_gap(std::int64_t count) {
  for (std::int64_t k = 0; k < count && gaps_.total() > 0; ++k) {
    stop_if_asked();
    visit(gaps_.draw(random_));
  }
}

double FrankWolfe::revisit(std::span<const std::int64_t> order) {
  double gap = 0;
  for (const std::int64_t example : order) {
    Block& block = blocks_[example];
    if (block.empty()) continue;
    stop_if_asked();
    block.find_violations(weights_.scores(), answer_.violations);
    double highest = 0, used = 0;
    for (std::size_t k = 0; k < answer_.violations.size(); ++k) {
      highest = std::max(highest, answer_.violations[k]);
      used += block.planes()[k].coefficient * answer_.violations[k];
    }
    gap += settings_.C * highest - used;
    correct(block, answer_.violations);
  }
  return gap;
}

std::int64_t FrankWolfe::planes() const {
  std::int64_t sum = 0;
  for (const Block& block : blocks_) sum += static_cast<std::int64_t>(block.planes().size());
  return sum;
}

// A candidate is a plane of this height, whose features have this factor: slack re-scaling, which asks for
// loss * (1 - margin) <= slack, scales both.
double FrankWolfe::height(const Candidate& found) const {
  return settings_.question.search == Question::Search::best_wrong ? 1
                                                                   : settings_.question.height(found.loss);
}

double FrankWolfe::factor(const Candidate& found) const {
  return settings_.question.search == Question::Search::slack ? settings_.question.height(found.loss) : 1;
}

void FrankWolfe::ask(std::int64_t example, Answer& answer) const {
  oracle_->find(example, weights_.scores(), settings_.question, answer.found);
  const Block& block = blocks_[example];
  block.find_violations(weights_.scores(), answer.violations);
  double used = 0;
  answer.slack = 0;
  for (std::size_t k = 0; k < answer.violations.size(); ++k) {
    answer.slack = std::max(answer.slack, answer.violations[k]);
    used += block.planes()[k].coefficient * answer.violations[k];
  }
  answer.fresh = false;
  if (!answer.found.correct) {
    const double top = height(answer.found);
    const double margin = factor(answer.found) * known_product(answer.found, weights_.scores());
    const double violation = top - margin;
    // A plane that the block has already is as much violated as itself, but for rounding.
    if (violation - answer.slack > 1e-12 * (top + std::abs(margin))) {
      answer.fresh = true;
      answer.slack = violation;
      answer.violations.push_back(violation);
    }
  }
  answer.gap = std::max(0.0, settings_.C * answer.slack - used);
}

void FrankWolfe::visit(std::int64_t example) {
  const auto start = Clock::now();
  ask(example, answer_);
  oracle_seconds += seconds_since(start);
  Block& block = blocks_[example];
  if (answer_.fresh) add(block, answer_.found);
  gaps_.set(example, answer_.gap);
  correct(block, answer_.violations);
  block.forget(settings_.patience);
}

void FrankWolfe::add(Block& block, const Candidate& found) {
  Plane fresh;
  fresh.height = height(found);
  fresh.indices.assign(found.indices.begin(), found.indices.end());
  fresh.values.assign(found.values.begin(), found.values.end());
  if (const double scale = factor(found); scale != 1)
    for (double& value : fresh.values) value *= scale;
  if (!fresh.indices.empty()) weights_.grow(fresh.indices.back() + 1);

  products_.clear();
  if (weights_.space().plain()) {
    // Written out for a moment, so that products are gathered.
    if (image_.size() < weights_.coordinates().size()) image_.resize(weights_.coordinates().size());
    for (std::size_t k = 0; k < fresh.indices.size(); ++k) image_[fresh.indices[k]] = fresh.values[k];
  } else {
    image_.assign(weights_.coordinates().size(), 0.0);
    weights_.space().add_image(fresh.features(), 1.0, image_);
  }
  for (const Plane& old : block.planes()) products_.push_back(product(old.features(), image_));
  products_.push_back(product(fresh.features(), image_));
  if (weights_.space().plain())
    for (const std::int32_t index : fresh.indices) image_[index] = 0;
  block.add(std::move(fresh), products_);
}

// Violations are those of the block's planes by the weights as they are.
void FrankWolfe::correct(Block& block, std::vector<double>& violations) {
  ++visits_;
  if (block.empty()) return;
  dual_ += block.correct(settings_.C, settings_.remainder, violations, changes_);
  for (std::size_t k = 0; k < changes_.size(); ++k)
    if (changes_[k] != 0) change(block.planes()[k], changes_[k]);
}

void FrankWolfe::change(const Plane& plane, double by) {
  height_ += by * plane.height;
  weights_.add(plane.features(), by);
  if (!settings_.averaging) return;
  // Earlier visits, which count 1 + 2 + ... + (visits - 1), were without this change.
  const auto t = static_cast<double>(visits_);
  const double times = by * t * (t - 1) / 2;
  if (late_.size() < weights_.coordinates().size()) late_.resize(weights_.coordinates().size());
  for (std::size_t k = 0; k < plane.indices.size(); ++k) late_[plane.indices[k]] += times * plane.values[k];
}

std::vector<double> FrankWolfe::average() const {
  std::vector<double> mean(weights_.coordinates().begin(), weights_.coordinates().end());
  const auto t = static_cast<double>(visits_);
  for (std::size_t k = 0; k < late_.size(); ++k) mean[k] -= late_[k] / (t * (t + 1) / 2);
  return mean;
}

FrankWolfe::Measure FrankWolfe::measure(int threads) {
  const auto start = Clock::now();
  const std::int64_t n = oracle_->examples();
  if (!oracle_->parallel()) threads = 1;
  std::vector<double> slacks(n), gaps(n);
  std::vector<Candidate> fresh(n);
  parallel_rows(0, n, threads, [&](std::int64_t example, int) {
    static thread_local Answer answer;
    ask(example, answer);
    slacks[example] = answer.slack;
    gaps[example] = answer.gap;
    if (answer.fresh) fresh[example] = answer.found;
  });
  oracle_seconds += seconds_since(start);
  double slack = 0, gap = 0;
  for (std::int64_t example = 0; example < n; ++example) {
    slack += slacks[example];
    gap += gaps[example];
    gaps_.set(example, gaps[example]);
    if (!fresh[example].correct) add(blocks_[example], fresh[example]);
  }
  const double norm = weights_.squared_norm();
  dual_ = height_ - norm / 2;
  return {norm / 2 + settings_.C * slack, dual_, gap};
}

double FrankWolfe::measure_average(int threads) {
  const auto start = Clock::now();
  Weights mean(weights_);
  mean.assign(average());
  const std::int64_t n = oracle_->examples();
  if (!oracle_->parallel()) threads = 1;
  std::vector<double> slacks(n);
  parallel_rows(0, n, threads, [&](std::int64_t example, int) {
    static thread_local Candidate found;
    oracle_->find(example, mean.scores(), settings_.question, found);
    if (found.correct) return;
    const double margin = known_product(found, mean.scores());
    slacks[example] = std::max(0.0, settings_.question.violation(found.loss, margin));
  });
  oracle_seconds += seconds_since(start);
  double slack = 0;
  for (const double value : slacks) slack += value;
  return mean.squared_norm() / 2 + settings_.C * slack;
}

}  // namespace hedgerow
