// What weights of input features by output features say of an input.
#pragma once

#include "structured/classes/sparse_rows.hpp"

namespace hedgerow::structured::classes {

// out[r] = sum over the features j of a row of value_j * weights[j p + r], for all r below p.
void output_scores(const SparseRow& row, const double* weights, std::int64_t p, double* out);

}  // namespace hedgerow::structured::classes
