// Tree kernels whose features can be listed: complete subtrees and paths.
#pragma once

#include "data/forest.hpp"
#include "kernels/feature_table.hpp"

namespace hedgerow {

// ST. A feature is a complete subtree of an internal node, worth decay^(its number of internal nodes).
FeatureTable subtree_features(const Forest& forest, double decay);

// Subpaths. A feature is a path of labels from a node towards the root, worth decay^(its number of nodes).
FeatureTable path_features(const Forest& forest, double decay);

}  // namespace hedgerow
