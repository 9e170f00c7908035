// Self-kernels of single trees, and what normalises the values of their kernels.
#pragma once

#include <cmath>
#include <memory>

#include "data/forest.hpp"
#include "kernels/tree_evaluation.hpp"
#include "kernels/tree_parameters.hpp"
#include "kernels/wide.hpp"

namespace hedgerow::kernels {

struct TreeNorm {
  double inverse = 0;  // 1 / sqrt(K(x, x)), or 0 when K(x, x) is 0; without meaning for extreme ones
  // Outside the comfortable range of doubles: whatever is divided by the norm needs wide numbers.
  bool is_extreme = false;
  Wide self;  // K(x, x), for extreme ones

  // Of K(x, x) as a double, which may be too large or too small to be one, and as `wide()` gives it.
  template <class GetWide>
  static TreeNorm of(double self, GetWide&& wide) {
    constexpr double smallest = 1e-250, largest = 1e250;
    if (self >= smallest && self <= largest) return {1 / std::sqrt(self), false, {}};
    const Wide exact = wide();
    return {0, !exact.is_zero(), exact};
  }
  double normalized_self() const { return is_extreme || inverse > 0 ? 1 : 0; }
  Wide wide_self() const {
    if (is_extreme) return self;
    return inverse == 0 ? Wide(0) : Wide(1 / (inverse * inverse));
  }
};

// Self-kernels of trees over one vocabulary, one tree after the other. One for each thread.
template <class Parameters>
class TreeSelfKernels {
 public:
  TreeSelfKernels(const Parameters& parameters, std::shared_ptr<const data::Symbols> symbols)
      : parameters_(parameters), symbols_(std::move(symbols)), pairs_(parameters, *symbols_) {}

  const std::shared_ptr<const data::Symbols>& symbols() const { return symbols_; }
  // K(tree, tree); infinite when that is too large for a double.
  double value(const data::TreeView& tree);
  TreeNorm norm(const data::TreeView& tree);

 private:
  Parameters parameters_;
  std::shared_ptr<const data::Symbols> symbols_;
  typename Evaluation<Parameters>::Pairs pairs_;
};

extern template class TreeSelfKernels<SubsetTreeParameters>;
extern template class TreeSelfKernels<PartialTreeParameters>;

}  // namespace hedgerow::kernels
