#include "structured/dual_counts.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace hedgerow::structured {

namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ull;
  return hash ^ (hash >> 32);
}

}  // namespace

void DualCounts::add(std::int64_t example, SparseVector difference, double coefficient) {
  std::uint64_t hash = mixed(0, static_cast<std::uint64_t>(example));
  for (const std::int32_t index : difference.indices) hash = mixed(hash, static_cast<std::uint64_t>(index));
  for (const double value : difference.values) hash = mixed(hash, std::bit_cast<std::uint64_t>(value));
  const auto [first, last] = rows_.equal_range(hash);
  for (auto row = first; row != last; ++row) {
    const std::size_t k = row->second;
    if (examples_[k] == example &&
        std::equal(indices_.begin() + begins_[k], indices_.begin() + begins_[k + 1],
                   difference.indices.begin(), difference.indices.end()) &&
        std::equal(values_.begin() + begins_[k], values_.begin() + begins_[k + 1], difference.values.begin(),
                   difference.values.end())) {
      coefficients_[k] += coefficient;
      return;
    }
  }
  rows_.emplace(hash, examples_.size());
  examples_.push_back(example);
  coefficients_.push_back(coefficient);
  indices_.insert(indices_.end(), difference.indices.begin(), difference.indices.end());
  values_.insert(values_.end(), difference.values.begin(), difference.values.end());
  begins_.push_back(static_cast<std::int64_t>(indices_.size()));
}

void DualCounts::resume(std::span<const double> coefficients, std::span<const std::int64_t> examples,
                        std::span<const std::int64_t> begins, std::span<const std::int32_t> indices,
                        std::span<const double> values) {
  const bool fits = examples.size() == coefficients.size() && begins.size() == coefficients.size() + 1 &&
                    values.size() == indices.size() && begins.front() == 0 &&
                    begins.back() == static_cast<std::int64_t>(indices.size()) &&
                    std::ranges::is_sorted(begins);
  if (!fits) throw std::invalid_argument("these are not the dual counts of a learner");
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    const auto begin = static_cast<std::size_t>(begins[k]);
    const auto length = static_cast<std::size_t>(begins[k + 1]) - begin;
    add(examples[k], {indices.subspan(begin, length), values.subspan(begin, length)}, coefficients[k]);
  }
}

}  // namespace hedgerow::structured
