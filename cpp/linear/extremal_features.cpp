#include "linear/extremal_features.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hedgerow {

std::vector<std::int32_t> extremal_features(std::span<const std::int32_t> features,
                                            std::span<const double> scores, std::int64_t k, double top) {
  const auto n = static_cast<std::int64_t>(features.size());
  std::vector<std::int32_t> places(features.size());
  std::iota(places.begin(), places.end(), 0);
  if (n <= k) return places;
  const auto larger = [&](std::int32_t a, std::int32_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : features[a] < features[b];
  };
  const auto from_top = static_cast<std::int64_t>(std::floor(top * static_cast<double>(k) + 0.5));
  const auto top_end = places.begin() + from_top;
  const auto bottom = places.end() - (k - from_top);
  std::nth_element(places.begin(), top_end, places.end(), larger);
  if (bottom != places.end()) std::nth_element(top_end, bottom, places.end(), larger);
  places.erase(top_end, bottom);
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace hedgerow
