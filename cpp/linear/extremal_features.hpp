// Extremal Feature Selection: the features of the largest scores, and a few of the smallest.
//
// Carvalho, Cohen: Notes on single-pass online learning algorithms, 2006, sect. 5.2.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hedgerow::linear {

// The share `top` of k, rounded, halves up.
std::int64_t count_from_top(std::int64_t k, double top);

// Places, in increasing order, of k features: so many with the largest scores, and as many as k leaves with
// the smallest. All if there are not more than k. Of equal scores, that
// of the feature with the smaller number counts as the larger.
std::vector<std::int32_t> extremal_features(std::span<const std::int32_t> features,
                                            std::span<const double> scores, std::int64_t k, double top);

}  // namespace hedgerow::linear
