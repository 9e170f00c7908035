#include "neighbors/part_lists.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hedgerow::neighbors {

float rounded_up(double share) {
  constexpr float smallest = 1e-18F;
  return std::max(smallest,
                  std::nextafter(static_cast<float>(share), std::numeric_limits<float>::infinity()));
}

void PartLists::append(const Described& tree, const IndexedKernel& kernel) {
  double square = 0;
  if (tree.has_bounds)
    for (const Part& part : tree.parts) square += kernel.length(part) * kernel.length(part);
  unit_.push_back(square > 0 ? 1 / std::sqrt(square) : 0);
  if (tree.has_bounds) {
    for (const Part& part : tree.parts) {
      group_.push_back(part.group);
      Amount amount;
      if (kernel.feature_weights())
        amount.count = static_cast<std::int32_t>(part.length);
      else
        amount.share = rounded_up(part.length * unit_.back());
      amount_.push_back(amount);
    }
  }
  begin_.push_back(static_cast<std::int64_t>(group_.size()));
}

void PartLists::list_if_worth_it(const IndexedKernel& kernel) {
  // Every search looks at all trees that are in no list; to list all trees anew takes time, too.
  constexpr std::int32_t few = 256, share = 32;
  if (trees() - listed_ > few + listed_ / share) list_all(kernel);
}

void PartLists::list_all(const IndexedKernel& kernel) {
  const std::int32_t groups = kernel.groups();
  list_begin_.assign(static_cast<std::size_t>(groups) + 1, 0);
  largest_.assign(groups, 0);
  for (const std::int32_t group : group_) ++list_begin_[group + 1];
  for (std::int32_t g = 0; g < groups; ++g) list_begin_[g + 1] += list_begin_[g];
  postings_ = {};  // before there are others: both may not fit into memory
  postings_.resize(group_.size());
  std::vector<std::int64_t> next(list_begin_.begin(), list_begin_.end() - 1);
  for (std::int32_t tree = 0; tree < trees(); ++tree)
    for (std::int64_t i = begin_[tree]; i < begin_[tree + 1]; ++i) {
      const std::int32_t group = group_[i];
      const float share =
          kernel.feature_weights()
              ? rounded_up(kernel.length({group, static_cast<double>(amount_[i].count)}) * unit_[tree])
              : amount_[i].share;
      postings_[next[group]++] = {tree, share};
      largest_[group] = std::max(largest_[group], share);
    }
  listed_ = trees();
}

}  // namespace hedgerow::neighbors
