// The k-mers of sequences, with and without wildcards, as features.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/feature_table.hpp"
#include "kernels/strings.hpp"
#include "kernels/vocabulary.hpp"

namespace hedgerow::kernels {

// Every k-mer counts once for each set of up to J of its positions, with the symbols there forgotten;
// weight[j] weights those with j wildcards, j = 0 ... J. One weight: plain k-mers.
class KmerExtractor {
 public:
  using Item = std::span<const std::int32_t>;

  // More than `max_entries` k-mers and sets of positions in one item are refused with a length_error.
  KmerExtractor(std::int64_t k, std::span<const double> weight, std::int64_t max_entries);

  template <class Names>
  void operator()(Item symbols, Names& names, FeatureCounts& counts) {
    if (sets_->size() == 1) {
      count_kmers(symbols, names, counts);
      return;
    }
    kmers_.clear();
    count_kmers(symbols, names, kmers_);
    check_size(static_cast<std::int64_t>(kmers_.entries().size()));
    for (std::size_t i = 0; i < kmers_.entries().size(); ++i) {
      const FeatureCount& kmer = kmers_.entries()[i];
      for (std::size_t s = 0; s < sets_->size(); ++s) {
        if (weight_of_set(s) == 0) continue;
        counts.add(pattern(symbols.subspan(place_[i], k_), kmer.feature, s, names), weight_of_set(s),
                   kmer.count);
      }
    }
  }

 private:
  friend FeatureTable kmer_features(const Sequences& items, std::int64_t k, std::span<const double> weight,
                                    std::int64_t max_entries);

  static constexpr std::int32_t wildcard = -1;
  static constexpr std::int64_t longest_key = 8;

  double weight_of_set(std::size_t set) const { return weight_[(*sets_)[set].size()]; }
  void check_size(std::int64_t n_kmers) const;

  // Counts k-mers, and sets place_ to where each of the distinct ones stands first. Long k-mers are named by
  // pairs of overlapping shorter ones, so that a large k costs neither time nor memory.
  template <class Names>
  void count_kmers(Item symbols, Names& names, FeatureCounts& counts) {
    place_.clear();
    if (static_cast<std::int64_t>(symbols.size()) < k_) return;
    const std::size_t n = symbols.size();
    const auto short_length = static_cast<std::size_t>(std::min(k_, longest_key));
    const bool is_short = k_ <= longest_key;
    name_.resize(n);
    for (std::size_t i = 0; i + short_length <= n; ++i)
      name_[i] = names.intern(symbols.subspan(i, short_length), is_short ? weight_[0] : 0.0);
    for (std::size_t length = short_length, k = static_cast<std::size_t>(k_); length < k;) {
      const std::size_t step = std::min(length, k - length);
      length += step;
      for (std::size_t i = 0; i + length <= n; ++i)
        name_[i] = names.intern(std::array{static_cast<std::int32_t>(length), name_[i], name_[i + step]},
                                length == k ? weight_[0] : 0.0);
    }
    for (std::size_t i = 0; i + static_cast<std::size_t>(k_) <= n; ++i)
      if (counts.add(name_[i], weight_[0])) place_.push_back(i);
  }

  // The feature of a k-mer with wildcards at a set of positions.
  template <class Names>
  std::int32_t pattern(Item kmer, std::int32_t name, std::size_t set, Names& names) {
    if ((*sets_)[set].empty()) return name;
    pattern_.assign(kmer.begin(), kmer.end());
    for (std::int64_t position : (*sets_)[set]) pattern_[position] = wildcard;
    return names.intern(pattern_, weight_of_set(set));
  }

  std::int64_t k_;
  std::vector<double> weight_;
  std::int64_t max_entries_;
  // Positions with wildcards, none first. There may be many sets, and there are copies for each thread.
  std::shared_ptr<const std::vector<std::vector<std::int64_t>>> sets_;

  // scratch
  std::vector<std::int32_t> name_, pattern_;
  std::vector<std::size_t> place_;
  FeatureCounts kmers_;
};

FeatureTable kmer_features(const Sequences& items, std::int64_t k, std::span<const double> weight,
                           std::int64_t max_entries);

}  // namespace hedgerow::kernels
