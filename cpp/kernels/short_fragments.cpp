#include "kernels/short_fragments.hpp"

#include <stdexcept>

namespace hedgerow::kernels {

void ShortFragments::check() const {
  constexpr std::int32_t largest = 20;
  for (const std::int32_t size : {subtrees, paths, leaves})
    if (size < 0 || size > largest) throw std::invalid_argument("sizes of fragments must be from 0 to 20");
}

FeatureTable short_fragment_features(const data::Forest& forest, const ShortFragments& sizes) {
  sizes.check();
  FeatureTable table;
  Vocabulary names;
  FragmentExtractor extract(sizes);
  FeatureCounts counts;
  for (std::int64_t t = 0; t < forest.size(); ++t) {
    counts.clear();
    extract({forest[t]}, names, counts);
    counts.append_row(table);
  }
  table.weight = names.weights();
  return table;
}

std::vector<std::string> short_fragment_names(const data::Forest& forest, std::int64_t tree,
                                              const ShortFragments& sizes) {
  sizes.check();
  const data::FragmentNames name(forest, tree);
  Vocabulary known;
  std::vector<std::string> found;
  FragmentExtractor(sizes).visit(
      {forest[tree]}, known,
      [&](std::int32_t feature, data::FragmentFamily family, std::int32_t size, std::int32_t node) {
        // Features are numbered in the order in which they come.
        if (static_cast<std::size_t>(feature) == found.size()) found.push_back(name(family, size, node));
      });
  return found;
}

}  // namespace hedgerow::kernels
