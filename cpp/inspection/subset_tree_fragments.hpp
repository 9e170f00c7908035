// Fragments of the subset tree kernel, and complete subtrees, with the largest weights.
//
// The feature of a fragment t with |t| expanded nodes is decay^(|t|/2) times the number of its occurrences,
// so
//
//   weight(t) = decay^(|t|/2) * sum of weight(s) over the distinct subtrees s in whose root t begins.
//
// What grows out of t begins in some of these subtrees, and has a smaller factor: the positive and the
// negative weights among them, each summed up, are bounds.
#pragma once

#include "inspection/fragment_search.hpp"
#include "kernels/tree_parameters.hpp"

namespace hedgerow::inspection {

FoundFragments subset_tree_fragments(const FragmentQuery& query, const kernels::SubsetTreeParameters& kernel);

// Complete subtrees; all of them are looked at.
FoundFragments subtree_fragments(const FragmentQuery& query, double decay);

}  // namespace hedgerow::inspection
