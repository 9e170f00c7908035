// What each node of an example adds to the values of functions that are collapsed onto distinct subtrees:
//
//   value(n) = sum over distinct subtrees s of weight(s) * D(n, s)
//
// where D(n, s), the weight of the common fragments that are rooted in the two, is the recursion of the
// kernel. The sum of the values over the nodes is the value of the function.
#pragma once

#include <span>
#include <vector>

#include "inspection/collapsed_forest.hpp"
#include "kernels/tree_parameters.hpp"

namespace hedgerow::inspection {

// Weights: function by function, by subtree of the model. The result goes by distinct subtree of the example,
// with one value a function for each; an infinite D makes it infinite, or no number.
std::vector<double> subset_tree_node_values(const CollapsedForest& model, std::span<const double> weights,
                                            const CollapsedForest& example,
                                            const kernels::SubsetTreeParameters& kernel);
std::vector<double> subtree_node_values(const CollapsedForest& model, std::span<const double> weights,
                                        const CollapsedForest& example, double decay);
std::vector<double> partial_tree_node_values(const CollapsedForest& model, std::span<const double> weights,
                                             const CollapsedForest& example,
                                             const kernels::PartialTreeParameters& kernel);

}  // namespace hedgerow::inspection
