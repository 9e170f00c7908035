#include "linear/mixing.hpp"

#include <algorithm>

namespace hedgerow::linear {

CellChange change_between(const CellColumn& start, const CellColumn& now, bool all, std::size_t coordinates,
                          const CellMixer& mixer) {
  CellChange found;
  found.coordinates.resize(coordinates);
  const std::vector<double> untouched(now.width, 0.0);
  std::vector<double> change(coordinates);
  const auto look = [&](std::int64_t feature, const double* before, const double* after) {
    const bool is_new = now.is_untouched(before);
    if ((is_new && now.is_untouched(after)) || !(all || now.differ(before, after))) return;
    mixer.find_change(before, after, change.data());
    // A feature may be new though its weight is the one that unknown features have.
    if (!is_new && std::ranges::all_of(change, [](double value) { return value == 0; })) return;
    found.features.push_back(feature);
    for (std::size_t i = 0; i < coordinates; ++i) found.coordinates[i].push_back(change[i]);
  };
  for (std::int64_t j = 0; j < now.size; ++j) look(j, j < start.size ? start[j] : untouched.data(), now[j]);
  if (now.bias) look(bias_feature, start.bias, now.bias);
  return found;
}

void put_change(const CellColumn& start, const CellChange& change, const CellColumn& mixed,
                const CellMixer& mixer) {
  const std::size_t coordinates = change.coordinates.size();
  const std::vector<double> untouched(mixed.width, 0.0);
  std::vector<double> added(coordinates);
  std::size_t row = 0;
  const auto take = [&](std::int64_t feature, const double* before, double* cell) {
    const bool told = row < change.features.size() && change.features[row] == feature;
    if (!told && mixed.is_untouched(before)) return;
    for (std::size_t i = 0; i < coordinates; ++i) added[i] = told ? change.coordinates[i][row] : 0.0;
    mixer.apply(before, added.data(), cell);
    if (told) ++row;
  };
  for (std::int64_t j = 0; j < mixed.size; ++j)
    take(j, j < start.size ? start[j] : untouched.data(), mixed[j]);
  if (mixed.bias) take(bias_feature, start.bias, mixed.bias);
}

}  // namespace hedgerow::linear
