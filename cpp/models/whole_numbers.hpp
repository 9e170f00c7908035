// Dot products of vectors of small whole numbers, which need a byte for each value instead of eight.
#pragma once

#include <cstdint>
#include <span>

namespace hedgerow::models {

// Whether the values are whole, fit into a byte, and have so small a sum of squares that no partial sum of
// the dot product with another such vector leaves the range of 16 bits.
bool are_small_and_whole(std::span<const double> values);

// Sets out[s] to start[s] + the sum over j of factor[j] * column[j][s], for s below n. `start` is
// overwritten.
void add_whole_columns(std::span<const std::int8_t* const> column, const std::int16_t* factor, std::int64_t n,
                       std::int16_t* start, double* out);

}  // namespace hedgerow::models
