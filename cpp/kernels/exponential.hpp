// exp of many numbers at once.
#pragma once

#include <cstdint>

namespace hedgerow::kernels {

// Replaces each of the n values by its exponential, to a relative error below 4e-16 wherever the result is a
// normal number; subnormal ones are rounded, smaller ones are 0, larger ones infinite. A value's result does
// not depend on its place.
void exponentials(double* values, std::int64_t n);

}  // namespace hedgerow::kernels
