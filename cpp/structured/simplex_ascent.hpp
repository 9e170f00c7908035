// Concave quadratic functions over a simplex, by steps between pairs of coordinates.
//
// maximise g.d - 1/2 d'Jd over m + d >= 0, sum (m + d) <= bound: g is the gradient at m. What is left of the
// bound is a coordinate of its own, without slope or curvature. Each step moves mass to the coordinate with
// the highest slope from the one that promises most, as in sequential minimal optimisation.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hedgerow::structured {

struct SimplexBlock {
  std::span<double> multipliers;     // m
  double& room;                      // what is left of the bound; infinite when there is none
  std::span<double> gradient;        // g
  std::span<const double> products;  // J, row by row
};

// How far slopes are apart between which mass could move: 0 at the optimum.
double slope_gap(const SimplexBlock& block);

// Ascends until slopes are no more than `tolerance` apart. False when there is no end to it.
bool ascend(const SimplexBlock& block, double tolerance);

// An ascent that others may come before.
struct SimplexStep {
  std::vector<double> before, after;  // gradients
  std::vector<double> multipliers;    // after it
  double room = 0;                    // after it

  std::vector<std::size_t> moving;  // scratch of `renew`
  std::vector<double> products;
};

// Prepares a step from these multipliers, which is none yet.
template <class Constraints>
SimplexBlock begin_step(SimplexStep& step, const Constraints& constraints, double room,
                        std::span<const double> products) {
  step.after = step.before;
  step.multipliers.clear();
  for (const auto& constraint : constraints) step.multipliers.push_back(constraint.multiplier);
  step.room = room;
  return {step.multipliers, step.room, step.after, products};
}

// Where others have changed the gradient since, the step is made again: of what it moves and what has mass,
// which are few. gradient_of(k) gives what it is now; ascend_all(block) ascends.
template <class Constraints, class Gradient, class Ascend>
void renew(SimplexStep& step, const Constraints& constraints, double room, std::span<const double> products,
           Gradient&& gradient_of, Ascend&& ascend_all) {
  const std::size_t size = step.multipliers.size();
  bool same = true;
  step.moving.clear();
  for (std::size_t k = 0; k < size; ++k) {
    if (step.multipliers[k] == 0 && constraints[k].multiplier == 0) continue;
    const double now = gradient_of(k);
    same = same && now == step.before[k];
    step.before[k] = now;
    step.moving.push_back(k);
  }
  if (same) return;
  // In the first places, then each in its own.
  const std::size_t few = step.moving.size();
  step.products.resize(few * few);
  for (std::size_t i = 0; i < few; ++i) {
    const std::size_t k = step.moving[i];
    for (std::size_t j = 0; j < few; ++j) step.products[i * few + j] = products[k * size + step.moving[j]];
    step.after[i] = step.before[k];
    step.multipliers[i] = constraints[k].multiplier;
  }
  step.room = room;
  ascend_all(SimplexBlock{std::span(step.multipliers).first(few), step.room, std::span(step.after).first(few),
                          step.products});
  for (std::size_t k = size, i = few; k-- > 0;) {
    const bool moves = i > 0 && step.moving[i - 1] == k;
    if (moves) --i;
    step.multipliers[k] = moves ? step.multipliers[i] : 0;
    step.after[k] = moves ? step.after[i] : step.before[k];
  }
}

// Takes the step: calls moved(k, by) for multipliers that grow by something.
template <class Constraints, class Moved>
void take(const SimplexStep& step, Constraints& constraints, double& room, Moved&& moved) {
  for (std::size_t k = 0; k < step.multipliers.size(); ++k) {
    const double by = step.multipliers[k] - constraints[k].multiplier;
    if (by == 0) continue;
    moved(k, by);
    constraints[k].multiplier = step.multipliers[k];
  }
  room = step.room;
}

}  // namespace hedgerow::structured
