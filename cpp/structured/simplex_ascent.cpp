#include "structured/simplex_ascent.hpp"

#include <algorithm>
#include <cmath>

namespace hedgerow::structured {

namespace {

constexpr std::ptrdiff_t nobody = -1;  // the coordinate of what is left

}  // namespace

double slope_gap(const SimplexBlock& block) {
  double highest = 0, lowest = block.room > 0 ? 0 : block.gradient[0];
  bool any = block.room > 0;
  for (std::size_t k = 0; k < block.gradient.size(); ++k) {
    highest = std::max(highest, block.gradient[k]);
    if (block.multipliers[k] > 0) {
      lowest = any ? std::min(lowest, block.gradient[k]) : block.gradient[k];
      any = true;
    }
  }
  return any ? highest - lowest : 0;
}

bool ascend(const SimplexBlock& block, double tolerance) {
  const std::size_t size = block.gradient.size();
  const auto slope = [&](std::ptrdiff_t k) { return k == nobody ? 0 : block.gradient[k]; };
  const auto product = [&](std::ptrdiff_t k, std::ptrdiff_t l) {
    return k == nobody || l == nobody ? 0 : block.products[k * size + l];
  };
  const auto mass = [&](std::ptrdiff_t k) -> double& {
    return k == nobody ? block.room : block.multipliers[k];
  };

  // Steps are many only when rows are close to dependent; the caller comes back to what is left.
  for (std::size_t steps = 0, most = 20 + 2 * size; steps < most; ++steps) {
    std::ptrdiff_t to = nobody;
    for (std::size_t k = 0; k < size; ++k)
      if (block.gradient[k] > slope(to)) to = static_cast<std::ptrdiff_t>(k);

    std::ptrdiff_t from = to;
    double best_gain = 0, curvature = 0;
    for (std::ptrdiff_t k = nobody; k < static_cast<std::ptrdiff_t>(size); ++k) {
      const double gap = slope(to) - slope(k);
      if (mass(k) <= 0 || gap <= tolerance) continue;
      const double bend = std::max(0.0, product(to, to) + product(k, k) - 2 * product(to, k));
      const double step = std::min(mass(k), gap / bend);
      const double gain = step * (gap - step * bend / 2);
      if (std::isinf(step)) return false;
      if (gain > best_gain) {
        from = k;
        best_gain = gain;
        curvature = bend;
      }
    }
    if (from == to) return true;

    const double step = std::min(mass(from), (slope(to) - slope(from)) / curvature);
    mass(from) = step == mass(from) ? 0 : mass(from) - step;  // exactly 0 at the border
    mass(to) += step;
    for (std::size_t k = 0; k < size; ++k) {
      const auto here = static_cast<std::ptrdiff_t>(k);
      block.gradient[k] -= step * (product(to, here) - product(from, here));
    }
  }
  return true;
}

}  // namespace hedgerow::structured
