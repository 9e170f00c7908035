// What evaluates the tree kernels that have a collapsed index, by their parameters.
#pragma once

#include <vector>

#include "kernels/partial_tree_row.hpp"
#include "kernels/subset_tree_row.hpp"
#include "kernels/tree_pairs.hpp"

namespace hedgerow::kernels {

// Rows of a collapsed index, and flat pairs.
template <class Parameters>
struct Evaluation;

template <>
struct Evaluation<SubsetTreeParameters> {
  using Index = SubsetTreeIndex;
  template <class Real>
  using Row = SubsetTreeRow<Real>;
  using Pairs = SubsetTreePairs;
};

template <>
struct Evaluation<PartialTreeParameters> {
  using Index = PartialTreeIndex;
  template <class Real>
  using Row = PartialTreeRow<Real>;
  using Pairs = PartialTreePairs;
};

// An index that the trees of a forest join in order. What can be prepared beside the computation of rows is.
template <class Parameters>
class GrowingIndex;

template <>
class GrowingIndex<SubsetTreeParameters> {
 public:
  GrowingIndex(const SubsetTreeParameters& parameters, const data::Forest& forest)
      : forest_(forest), index_(parameters), ids_(forest.node_count()) {}
  const SubsetTreeIndex& operator*() const { return index_; }

  void prepare_until(std::int64_t end) {
    for (; prepared_ < end; ++prepared_)
      index_.number(forest_[prepared_], ids_.data() + forest_.tree_begin[prepared_]);
  }
  void insert_until(std::int64_t end) {
    prepare_until(end);
    for (std::int64_t t = index_.size(); t < end; ++t)
      index_.insert(forest_[t], ids_.data() + forest_.tree_begin[t]);
  }

 private:
  const data::Forest& forest_;
  SubsetTreeIndex index_;
  std::vector<std::int32_t> ids_;
  std::int64_t prepared_ = 0;
};

template <>
class GrowingIndex<PartialTreeParameters> {
 public:
  GrowingIndex(const PartialTreeParameters& parameters, const data::Forest& forest)
      : forest_(forest), index_(parameters, forest.symbols), ids_(forest.node_count()) {
    index_.make_room(forest, ids_.data());
  }
  const PartialTreeIndex& operator*() const { return index_; }

  void prepare_until(std::int64_t) {}
  void insert_until(std::int64_t end) {
    for (std::int64_t t = index_.size(); t < end; ++t)
      index_.insert(forest_[t], ids_.data() + forest_.tree_begin[t]);
  }

 private:
  const data::Forest& forest_;
  PartialTreeIndex index_;
  std::vector<std::int32_t> ids_;
};

}  // namespace hedgerow::kernels
