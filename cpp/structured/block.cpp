#include "structured/block.hpp"

#include <algorithm>
#include <limits>

namespace hedgerow {

void Block::find_violations(std::span<const double> scores, std::vector<double>& violations) const {
  violations.clear();
  for (const Plane& plane : planes_)
    violations.push_back(plane.height - hedgerow::product(plane.features(), scores));
}

void Block::add(Plane plane, std::span<const double> products) {
  const std::size_t old = planes_.size();
  planes_.push_back(std::move(plane));
  std::vector<double> grown((old + 1) * (old + 1));
  for (std::size_t i = 0; i < old; ++i) {
    std::copy_n(&products_[i * old], old, &grown[i * (old + 1)]);
    grown[i * (old + 1) + old] = products[i];
  }
  std::copy_n(products.begin(), old + 1, &grown[old * (old + 1)]);
  products_ = std::move(grown);
}

double Block::correct(double C, double remainder, std::vector<double>& violations,
                      std::vector<double>& changes) {
  const std::size_t n = planes_.size();
  changes.assign(n, 0.0);
  double gain = 0, tolerance = 0;
  // Far more steps than small blocks need; what is left is taken up in the next round.
  for (std::size_t round = 0; round < 1000 + 100 * n; ++round) {
    // The true output, numbered n, takes and gives too.
    std::size_t taker = n, giver = n;
    double highest = 0, lowest = used_ < C ? 0 : std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < n; ++k) {
      if (violations[k] > highest) highest = violations[taker = k];
      if (planes_[k].coefficient > 0 && violations[k] < lowest) lowest = violations[giver = k];
    }
    if (!(highest - lowest > tolerance)) break;
    if (round == 0) tolerance = remainder * (highest - lowest);
    const double available = giver < n ? planes_[giver].coefficient : C - used_;
    const double curvature = product(taker, taker) + product(giver, giver) - 2 * product(taker, giver);
    double step = curvature > 0 ? (highest - lowest) / curvature : available;
    const bool all = step >= available;
    if (all) step = available;
    gain += step * (highest - lowest) - step * step * curvature / 2;
    if (taker < n) {
      planes_[taker].coefficient += step;
      changes[taker] += step;
    }
    if (giver < n) {
      planes_[giver].coefficient = all ? 0 : planes_[giver].coefficient - step;
      changes[giver] -= step;
    }
    if (taker == n) used_ = std::max(0.0, used_ - step);
    if (giver == n) used_ = all ? C : used_ + step;
    for (std::size_t k = 0; k < n; ++k) violations[k] -= step * (product(taker, k) - product(giver, k));
  }
  return gain;
}

void Block::forget(std::int32_t patience) {
  const std::size_t old = planes_.size();
  std::vector<std::size_t> kept;
  kept.reserve(old);
  for (std::size_t k = 0; k < old; ++k) {
    Plane& plane = planes_[k];
    plane.idle = plane.coefficient > 0 ? 0 : plane.idle + 1;
    if (plane.idle <= patience) kept.push_back(k);
  }
  if (kept.size() == old) return;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (std::size_t j = 0; j < kept.size(); ++j)
      products_[i * kept.size() + j] = products_[kept[i] * old + kept[j]];
    if (kept[i] != i) planes_[i] = std::move(planes_[kept[i]]);
  }
  planes_.resize(kept.size());
  products_.resize(kept.size() * kept.size());
}

}  // namespace hedgerow
