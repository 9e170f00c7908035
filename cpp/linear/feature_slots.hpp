// FeatureSlots: small numbers, from 1, for a changing set of features, however wide the vectors are.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace hedgerow::linear {

class FeatureSlots {
 public:
  static constexpr std::int32_t none = 0;  // the slot of a feature that is not in the set

  FeatureSlots() { rebuild(64); }

  // The feature of each slot, that of slot 1 first.
  const std::vector<std::int32_t>& features() const { return features_; }
  std::int32_t size() const { return static_cast<std::int32_t>(features_.size()); }

  std::int32_t find(std::int32_t feature) const { return places_[place(feature)].slot; }
  std::int32_t add(std::int32_t feature) {
    Place& found = places_[place(feature)];
    if (found.slot != none) return found.slot;
    features_.push_back(feature);
    found = {feature, size()};
    const std::int32_t slot = found.slot;
    if (4 * features_.size() > places_.size()) rebuild(2 * places_.size());
    return slot;
  }
  // From now on the set is these features, in the order of their slots.
  void assign(std::vector<std::int32_t> features) {
    features_ = std::move(features);
    rebuild(std::bit_ceil(std::max<std::size_t>(64, 4 * features_.size())));
  }

 private:
  struct Place {
    std::int32_t feature = 0, slot = none;
  };

  // Where the feature is, or would be.
  std::size_t place(std::int32_t feature) const {
    const std::size_t mask = places_.size() - 1;
    auto at = static_cast<std::size_t>((static_cast<std::uint64_t>(feature) * 0x9E3779B97F4A7C15u) >> 32);
    for (at &= mask; places_[at].slot != none && places_[at].feature != feature;) at = (at + 1) & mask;
    return at;
  }
  void rebuild(std::size_t size) {
    places_.assign(size, Place{});
    for (std::size_t i = 0; i < features_.size(); ++i)
      places_[place(features_[i])] = {features_[i], static_cast<std::int32_t>(i + 1)};
  }

  std::vector<std::int32_t> features_;
  std::vector<Place> places_;  // a power of two, at most a quarter of them full, so that few look-ups collide
};

}  // namespace hedgerow::linear
