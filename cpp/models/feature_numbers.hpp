// Small numbers for the features that occur, however wide the vectors are.
#pragma once

#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <vector>

namespace hedgerow::models {

class FeatureNumbers {
 public:
  // Features of narrow vectors are their own numbers, which saves the look-up.
  explicit FeatureNumbers(std::int64_t width = 0) : narrow_(width <= widest_narrow) {
    if (!narrow_) return;
    features_.resize(width);
    std::iota(features_.begin(), features_.end(), 0);
  }

  // Features below a larger width may come from now on; those that have numbers keep them.
  void widen(std::int64_t width) {
    if (!narrow_) return;
    narrow_ = width <= widest_narrow;
    if (narrow_) {
      const std::int32_t before = size();
      features_.resize(width);
      std::iota(features_.begin() + before, features_.end(), before);
    } else {
      for (const std::int32_t feature : features_) numbers_.emplace(feature, feature);
    }
  }

  // The feature of each number.
  const std::vector<std::int32_t>& features() const { return features_; }
  std::int32_t size() const { return static_cast<std::int32_t>(features_.size()); }
  // -1 for a feature that was never added.
  std::int32_t find(std::int32_t feature) const {
    if (narrow_) return feature < size() ? feature : -1;
    const auto entry = numbers_.find(feature);
    return entry == numbers_.end() ? -1 : entry->second;
  }
  std::int32_t add(std::int32_t feature) {
    if (narrow_) return feature;
    const auto [entry, is_new] = numbers_.try_emplace(feature, size());
    if (is_new) features_.push_back(feature);
    return entry->second;
  }

 private:
  static constexpr std::int64_t widest_narrow = 1 << 16;

  bool narrow_;
  std::vector<std::int32_t> features_;
  std::unordered_map<std::int32_t, std::int32_t> numbers_;
};

}  // namespace hedgerow::models
