// The loop over the scores of many predictors at many examples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hedgerow::linear {

// So many predictors at a time: their sums stay in registers, and a table of a few hundred features in the
// processor's nearest cache.
constexpr std::size_t voters = 32;

// What turns the sums of predictors into votes. Those that are not there count 0.
struct Voters {
  double factors[voters] = {}, constants[voters] = {};
  double counts[voters] = {};  // whole numbers
};

// An entry of a row: the place in the table where the weights of all predictors for its feature begin.
struct VoteEntry {
  std::size_t place;
  double value;
};

// Adds to the votes of each row the counts of the predictors whose scores, factor * sum + constant, are
// positive, less those of negative ones. Sums are those of value * weight, one entry after the other. Rows
// follow each other in `entries`, each up to its end.
void add_votes(const double* table, const Voters& group, std::span<const VoteEntry> entries,
               std::span<const std::size_t> ends, double* votes);

}  // namespace hedgerow::linear
