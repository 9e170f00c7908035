// Sparse rows folded into a bounded number of columns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hedgerow::linear {

struct FoldedRows {
  std::vector<std::int64_t> begin;
  std::vector<std::int32_t> index;
  std::vector<double> value;
};

// Every feature j becomes j modulo the width, a power of two; the values of features that meet add up, and
// indices increase within each row. Begins must be in order and indices at least 0.
FoldedRows fold_rows(std::span<const std::int64_t> begin, std::span<const std::int64_t> index,
                     std::span<const double> value, std::int64_t width);

}  // namespace hedgerow::linear
