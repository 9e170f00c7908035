#include "linear/extremal_features.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hedgerow::linear {

std::int64_t count_from_top(std::int64_t k, double top) {
  return static_cast<std::int64_t>(std::floor(top * static_cast<double>(k) + 0.5));
}

std::vector<std::int32_t> extremal_features(std::span<const std::int32_t> features,
                                            std::span<const double> scores, std::int64_t k, double top) {
  struct Candidate {
    double score;
    std::int32_t feature, place;
  };
  const std::size_t n = features.size();
  std::vector<std::int32_t> places(n);
  std::iota(places.begin(), places.end(), 0);
  if (static_cast<std::int64_t>(n) <= k) return places;

  std::vector<Candidate> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = {scores[i], features[i], places[i]};
  const auto larger = [](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : a.feature < b.feature;
  };
  const std::int64_t from_top = count_from_top(k, top);
  const auto middle = order.begin() + from_top, bottom = order.end() - (k - from_top);
  std::nth_element(order.begin(), middle, order.end(), larger);
  if (bottom != order.end()) std::nth_element(middle, bottom, order.end(), larger);
  for (auto candidate = middle; candidate != bottom; ++candidate) places[candidate->place] = -1;
  std::erase(places, -1);
  return places;
}

}  // namespace hedgerow::linear
