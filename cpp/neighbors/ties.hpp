// Neighbours that are equally near but for rounding, in the order that rows of kernel values give them.
//
// A pair of trees alone and a matrix add up the same numbers in different orders. Where scores are so close
// that this may change which neighbour comes first, they are replaced by those of a row of a matrix.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "data/forest.hpp"
#include "neighbors/search.hpp"

namespace hedgerow::neighbors {

struct Ties {
  std::function<double(const Neighbor&)> rounding;  // how far off a score may be
  std::function<data::TreeView(std::int32_t)> tree;
  // Scores as rows have them.
  std::function<std::vector<double>(std::span<const std::int32_t>)> row;

  // `found`, the best first, holds what may be among the best; afterwards the order may be another.
  void settle(std::vector<Neighbor>& found, double least) const;
};

}  // namespace hedgerow::neighbors
