#include "structured/frank_wolfe.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "awake.hpp"
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
      projection_(space->plain() ? oracle_->projection() : nullptr),
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
  const StayAwake awake(threads);
  while (!order.empty()) {
    const std::size_t size = std::min<std::size_t>(order.size(), batch());
    visit_batch(order.first(size), threads);
    order = order.subspan(size);
  }
}

void FrankWolfe::visit_by_gap(std::int64_t count, int threads) {
  const StayAwake awake(threads);
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

double FrankWolfe::revisit(std::span<const std::int64_t> order, int threads) {
  const StayAwake awake(threads);
  double gap = 0;
  while (!order.empty()) {
    stop_if_asked();
    const auto some = order.first(std::min<std::size_t>(order.size(), batch()));
    order = order.subspan(some.size());
    answers_.resize(std::max(answers_.size(), some.size()));
    parallel_rows(0, std::ssize(some), threads, [&](std::int64_t k, int) {
      Answer& answer = answers_[k];
      const Block& block = blocks_[some[k]];
      answer.gap = 0;
      if (block.empty()) return;
      find_known(some[k], answer);
      answer.gap =
          block.gap(settings_.C, std::max(0.0, std::ranges::max(answer.violations)), answer.violations);
      find_step(some[k], answer);
    });
    for (std::size_t k = 0; k < some.size(); ++k) {
      if (blocks_[some[k]].empty()) continue;
      gap += answers_[k].gap;
      take_step(some[k], answers_[k]);
    }
  }
  return gap;
}

std::int64_t FrankWolfe::constraints() const {
  std::int64_t sum = 0;
  for (const Block& block : blocks_) sum += static_cast<std::int64_t>(block.constraints().size());
  return sum;
}

std::span<const double> FrankWolfe::seen_by(std::int64_t example, std::span<const double> scores,
                                            std::vector<double>& projected) const {
  if (!projection_) return scores;
  projected.resize(projection_->output_features());
  projection_->project(example, scores, projected);
  return projected;
}

void FrankWolfe::find(std::int64_t example, std::span<const double> seen, Candidate& found) const {
  if (projection_)
    oracle_->find_projected(example, seen, settings_.question, found);
  else
    oracle_->find(example, seen, settings_.question, found);
}

void FrankWolfe::find_known(std::int64_t example, Answer& answer) const {
  static thread_local std::vector<std::int32_t> features;
  const Block& block = blocks_[example];
  if (!projection_) return block.find_violations(weights_.scores(), answer.violations);
  const std::int64_t p = projection_->output_features();
  features.clear();
  for (const Constraint& constraint : block.constraints())
    features.insert(features.end(), constraint.indices.begin(), constraint.indices.end());
  // A whole row of weights is read faster than single ones of it, unless these are few.
  if (std::ssize(features) * 8 > p) {
    seen_by(example, weights_.scores(), answer.projected);
  } else {
    std::ranges::sort(features);
    features.erase(std::ranges::unique(features).begin(), features.end());
    answer.projected.resize(p);
    projection_->project(example, weights_.scores(), features, answer.projected);
  }
  block.find_violations(answer.projected, answer.violations);
}

void FrankWolfe::ask(std::int64_t example, Answer& answer) const {
  const std::span<const double> seen = seen_by(example, weights_.scores(), answer.projected);
  find(example, seen, answer.found);
  const Block& block = blocks_[example];
  block.find_violations(seen, answer.violations);
  answer.slack = 0;
  for (const double violation : answer.violations) answer.slack = std::max(answer.slack, violation);
  answer.fresh = false;
  if (!answer.found.correct) {
    const double margin = known_product({answer.found.indices, answer.found.values}, seen);
    const double violation = violation_of(answer.found, margin);
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
  if (!oracle_->parallel()) threads = 1;
  scratches_.resize(std::max<std::size_t>(scratches_.size(), threads));
  parallel_rows(0, std::ssize(examples), threads, [&](std::int64_t k, int thread) {
    Answer& answer = answers_[k];
    ask(examples[k], answer);
    if (answer.fresh) add(examples[k], answer.found, scratches_[thread]);
    find_step(examples[k], answer);
  });
  oracle_seconds += seconds_since(start);
  for (std::size_t k = 0; k < examples.size(); ++k) {
    gaps_.set(examples[k], answers_[k].gap);
    take_step(examples[k], answers_[k]);
    blocks_[examples[k]].forget(settings_.patience);
  }
}

// Several threads may do this at once, each for an example of its own, unless features are met only now:
// those of problems in Python.
void FrankWolfe::add(std::int64_t example, const Candidate& found, Scratch& scratch) {
  Constraint fresh = constraint_from(found, settings_.question);
  if (!fresh.indices.empty()) weights_.grow(fresh.indices.back() + 1);
  find_products(example, fresh, scratch);
  if (projection_) {
    const double norm = projection_->squared_norm(example);
    for (double& value : scratch.products) value *= norm;
  }
  blocks_[example].add(std::move(fresh), scratch.products);
}

// Of a constraint with those of its example, and with itself, as the example sees them.
void FrankWolfe::find_products(std::int64_t example, const Constraint& fresh, Scratch& scratch) const {
  auto& [image, products] = scratch;
  const Block& block = blocks_[example];
  products.clear();
  const bool plain = weights_.space().plain();
  if (plain && block.constraints().size() <= 2) {
    for (const Constraint& old : block.constraints()) products.push_back(product(old.row(), fresh.row()));
    products.push_back(product(fresh.row(), fresh.row()));
    return;
  }
  if (plain) {
    // With many others, writing it out for a moment is faster than so many merges.
    const std::size_t size = projection_ ? projection_->output_features() : weights_.coordinates().size();
    if (image.size() < size) image.resize(size);
    for (std::size_t k = 0; k < fresh.indices.size(); ++k) image[fresh.indices[k]] = fresh.values[k];
  } else {
    image.assign(weights_.coordinates().size(), 0.0);
    weights_.space().add_image(fresh.row(), 1.0, image);
  }
  for (const Constraint& old : block.constraints()) products.push_back(product(old.row(), image));
  products.push_back(product(fresh.row(), image));
  if (plain)
    for (const std::int32_t index : fresh.indices) image[index] = 0;
}

void FrankWolfe::find_step(std::int64_t example, Answer& answer) const {
  const Block& block = blocks_[example];
  // As the block rounds it.
  if (answer.fresh) answer.violations.back() = block.violation(block.constraints().size() - 1, seen(answer));
  block.find_step(settings_.remainder, answer.violations, answer.step);
}

void FrankWolfe::take_step(std::int64_t example, Answer& answer) {
  ++visits_;
  Block& block = blocks_[example];
  if (block.empty()) return;
  const auto take = [&] {
    dual_ += block.take_step(settings_.remainder, answer.step, seen(answer), changes_);
    change_all(example);
  };
  if (weights_.space().plain()) return take();
  // A kernel may fail, or be interrupted, halfway. Every change goes through all scores, as copies do.
  auto kept = std::tuple(block, weights_, late_, dual_, height_);
  try {
    take();
  } catch (...) {
    std::tie(block, weights_, late_, dual_, height_) = std::move(kept);
    --visits_;
    throw;
  }
}

// By how much the multipliers of an example have changed.
void FrankWolfe::change_all(std::int64_t example) {
  const std::span<const Constraint> constraints = blocks_[example].constraints();
  if (projection_) image_.resize(projection_->output_features());
  features_.clear();
  for (std::size_t k = 0; k < changes_.size(); ++k) {
    if (changes_[k] == 0) continue;
    height_ += changes_[k] * constraints[k].offset;
    const SparseVector row = constraints[k].row();
    if (!projection_) {
      change(row, changes_[k]);
      continue;
    }
    features_.insert(features_.end(), row.indices.begin(), row.indices.end());
    for (std::size_t l = 0; l < row.indices.size(); ++l)
      image_[row.indices[l]] += changes_[k] * row.values[l];
  }
  if (features_.empty()) return;
  // All changes go through the weights of the input's features at once.
  std::ranges::sort(features_);
  features_.erase(std::ranges::unique(features_).begin(), features_.end());
  step_.clear();
  for (const std::int32_t feature : features_) step_.push_back(std::exchange(image_[feature], 0.0));
  projection_->expand(example, features_, step_, expanded_);
  change({expanded_.indices, expanded_.values}, 1.0);
}

void FrankWolfe::change(SparseVector row, double by) {
  weights_.add(row, by);
  if (!settings_.averaging) return;
  // Earlier visits, which count 1 + 2 + ... + (visits - 1), were without this change.
  const auto t = static_cast<double>(visits_);
  const double times = by * (t * (t - 1) / 2);
  if (late_.size() < weights_.coordinates().size()) late_.resize(weights_.coordinates().size());
  for (std::size_t k = 0; k < row.indices.size(); ++k) late_[row.indices[k]] += times * row.values[k];
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
  scratches_.resize(std::max<std::size_t>(scratches_.size(), 1));
  double slack = 0, gap = 0;
  for (std::int64_t example = 0; example < n; ++example) {
    slack += slacks[example];
    gap += gaps[example];
    gaps_.set(example, gaps[example]);
    if (!fresh[example].correct) add(example, fresh[example], scratches_[0]);
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
    static thread_local std::vector<double> projected;
    const std::span<const double> seen = seen_by(example, mean.scores(), projected);
    find(example, seen, found);
    if (found.correct) return;
    const double margin = known_product({found.indices, found.values}, seen);
    slacks[example] = std::max(0.0, violation_of(found, margin));
  });
  oracle_seconds += seconds_since(start);
  double slack = 0;
  for (const double value : slacks) slack += value;
  return mean.squared_norm() / 2 + settings_.C * slack;
}

}  // namespace hedgerow::structured
