// Concave quadratic functions over a simplex, by steps between pairs of coordinates.
//
// maximise g.d - 1/2 d'Jd over m + d >= 0, sum (m + d) <= bound: g is the gradient at m. What is left of the
// bound is a coordinate of its own, without slope or curvature. Each step moves mass to the coordinate with
// the highest slope from the one that promises most, as in sequential minimal optimisation.
#pragma once

#include <cstddef>
#include <span>

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

}  // namespace hedgerow::structured
