#include "structured/frank_wolfe.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include "parallel.hpp"

namespace hedgerow::structured {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

FrankWolfe::FrankWolfe(std::shared_ptr<const Oracle> oracle, std::shared_ptr<const Space> space,
                       FrankWolfeSettings settings, std::uint64_t seed)
    : oracle_(std::move(oracle)),
      settings_(settings),
      weights_(std::move(space), oracle_->features()),
      blocks_(oracle_->examples(), Block(settings.C)),
      gaps_(oracle_->examples()),
      random_(seed) {
  if (!(settings_.C > 0)) throw std::invalid_argument("C must be above 0");
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

void FrankWolfe::visit(std::span<const std::int64_t> order, int threads) {
  while (!order.empty()) {
    const std::size_t size = std::min<std::size_t>(order.size(), batch());
    visit_batch(order.first(size), threads);
    order = order.subspan(size);
  }
}

void FrankWolfe::visit_by_gap(std::int64_t count, int threads) {
  std::vector<std::int64_t> drawn;
  while (count > 0 && gaps_.total() > 0) {
    drawn.clear();
    for (const std::int64_t end = count - std::min(count, batch()); count > end; --count) {
      const std::int64_t example = gaps_.draw(random_);
      if (std::ranges::find(drawn, example) == drawn.end()) drawn.push_back(example);
    }
    visit_batch(drawn, threads);
  }
}

double FrankWolfe::revisit(std::span<const std::int64_t> order) {
  double gap = 0;
  std::vector<double>& violations = answer_.violations;
  for (const std::int64_t example : order) {
    Block& block = blocks_[example];
    if (block.empty()) continue;
    stop_if_asked();
    block.find_violations(weights_.scores(), violations);
    gap += block.gap(settings_.C, std::max(0.0, std::ranges::max(violations)), violations);
    correct(block, violations);
  }
  return gap;
}

std::int64_t FrankWolfe::constraints() const {
  std::int64_t sum = 0;
  for (const Block& block : blocks_) sum += static_cast<std::int64_t>(block.constraints().size());
  return sum;
}

void FrankWolfe::ask(std::int64_t example, Answer& answer) const {
  oracle_->find(example, weights_.scores(), settings_.question, answer.found);
  const Block& block = blocks_[example];
  block.find_violations(weights_.scores(), answer.violations);
  answer.slack = 0;
  for (const double violation : answer.violations) answer.slack = std::max(answer.slack, violation);
  answer.fresh = false;
  if (!answer.found.correct) {
    const double margin = known_product({answer.found.indices, answer.found.values}, weights_.scores());
    const double violation = answer.found.weight * settings_.question.violation(answer.found.loss, margin);
    // A constraint that the block has already is as much violated as itself, but for rounding.
    const double rounding = 1e-12 * answer.found.weight * (1 + answer.found.loss) * (1 + std::abs(margin));
    answer.fresh = violation > answer.slack + rounding;
    if (answer.fresh) answer.slack = violation;
  }
  answer.gap = block.gap(settings_.C, answer.slack, answer.violations);
  if (answer.fresh) answer.violations.push_back(answer.slack);
}

void FrankWolfe::visit_batch(std::span<const std::int64_t> examples, int threads) {
  stop_if_asked();
  const auto start = Clock::now();
  answers_.resize(std::max(answers_.size(), examples.size()));
  parallel_rows(0, static_cast<std::int64_t>(examples.size()), oracle_->parallel() ? threads : 1,
                [&](std::int64_t k, int) { ask(examples[k], answers_[k]); });
  oracle_seconds += seconds_since(start);
  for (std::size_t k = 0; k < examples.size(); ++k) {
    Block& block = blocks_[examples[k]];
    Answer& answer = answers_[k];
    if (k > 0) renew(examples[k], answer);
    if (answer.fresh) add(block, answer.found);
    gaps_.set(examples[k], answer.gap);
    correct(block, answer.violations);
    block.forget(settings_.patience);
  }
}

void FrankWolfe::renew(std::int64_t example, Answer& answer) const {
  blocks_[example].find_violations(weights_.scores(), answer.violations);
  if (!answer.fresh) return;
  const double margin = known_product({answer.found.indices, answer.found.values}, weights_.scores());
  answer.violations.push_back(settings_.question.violation(answer.found.loss, margin));
}

void FrankWolfe::add(Block& block, const Candidate& found) {
  Constraint fresh = constraint_from(found, settings_.question);
  if (!fresh.indices.empty()) weights_.grow(fresh.indices.back() + 1);
  find_products(block, fresh);
  block.add(std::move(fresh), products_);
}

// Of a constraint with those of its block, and with itself.
void FrankWolfe::find_products(const Block& block, const Constraint& fresh) {
  products_.clear();
  const bool plain = weights_.space().plain();
  if (plain && block.constraints().size() <= 2) {
    for (const Constraint& old : block.constraints()) products_.push_back(product(old.row(), fresh.row()));
    products_.push_back(product(fresh.row(), fresh.row()));
    return;
  }
  if (plain) {
    // With many others, writing it out for a moment is faster than so many merges.
    if (image_.size() < weights_.coordinates().size()) image_.resize(weights_.coordinates().size());
    for (std::size_t k = 0; k < fresh.indices.size(); ++k) image_[fresh.indices[k]] = fresh.values[k];
  } else {
    image_.assign(weights_.coordinates().size(), 0.0);
    weights_.space().add_image(fresh.row(), 1.0, image_);
  }
  for (const Constraint& old : block.constraints()) products_.push_back(product(old.row(), image_));
  products_.push_back(product(fresh.row(), image_));
  if (plain)
    for (const std::int32_t index : fresh.indices) image_[index] = 0;
}

// Violations are those of the block's constraints by the weights as they are.
void FrankWolfe::correct(Block& block, std::vector<double>& violations) {
  ++visits_;
  if (block.empty()) return;
  const auto correct_all = [&] {
    dual_ += block.correct(settings_.remainder, violations, changes_);
    for (std::size_t k = 0; k < changes_.size(); ++k)
      if (changes_[k] != 0) change(block.constraints()[k], changes_[k]);
  };
  if (weights_.space().plain()) return correct_all();
  // A kernel may fail, or be interrupted, halfway. Every change goes through all scores, as copies do.
  auto kept = std::tuple(block, weights_, late_, dual_, height_);
  try {
    correct_all();
  } catch (...) {
    std::tie(block, weights_, late_, dual_, height_) = std::move(kept);
    --visits_;
    throw;
  }
}

void FrankWolfe::change(const Constraint& constraint, double by) {
  height_ += by * constraint.offset;
  weights_.add(constraint.row(), by);
  if (!settings_.averaging) return;
  // Earlier visits, which count 1 + 2 + ... + (visits - 1), were without this change.
  const auto t = static_cast<double>(visits_);
  const double times = by * (t * (t - 1) / 2);
  if (late_.size() < weights_.coordinates().size()) late_.resize(weights_.coordinates().size());
  for (std::size_t k = 0; k < constraint.indices.size(); ++k)
    late_[constraint.indices[k]] += times * constraint.values[k];
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
    found.weight = 1;  // another problem's examples may have had others
    oracle_->find(example, mean.scores(), settings_.question, found);
    if (found.correct) return;
    const double margin = known_product({found.indices, found.values}, mean.scores());
    slacks[example] = std::max(0.0, found.weight * settings_.question.violation(found.loss, margin));
  });
  oracle_seconds += seconds_since(start);
  double slack = 0;
  for (const double value : slacks) slack += value;
  return mean.squared_norm() / 2 + settings_.C * slack;
}

}  // namespace hedgerow::structured
