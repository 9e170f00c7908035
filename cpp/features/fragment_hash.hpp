// Trees as sparse vectors: fragments of several families, each in the column that its hash says.
//
// Hashes depend on the texts of labels only, so a fragment has the same column in every forest.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/forest.hpp"
#include "features/hashed_rows.hpp"

namespace hedgerow::features {

// A fragment of a tree, by one of its nodes.
struct NamedFragment {
  std::int32_t column;
  bool negative;
  std::int32_t node;  // its top; of paths the lowest node, of leaves the first one
  std::int32_t last;  // of leaves the last one, else the same node
  std::string name;
};

// A fragment of a forest that has a column.
struct ColumnFragment {
  std::int32_t column;
  bool negative;
  std::int64_t trees;  // that have it
  std::string name;
};

// A family whose number is 0 is left out.
struct FragmentHashing {
  int bits = 20;
  int subtrees = 3;  // nodes with all that is below them, cut off below so many levels: 2 to this
  int paths = 4;     // chains of nodes downwards: of 1 to so many
  int leaves = 3;    // neighbouring leaves: 1 to so many
  bool productions = true, siblings = true;
  bool alternate_sign = true;
  Counts counts = Counts::binary;
  Norm norm = Norm::l2;

  // Throws std::invalid_argument.
  void check() const;
  HashedRows vectors(const data::Forest& forest, int threads) const;
  // All fragments of a tree, in the order of its nodes.
  std::vector<NamedFragment> names(const data::Forest& forest, std::int64_t tree) const;
  // The distinct fragments of a forest that have one of these columns, as they come.
  std::vector<ColumnFragment> behind(std::span<const std::int32_t> columns, const data::Forest& forest) const;
};

}  // namespace hedgerow::features
