// Sparse rows: whether they are in order, and how they are folded into a bounded number of columns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hedgerow {

// Whether rows begin where the one before ends, indices increase within a row and are below the width, and
// all values are finite.
bool is_canonical(std::span<const std::int32_t> begin, std::span<const std::int32_t> index,
                  std::span<const double> value, std::int64_t width);

struct FoldedRows {
  std::vector<std::int64_t> begin;
  std::vector<std::int32_t> index;
  std::vector<double> value;
};

// Every feature j becomes j modulo the width, a power of two; the values of features that meet add up, and
// indices increase within each row. Begins must be in order and indices at least 0.
FoldedRows fold_rows(std::span<const std::int64_t> begin, std::span<const std::int64_t> index,
                     std::span<const double> value, std::int64_t width);

}  // namespace hedgerow
