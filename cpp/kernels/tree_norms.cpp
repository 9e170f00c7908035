#include "kernels/tree_norms.hpp"

#include <cmath>

namespace hedgerow::kernels {
namespace {

// By a collapsed index of the tree's own: for large trees, whose parts repeat, and for numbers beyond the
// range of doubles.
template <class Real, class Parameters>
Total<Real> collapsed_self_kernel(const Parameters& parameters,
                                  const std::shared_ptr<const data::Symbols>& symbols,
                                  const data::TreeView& tree) {
  data::Forest alone;
  alone.symbols = symbols;
  alone.append(tree);
  GrowingIndex<Parameters> index(parameters, alone);
  index.insert_until(1);
  typename Evaluation<Parameters>::template Row<Real> row(*index);
  Total<Real> value(0);
  row.add(alone[0], &value);
  return value;
}

}  // namespace

template <class Parameters>
double TreeSelfKernels<Parameters>::value(const data::TreeView& tree) {
  constexpr std::int32_t large = 2000;  // nodes
  if (tree.size > large) return collapsed_self_kernel<double>(parameters_, symbols_, tree);
  return pairs_.with_itself(tree);
}

template <class Parameters>
TreeNorm TreeSelfKernels<Parameters>::norm(const data::TreeView& tree) {
  constexpr double smallest = 1e-250, largest = 1e250;
  const double self = value(tree);
  if (self >= smallest && self <= largest) return {1 / std::sqrt(self), false, {}};
  const Wide wide = collapsed_self_kernel<Wide>(parameters_, symbols_, tree);
  return {0, !wide.is_zero(), wide};
}

template class TreeSelfKernels<SubsetTreeParameters>;
template class TreeSelfKernels<PartialTreeParameters>;

}  // namespace hedgerow::kernels
