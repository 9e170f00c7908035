// The squares of a tree's lengths, by the names of groups.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/sequence_table.hpp"

namespace hedgerow::neighbors {

template <class Number>  // double, or Wide for trees that are beyond its range
class GroupSquares {
 public:
  void clear() {
    names_.clear();
    squares_.clear();
  }
  void add(std::span<const std::int32_t> name, const Number& square) {
    const std::int32_t id = names_.intern(name);
    if (static_cast<std::size_t>(id) == squares_.size()) squares_.push_back(Number(0));
    squares_[id] += square;
  }
  std::int32_t size() const { return names_.size(); }
  std::span<const std::int32_t> name(std::int32_t i) const { return names_[i]; }
  const Number& square(std::int32_t i) const { return squares_[i]; }

 private:
  data::SequenceTable<std::int32_t> names_;
  std::vector<Number> squares_;
};

}  // namespace hedgerow::neighbors
