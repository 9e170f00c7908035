#include "kernels/lone_tree.hpp"

#include <type_traits>

namespace hedgerow::kernels {

template <class Parameters>
void LoneTree<Parameters>::set(const data::TreeView& tree) {
  std::apply([](auto&... row) { (row.reset(), ...); }, rows_);
  index_.reset();
  forest_ = data::renamed({&tree, 1});
  index_.emplace(parameters_, forest_);
  index_->insert_until(1);
}

template <class Parameters>
template <class Real>
Real LoneTree<Parameters>::value(const data::TreeView& y, [[maybe_unused]] Real* of_label) {
  auto& row = std::get<std::optional<Row<Real>>>(rows_);
  if (!row) row.emplace(**index_);
  if constexpr (std::is_same_v<Parameters, PartialTreeParameters>) {
    return row->add_by_label(y, of_label);
  } else {
    Real result(0);
    row->add(y, &result);
    return result;
  }
}

template class LoneTree<SubsetTreeParameters>;
template class LoneTree<PartialTreeParameters>;
template double LoneTree<SubsetTreeParameters>::value(const data::TreeView&, double*);
template Wide LoneTree<SubsetTreeParameters>::value(const data::TreeView&, Wide*);
template double LoneTree<PartialTreeParameters>::value(const data::TreeView&, double*);
template Wide LoneTree<PartialTreeParameters>::value(const data::TreeView&, Wide*);

}  // namespace hedgerow::kernels
