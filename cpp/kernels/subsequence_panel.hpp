// Gapped subsequences of one sequence and several others at once, one a vector lane.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/strings.hpp"

namespace hedgerow::kernels {

constexpr int panel_lanes = 8;  // items in a panel: two vectors of four

// Up to Lanes items side by side: symbol[position * Lanes + lane]. Symbols are doubles so that comparing them
// gives masks of the width of the values.
template <int Lanes>
struct SequencePanel {
  std::vector<double> symbol;
  std::int64_t longest = 0;
  std::vector<std::int32_t> distinct;  // sorted

  SequencePanel() = default;
  explicit SequencePanel(std::span<const std::span<const std::int32_t>> items) {
    for (const auto& item : items) longest = std::max(longest, static_cast<std::int64_t>(item.size()));
    symbol.assign(longest * Lanes, -1.0);
    for (std::size_t lane = 0; lane < items.size(); ++lane) {
      const auto symbols = items[lane];
      for (std::size_t i = 0; i < symbols.size(); ++i) symbol[i * Lanes + lane] = symbols[i];
      distinct.insert(distinct.end(), symbols.begin(), symbols.end());
    }
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  }
};

// A symbol of s that stands in the panel, and decay^(symbols of s skipped before it, which do not).
struct SubsequenceEvent {
  double symbol;
  double catch_up;
};

// Scratch memory of one thread.
struct SubsequenceWorkspace {
  std::vector<SubsequenceEvent> events;
  std::vector<double> prefix;
};

// Sets total[lane] to the value of s and each item of the panel.
template <int Lanes>
void compare_subsequences(std::span<const std::int32_t> s, const SequencePanel<Lanes>& panel,
                          const GappedSubsequences& kernel, SubsequenceWorkspace& work, double* total);

// The value of s with itself.
double subsequence_self_kernel(std::span<const std::int32_t> s, const GappedSubsequences& kernel,
                               SubsequenceWorkspace& work);

}  // namespace hedgerow::kernels
