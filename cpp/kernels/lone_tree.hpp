// One tree, to be compared with many others, one after the other.
//
// It has a collapsed index and a vocabulary of its own, so that to compare it takes time by the size of the
// trees alone, however large the vocabulary is that they come from.
#pragma once

#include <optional>
#include <tuple>

#include "data/forest.hpp"
#include "kernels/tree_evaluation.hpp"
#include "kernels/wide.hpp"

namespace hedgerow::kernels {

template <class Parameters>
class LoneTree {
 public:
  explicit LoneTree(const Parameters& parameters) : parameters_(parameters) {}
  LoneTree(const LoneTree&) = delete;
  LoneTree& operator=(const LoneTree&) = delete;

  void set(const data::TreeView& tree);
  // The tree in the vocabulary of its own, which other trees have to be in as well.
  data::TreeView view() const { return forest_[0]; }
  // K(tree, y) as a double, infinite when that is too large, or Wide. Of partial trees, `of_label[label]`, if
  // given, is what the nodes of a label add.
  template <class Real>
  Real value(const data::TreeView& y, Real* of_label = nullptr);

 private:
  template <class Real>
  using Row = typename Evaluation<Parameters>::template Row<Real>;

  Parameters parameters_;
  data::Forest forest_;
  std::optional<GrowingIndex<Parameters>> index_;
  std::tuple<std::optional<Row<double>>, std::optional<Row<Wide>>> rows_;  // made when they are needed
};

extern template class LoneTree<SubsetTreeParameters>;
extern template class LoneTree<PartialTreeParameters>;

}  // namespace hedgerow::kernels
