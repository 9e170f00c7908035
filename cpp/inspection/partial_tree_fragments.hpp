// Fragments of the partial tree kernel with the largest weights.
//
// A fragment is embedded in a tree when its nodes are nodes of the tree with the same labels, and the
// children of each a selection of the children there. With mu the vertical decay and lambda the decay, its
// feature is
//
//   sqrt(mu)^(nodes) * lambda^(ends) * sum over embeddings of lambda^(children skipped between selected ones)
//
// where ends are nodes without children in the fragment. The inner product of these features is the kernel.
// An end that is a leaf of both trees is worth the terminal factor: so that this is an inner product too,
// ends are features twice, once as any node and once as a leaf (or, for factors below 1, as an internal
// node).
//
// Fragments grow at their rightmost path, so that each is made once. Where a fragment grows, the number of
// its embeddings may grow as well. How much at most is known beforehand of every node: see Growth.
#pragma once

#include "inspection/fragment_search.hpp"
#include "inspection/partial_tree_growth.hpp"
#include "kernels/tree_parameters.hpp"

namespace hedgerow::inspection {

// Growth: of the model, and of the example if there is one.
FoundFragments partial_tree_fragments(const FragmentQuery& query,
                                      const kernels::PartialTreeParameters& kernel, const Growth& model,
                                      const Growth* example);

}  // namespace hedgerow::inspection
