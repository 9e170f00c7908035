// ListCounts: how often the candidates of one list have which features.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace hedgerow::features {

class ListCounts {
 public:
  struct Count {
    std::int32_t feature;  // its number in this list
    std::int32_t count;
  };

  void clear() {
    keys_.clear();
    least_.clear();
    largest_.clear();
    present_.clear();
    counts_.clear();
    begin_.assign(1, 0);
    std::fill(slots_.begin(), slots_.end(), none);
  }

  // Counts a feature in the candidate under way; keys are spread evenly over their 64 bits, or small.
  void add(std::uint64_t key, std::int32_t count) {
    const std::int32_t feature = number(key);
    if (current_[feature] == 0) counts_.push_back({feature, 0});
    current_[feature] += count;
  }
  void end_candidate() {
    for (std::size_t i = begin_.back(); i < counts_.size(); ++i) {
      auto& [feature, count] = counts_[i];
      count = std::exchange(current_[feature], 0);
      least_[feature] = present_[feature] == 0 ? count : std::min(least_[feature], count);
      largest_[feature] = std::max(largest_[feature], count);
      ++present_[feature];
    }
    begin_.push_back(counts_.size());
  }

  std::size_t candidates() const { return begin_.size() - 1; }
  std::size_t features() const { return keys_.size(); }
  std::uint64_t key(std::size_t feature) const { return keys_[feature]; }
  // The least number that any candidate has of a feature.
  std::int32_t least(std::size_t feature) const {
    return static_cast<std::size_t>(present_[feature]) < candidates() ? 0 : least_[feature];
  }
  bool varies(std::size_t feature) const { return least(feature) < largest_[feature]; }
  // The features of a candidate.
  const Count* begin(std::size_t candidate) const { return counts_.data() + begin_[candidate]; }
  const Count* end(std::size_t candidate) const { return counts_.data() + begin_[candidate + 1]; }

 private:
  static constexpr std::int32_t none = -1;

  std::int32_t number(std::uint64_t key) {
    if (2 * (keys_.size() + 1) > slots_.size()) grow();
    std::size_t slot = place(key);
    for (; slots_[slot] != none; slot = (slot + 1) & (slots_.size() - 1))
      if (keys_[slots_[slot]] == key) return slots_[slot];
    slots_[slot] = static_cast<std::int32_t>(keys_.size());
    keys_.push_back(key);
    least_.push_back(0);
    largest_.push_back(0);
    present_.push_back(0);
    if (current_.size() < keys_.size()) current_.push_back(0);
    return slots_[slot];
  }
  std::size_t place(std::uint64_t key) const { return (key ^ (key >> 32)) & (slots_.size() - 1); }
  void grow() {
    slots_.assign(std::max<std::size_t>(1024, 2 * slots_.size()), none);
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      std::size_t slot = place(keys_[i]);
      while (slots_[slot] != none) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = static_cast<std::int32_t>(i);
    }
  }

  std::vector<std::uint64_t> keys_;
  std::vector<std::int32_t> least_, largest_, present_;  // by feature; of the candidates that have it
  std::vector<std::int32_t> current_;                    // counts of the candidate under way
  std::vector<std::int32_t> slots_;                      // numbers of features, by key
  std::vector<Count> counts_;
  std::vector<std::size_t> begin_{0};
};

}  // namespace hedgerow::features
