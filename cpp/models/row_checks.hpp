// Whether the arrays of a sparse matrix are what learners and kernels rely on.
#pragma once

#include <cstdint>
#include <span>

namespace hedgerow::models {

// Whether each row begins where the one before ends.
template <class Begin>
bool rows_follow(std::span<const Begin> begin, std::size_t entries) {
  if (begin.empty() || begin.front() != 0 || static_cast<std::size_t>(begin.back()) != entries) return false;
  for (std::size_t row = 0; row + 1 < begin.size(); ++row)
    if (begin[row] > begin[row + 1]) return false;
  return true;
}

// Throws std::invalid_argument unless these can be the arrays of rows so wide. Indices are not looked at.
void check_rows(std::span<const std::int64_t> begin, std::size_t indices, std::size_t values,
                std::int64_t width);

// Whether indices increase within each row and lie in [0, width); rows must follow.
bool indices_in_order(std::span<const std::int32_t> begin, std::span<const std::int32_t> index,
                      std::int64_t width);

bool all_finite(std::span<const double> values);
bool all_at_most(std::span<const double> values, double largest);  // in size

}  // namespace hedgerow::models
