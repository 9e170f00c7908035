// Sparse vectors from numpy arrays.
#pragma once

#include <algorithm>
#include <functional>

#include "python/arrays.hpp"
#include "structured/space.hpp"

namespace hedgerow::python {

inline structured::SparseVector sparse_from(const ArrayIn<std::int32_t>& indices,
                                            const ArrayIn<double>& values) {
  const structured::SparseVector made{as_span(indices), as_span(values)};
  if (made.indices.size() != made.values.size()) throw std::invalid_argument("each index must have a value");
  if ((!made.indices.empty() && made.indices.front() < 0) ||
      std::ranges::adjacent_find(made.indices, std::greater_equal<>()) != made.indices.end())
    throw std::invalid_argument("indices must be increasing and not negative");
  return made;
}

}  // namespace hedgerow::python
