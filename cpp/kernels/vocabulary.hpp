// Explicit features of items, one item at a time: their names, their weights and how often each occurs.
//
// A feature is known by a key, a sequence of numbers that may refer to features named before. An extractor
// describes an item by the same steps over either kind of names: a Vocabulary, which grows, or a
// FixedVocabulary, which must not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "data/sequence_table.hpp"
#include "kernels/feature_table.hpp"

namespace hedgerow::kernels {

class Vocabulary {
 public:
  std::int32_t size() const { return keys_.size(); }
  double weight(std::int32_t feature) const { return weight_[feature]; }
  const std::vector<double>& weights() const { return weight_; }

  std::int32_t find(std::span<const std::int32_t> key) const { return keys_.find(key); }
  std::int32_t intern(std::span<const std::int32_t> key, double weight) {
    const std::int32_t feature = keys_.intern(key);
    if (static_cast<std::size_t>(feature) == weight_.size()) weight_.push_back(weight);
    return feature;
  }
  void clear() {
    keys_.clear();
    weight_.clear();
  }

 private:
  data::SequenceTable<std::int32_t> keys_;
  std::vector<double> weight_;
};

// A vocabulary as it is; the features of one item that it lacks are numbered on from its size.
class FixedVocabulary {
 public:
  FixedVocabulary(const Vocabulary& known, Vocabulary& scratch) : known_(known), unknown_(scratch) {
    unknown_.clear();
  }

  double weight(std::int32_t feature) const {
    return feature < known_.size() ? known_.weight(feature) : unknown_.weight(feature - known_.size());
  }
  std::int32_t intern(std::span<const std::int32_t> key, double weight) {
    const std::int32_t feature = known_.find(key);
    return feature >= 0 ? feature : known_.size() + unknown_.intern(key, weight);
  }

 private:
  const Vocabulary& known_;
  Vocabulary& unknown_;
};

struct FeatureCount {
  std::int32_t feature;
  std::int32_t count;
  double weight;
};

// The features of an item, each once, in order of first occurrence: what is added up over them does not
// depend on how they are numbered.
class FeatureCounts {
 public:
  FeatureCounts() : slots_(64, empty) {}

  // Returns whether the feature is new.
  bool add(std::int32_t feature, double weight, std::int32_t count = 1) {
    std::size_t i = place_of(feature);
    for (; slots_[i] != empty; i = (i + 1) & (slots_.size() - 1))
      if (entries_[slots_[i]].feature == feature) {
        entries_[slots_[i]].count += count;
        return false;
      }
    slots_[i] = static_cast<std::int32_t>(entries_.size());
    entries_.push_back({feature, count, weight});
    if (2 * entries_.size() > slots_.size()) rehash(2 * slots_.size());
    return true;
  }
  // Counts the feature as one, however often it occurs.
  void add_once(std::int32_t feature, double weight) { add(feature, weight, has(feature) ? 0 : 1); }
  bool has(std::int32_t feature) const {
    for (std::size_t i = place_of(feature); slots_[i] != empty; i = (i + 1) & (slots_.size() - 1))
      if (entries_[slots_[i]].feature == feature) return true;
    return false;
  }
  void clear() {
    const bool too_large = slots_.size() > 64 && slots_.size() > 16 * entries_.size();
    entries_.clear();
    rehash(too_large ? slots_.size() / 4 : slots_.size());
  }

  std::span<const FeatureCount> entries() const { return entries_; }
  double self_kernel() const {
    double sum = 0;
    for (const FeatureCount& e : entries_) sum += e.weight * e.count * e.count;
    return sum;
  }
  void append_row(FeatureTable& table) const {
    for (const FeatureCount& e : entries_) {
      table.feature.push_back(e.feature);
      table.value.push_back(e.count);
    }
    table.row_begin.push_back(static_cast<std::int64_t>(table.feature.size()));
  }

 private:
  static constexpr std::int32_t empty = -1;

  std::size_t place_of(std::int32_t feature) const {
    return (static_cast<std::uint64_t>(feature) * 0x9E3779B97F4A7C15ull >> 32) & (slots_.size() - 1);
  }
  void rehash(std::size_t size) {
    slots_.assign(size, empty);
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      std::size_t i = place_of(entries_[e].feature);
      while (slots_[i] != empty) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = static_cast<std::int32_t>(e);
    }
  }

  std::vector<FeatureCount> entries_;
  std::vector<std::int32_t> slots_;  // open addressing; the number of slots is a power of two
};

}  // namespace hedgerow::kernels
