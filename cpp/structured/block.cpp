#include "structured/block.hpp"

#include <algorithm>

namespace hedgerow::structured {

namespace {

// Until slopes are no further apart than this fraction of what they were.
void ascend_by(const SimplexBlock& block, double remainder) {
  if (block.gradient.empty()) return;
  const double tolerance = remainder * slope_gap(block);
  // An ascent makes so many steps at most; constraints that are close to dependent ask for more.
  for (int ascents = 0; ascents < 100 && slope_gap(block) > tolerance; ++ascents) ascend(block, tolerance);
}

}  // namespace

void Block::find_violations(std::span<const double> scores, std::vector<double>& violations) const {
  violations.clear();
  for (std::size_t k = 0; k < constraints_.size(); ++k) violations.push_back(violation(k, scores));
}

double Block::gap(double C, double slack, std::span<const double> violations) const {
  double used = 0;
  for (std::size_t k = 0; k < constraints_.size(); ++k) used += constraints_[k].multiplier * violations[k];
  return std::max(0.0, C * slack - used);
}

void Block::add(Constraint newcomer, std::span<const double> products) {
  const std::size_t old = constraints_.size();
  constraints_.push_back(std::move(newcomer));
  std::vector<double> grown((old + 1) * (old + 1));
  for (std::size_t i = 0; i < old; ++i) {
    std::copy_n(&products_[i * old], old, &grown[i * (old + 1)]);
    grown[i * (old + 1) + old] = products[i];
  }
  std::copy_n(products.begin(), old + 1, &grown[old * (old + 1)]);
  products_ = std::move(grown);
}

void Block::find_step(double remainder, std::span<const double> violations, SimplexStep& step) const {
  step.before.assign(violations.begin(), violations.end());
  ascend_by(begin_step(step, constraints_, room_, products_), remainder);
}

double Block::take_step(double remainder, SimplexStep& step, std::span<const double> scores,
                        std::vector<double>& changes) {
  renew(
      step, constraints_, room_, products_, [&](std::size_t k) { return violation(k, scores); },
      [&](const SimplexBlock& block) { ascend_by(block, remainder); });
  changes.assign(constraints_.size(), 0.0);
  double gain = 0;
  take(step, constraints_, room_, [&](std::size_t k, double by) {
    changes[k] = by;
    // A quadratic function grows by the step times the mean of its slopes.
    gain += by * (step.before[k] + step.after[k]) / 2;
  });
  return gain;
}

void Block::forget(std::int32_t patience) {
  const std::size_t old = constraints_.size();
  std::size_t kept = 0;
  static thread_local std::vector<std::size_t> rows;
  rows.clear();
  for (std::size_t k = 0; k < old; ++k) {
    Constraint& constraint = constraints_[k];
    constraint.idle = constraint.multiplier > 0 ? 0 : constraint.idle + 1;
    if (constraint.idle > patience) continue;
    rows.push_back(k);
    if (kept++ != k) constraints_[kept - 1] = std::move(constraint);
  }
  if (kept == old) return;
  constraints_.resize(kept);
  for (std::size_t i = 0; i < kept; ++i)
    for (std::size_t j = 0; j < kept; ++j) products_[i * kept + j] = products_[rows[i] * old + rows[j]];
  products_.resize(kept * kept);
}

}  // namespace hedgerow::structured
