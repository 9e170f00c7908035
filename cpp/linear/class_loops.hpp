// Loops over the functions of a learner whose cells stand beside each other.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hedgerow::linear {

// The dot products of an example with n neighbouring columns of a table of cells, of which each begins with a
// weight, as CellRule::sum makes each of them, to the last bit: in four sums, sums[lane * n + column], which
// begin at 0. stride: cells from one feature to the next; width: numbers in a cell.
void add_entries(const double* table, std::int64_t stride, std::size_t width, const std::int32_t* feature,
                 const double* value, std::size_t entries, std::size_t n, double* sums);

}  // namespace hedgerow::linear
