#include "kernels/kmers.hpp"

#include <stdexcept>
#include <string>

namespace hedgerow::kernels {

namespace {

// All sets of up to `most` of k positions, the empty one first.
std::vector<std::vector<std::int64_t>> position_sets(std::int64_t k, std::int64_t most) {
  std::vector<std::vector<std::int64_t>> sets{{}};
  for (std::size_t s = 0; s < sets.size(); ++s) {
    if (static_cast<std::int64_t>(sets[s].size()) == most) continue;
    for (std::int64_t next = sets[s].empty() ? 0 : sets[s].back() + 1; next < k; ++next) {
      std::vector<std::int64_t> larger = sets[s];
      larger.push_back(next);
      sets.push_back(std::move(larger));
    }
  }
  return sets;
}

}  // namespace

KmerExtractor::KmerExtractor(std::int64_t k, std::span<const double> weight, std::int64_t max_entries)
    : k_(k),
      weight_(weight.begin(), weight.end()),
      max_entries_(max_entries),
      sets_(std::make_shared<const std::vector<std::vector<std::int64_t>>>(
          position_sets(k, static_cast<std::int64_t>(weight.size()) - 1))) {}

void KmerExtractor::check_size(std::int64_t n_kmers) const {
  const auto n_sets = static_cast<std::int64_t>(sets_->size());
  if (n_kmers <= max_entries_ / n_sets) return;
  throw std::length_error(std::to_string(n_kmers) + " k-mers with " + std::to_string(n_sets) +
                          " sets of mismatching positions each exceed the limit of " +
                          std::to_string(max_entries_) +
                          " entries; use a smaller k, fewer mismatches or fewer items at a time");
}

FeatureTable kmer_features(const Sequences& items, std::int64_t k, std::span<const double> weight,
                           std::int64_t max_entries) {
  FeatureTable table;
  KmerExtractor extract(k, weight, max_entries);
  Vocabulary vocabulary;
  FeatureCounts counts, kmers;
  if (weight.size() == 1) {
    for (std::int64_t item = 0; item < items.size(); ++item) {
      counts.clear();
      extract(items[item], vocabulary, counts);
      counts.append_row(table);
    }
    table.weight = vocabulary.weights();
    return table;
  }
  // Many items share k-mers: the patterns of each are looked up once.
  std::int64_t n_kmers = 0;
  std::vector<std::int64_t> known;  // of a k-mer: where its patterns stand, or -1
  std::vector<std::int32_t> patterns;
  for (std::int64_t item = 0; item < items.size(); ++item) {
    kmers.clear();
    extract.count_kmers(items[item], vocabulary, kmers);
    n_kmers += static_cast<std::int64_t>(kmers.entries().size());
    extract.check_size(n_kmers);
    known.resize(vocabulary.size(), -1);
    counts.clear();
    for (std::size_t i = 0; i < kmers.entries().size(); ++i) {
      const FeatureCount& kmer = kmers.entries()[i];
      if (known[kmer.feature] < 0) {
        known[kmer.feature] = static_cast<std::int64_t>(patterns.size());
        for (std::size_t s = 0; s < extract.sets_->size(); ++s)
          patterns.push_back(
              extract.pattern(items[item].subspan(extract.place_[i], k), kmer.feature, s, vocabulary));
      }
      const std::int32_t* const own = patterns.data() + known[kmer.feature];
      for (std::size_t s = 0; s < extract.sets_->size(); ++s)
        if (extract.weight_of_set(s) != 0) counts.add(own[s], extract.weight_of_set(s), kmer.count);
    }
    counts.append_row(table);
  }
  table.weight = vocabulary.weights();
  return table;
}

}  // namespace hedgerow::kernels
