// Sums of many sparse rows, by threads that share the coordinates: each is added up in the order of the rows,
// so that sums do not depend on the threads.
#pragma once

#include "structured/space.hpp"

namespace hedgerow::structured {

struct Term {
  SparseVector row;
  double factor = 1;
};

// sum += factor * row, for all of them. The sum must be long enough for all indices.
void add_rows(std::span<const Term> terms, std::span<double> sum, int threads);

// Moves what is not 0 out of a dense vector, which is 0 afterwards.
void take_nonzeros(std::span<double> dense, std::vector<std::int32_t>& indices, std::vector<double>& values,
                   int threads);

}  // namespace hedgerow::structured
