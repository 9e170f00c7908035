#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "data/sequence_table.hpp"
#include "kernels/strings.hpp"

namespace hedgerow {

namespace {

// A number for the k-mer that begins at each place, equal for equal k-mers and dense from 0; places with
// fewer than k symbols left in their item keep old numbers. Longer and longer mers are named by pairs of
// overlapping shorter ones, so that a large k costs neither time nor memory.
std::vector<std::int32_t> name_kmers(const Sequences& items, std::int64_t k) {
  std::vector<std::int32_t> names(items.symbols.begin(), items.symbols.end());
  for (std::int64_t length = 1; length < k;) {
    const std::int64_t step = std::min(length, k - length);
    length += step;
    SequenceTable<std::int32_t> pairs;
    for (std::int64_t item = 0; item < items.size(); ++item)
      for (std::int64_t i = items.begin[item]; i + length <= items.begin[item + 1]; ++i)
        names[i] = pairs.intern(std::array{names[i], names[i + step]});
  }
  return names;
}

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

void check_size(std::int64_t n_kmers, std::int64_t n_sets, std::int64_t max_entries) {
  if (n_kmers <= max_entries / n_sets) return;
  throw std::length_error(std::to_string(n_kmers) + " k-mers with " + std::to_string(n_sets) +
                          " sets of mismatching positions each exceed the limit of " +
                          std::to_string(max_entries) +
                          " entries; use a smaller k, fewer mismatches or fewer items at a time");
}

}  // namespace

KmerCounts count_kmers(const Sequences& items, std::int64_t k) {
  const std::vector<std::int32_t> names = name_kmers(items, k);
  KmerCounts result;
  std::vector<std::int32_t> found;
  for (std::int64_t item = 0; item < items.size(); ++item) {
    found.clear();
    for (std::int64_t i = items.begin[item]; i + k <= items.begin[item + 1]; ++i) {
      found.push_back(names[i]);
      if (names[i] >= static_cast<std::int32_t>(result.place.size())) result.place.resize(names[i] + 1, -1);
      if (result.place[names[i]] < 0) result.place[names[i]] = i;
    }
    std::sort(found.begin(), found.end());
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (i > 0 && found[i] == found[i - 1]) {
        ++result.table.value.back();
      } else {
        result.table.feature.push_back(found[i]);
        result.table.value.push_back(1);
      }
    }
    result.table.row_begin.push_back(static_cast<std::int64_t>(result.table.feature.size()));
  }
  result.table.weight.assign(result.place.size(), 1.0);
  return result;
}

FeatureTable add_wildcards(const Sequences& items, const KmerCounts& kmers, std::int64_t k,
                           std::span<const double> weight, std::int64_t max_entries) {
  constexpr std::int32_t wildcard = -1;
  const auto sets = position_sets(k, static_cast<std::int64_t>(weight.size()) - 1);
  const auto n_sets = static_cast<std::int64_t>(sets.size());
  check_size(static_cast<std::int64_t>(kmers.table.feature.size()), n_sets, max_entries);
  // The features of each distinct k-mer, once.
  FeatureTable result;
  SequenceTable<std::int32_t> patterns;
  std::vector<std::int32_t> pattern_of(kmers.place.size() * n_sets);
  std::vector<std::int32_t> pattern(k);
  for (std::size_t kmer = 0; kmer < kmers.place.size(); ++kmer) {
    if (kmers.place[kmer] < 0) continue;
    const auto symbols = items.symbols.subspan(kmers.place[kmer], k);
    for (std::int64_t s = 0; s < n_sets; ++s) {
      std::copy(symbols.begin(), symbols.end(), pattern.begin());
      for (std::int64_t position : sets[s]) pattern[position] = wildcard;
      const std::int32_t id = patterns.intern(pattern);
      if (id == static_cast<std::int32_t>(result.weight.size()))
        result.weight.push_back(weight[sets[s].size()]);
      pattern_of[kmer * n_sets + s] = id;
    }
  }
  // Then the items: k-mers that differ only at wildcards add up.
  std::vector<double> count(result.weight.size(), 0.0);
  std::vector<std::int32_t> touched;
  for (std::int64_t item = 0; item < items.size(); ++item) {
    touched.clear();
    for (std::int64_t e = kmers.table.row_begin[item]; e < kmers.table.row_begin[item + 1]; ++e)
      for (std::int64_t s = 0; s < n_sets; ++s) {
        const std::int32_t id = pattern_of[kmers.table.feature[e] * n_sets + s];
        if (result.weight[id] == 0) continue;
        if (count[id] == 0) touched.push_back(id);
        count[id] += kmers.table.value[e];
      }
    std::sort(touched.begin(), touched.end());
    for (std::int32_t id : touched) {
      result.feature.push_back(id);
      result.value.push_back(count[id]);
      count[id] = 0;
    }
    result.row_begin.push_back(static_cast<std::int64_t>(result.feature.size()));
  }
  return result;
}

}  // namespace hedgerow
