// Loops over the scores of many predictors at one example.
#pragma once

#include <cstddef>

namespace hedgerow::linear {

// sums = the sum of value * row of the table, one entry after the other; rows are `width` apart, n numbers of
// each count.
void add_rows(const double* table, std::size_t width, const std::size_t* row, const double* value,
              std::size_t entries, std::size_t n, double* sums);

// The counts of the predictors whose scores, factor * sum + constant, are positive, less those of negative
// ones.
double count_votes(const double* sums, const double* factors, const double* constants, const double* counts,
                   std::size_t n);

}  // namespace hedgerow::linear
