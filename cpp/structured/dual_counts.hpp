// The dual view of mistake-driven learners: how often each candidate of each example made an update.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "structured/space.hpp"

namespace hedgerow::structured {

// alpha_(i, y) of the thesis. A candidate is known by its difference of joint features, and rows of
// differences are stored one after another: w = sum of coefficients times rows.
class DualCounts {
 public:
  void add(std::int64_t example, SparseVector difference, double coefficient);
  // Takes up rows that others have stored.
  void resume(std::span<const double> coefficients, std::span<const std::int64_t> examples,
              std::span<const std::int64_t> begins, std::span<const std::int32_t> indices,
              std::span<const double> values);

  std::span<const double> coefficients() const { return coefficients_; }
  std::span<const std::int64_t> examples() const { return examples_; }
  std::span<const std::int64_t> begins() const { return begins_; }
  std::span<const std::int32_t> indices() const { return indices_; }
  std::span<const double> values() const { return values_; }
  std::size_t bytes() const { return 12 * values_.capacity() + 64 * examples_.capacity(); }

 private:
  std::vector<double> coefficients_;
  std::vector<std::int64_t> examples_, begins_ = {0};
  std::vector<std::int32_t> indices_;
  std::vector<double> values_;
  std::unordered_multimap<std::uint64_t, std::size_t> rows_;  // by hash
};

}  // namespace hedgerow::structured
