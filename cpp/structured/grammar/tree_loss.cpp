#include "structured/grammar/tree_loss.hpp"

#include <algorithm>
#include <cmath>

namespace hedgerow::structured::grammar {

double tree_loss(TreeLoss loss, std::int32_t true_brackets, BracketCounts counts) {
  const std::int32_t both = true_brackets + counts.all;
  switch (loss) {
    case TreeLoss::f1:
      return both == 0 ? 0.0 : 1.0 - 2.0 * counts.matched / both;
    case TreeLoss::brackets:
      return both - 2.0 * counts.matched;
    default:
      return 1;
  }
}

void LossTable::fill(TreeLoss loss, bool root, std::int32_t true_brackets, std::int64_t most_brackets) {
  true_brackets_ = true_brackets;
  width_ = static_cast<std::int32_t>(most_brackets) + 1;
  heights_.assign(static_cast<std::size_t>(true_brackets + 1) * width_, 0.0);
  for (std::int32_t matched = 0; matched <= true_brackets; ++matched)
    for (std::int32_t all = matched; all < width_; ++all) {
      const double height = tree_loss(loss, true_brackets, {matched, all});
      heights_[matched * width_ + all] = root ? std::sqrt(height) : height;
    }
}

LossTable::Plane LossTable::above(BracketCounts point) const {
  const auto& at = *this;
  Plane plane{0, 0, 0};
  // One bracket less in common, and one more.
  if (point.matched > 0)
    plane.match = at(point) - at({point.matched - 1, point.all});
  else if (true_brackets_ > 0 && point.all > 0)
    plane.match = at({1, point.all}) - at(point);
  if (point.all + 1 < width_) plane.bracket = at({point.matched, point.all + 1}) - at(point);
  double highest = 0;
  for (std::int32_t matched = 0; matched <= true_brackets_; ++matched)
    for (std::int32_t all = matched; all < width_; ++all)
      highest = std::max(highest, at({matched, all}) - plane.match * matched - plane.bracket * all);
  plane.constant = highest;
  return plane;
}

}  // namespace hedgerow::structured::grammar
