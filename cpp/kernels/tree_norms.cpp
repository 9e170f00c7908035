#include "kernels/tree_norms.hpp"

#include "kernels/lone_tree.hpp"

namespace hedgerow::kernels {

template <class Parameters>
double TreeSelfKernels<Parameters>::value(const data::TreeView& tree) {
  constexpr std::int32_t large = 2000;  // nodes; parts of large trees repeat
  if (tree.size <= large) return pairs_.with_itself(tree);
  LoneTree<Parameters> alone(parameters_);
  alone.set(tree);
  return alone.template value<double>(alone.view());
}

template <class Parameters>
TreeNorm TreeSelfKernels<Parameters>::norm(const data::TreeView& tree) {
  return TreeNorm::of(value(tree), [&] {
    LoneTree<Parameters> alone(parameters_);
    alone.set(tree);
    return alone.template value<Wide>(alone.view());
  });
}

template class TreeSelfKernels<SubsetTreeParameters>;
template class TreeSelfKernels<PartialTreeParameters>;

}  // namespace hedgerow::kernels
