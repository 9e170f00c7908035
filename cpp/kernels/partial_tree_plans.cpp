#include "kernels/partial_tree_plans.hpp"

#include <algorithm>

namespace hedgerow {
namespace {

constexpr std::size_t most_bytes = std::size_t{128} << 20;

}  // namespace

template <class Real>
std::size_t PartialTreePlans<Real>::Plan::bytes() const {
  return sizeof(Plan) + matches.capacity() * sizeof(Match) + cells.capacity() * sizeof(Cell) +
         earlier.capacity() * sizeof(EarlierCell) + child_labels.capacity() * 12;
}

template <class Real>
const typename PartialTreePlans<Real>::Plan& PartialTreePlans<Real>::plan_for(const TreeView& x,
                                                                              std::int32_t node) {
  if (bytes_ > most_bytes) {
    plans_.clear();
    bytes_ = 0;
  }
  auto [entry, added] = plans_.try_emplace(x.production[node]);
  Plan& plan = entry->second;
  if (!added) {
    if (plan.placed_productions == index_.placed_productions()) return plan;
    bytes_ -= plan.bytes();
    if (!plan.all_known) plan = {};  // a label may have become known
  }
  extend(plan, x, node);
  bytes_ += plan.bytes();
  return plan;
}

template <class Real>
void PartialTreePlans<Real>::forget_unknown() {
  std::erase_if(plans_, [&](const auto& entry) {
    if (entry.first >= 0) return false;
    bytes_ -= entry.second.bytes();
    return true;
  });
}

template <class Real>
void PartialTreePlans<Real>::extend(Plan& plan, const TreeView& x, std::int32_t node) {
  if (plan.child_labels.empty()) {
    for (std::int32_t child : x.children(node)) plan.child_labels.push_back(x.label[child]);
    std::sort(plan.child_labels.begin(), plan.child_labels.end());
    plan.child_labels.erase(std::unique(plan.child_labels.begin(), plan.child_labels.end()),
                            plan.child_labels.end());
    plan.seen.assign(plan.child_labels.size(), 0);
    plan.all_known = plan.child_labels[0] >= 0;
  }
  ++extensions_;
  for (std::size_t c = 0; c < plan.child_labels.size(); ++c) {
    const auto* blocks = index_.blocks_with_child(x.label[node], plan.child_labels[c]);
    if (!blocks) continue;
    for (; plan.seen[c] < blocks->size(); ++plan.seen[c]) {
      const std::int32_t block = (*blocks)[plan.seen[c]];
      // A production with several of the labels is in several lists, but new in all of them at once.
      if (static_cast<std::size_t>(block) >= block_stamp_.size()) block_stamp_.resize(block + 1, 0);
      if (block_stamp_[block] == extensions_) continue;
      block_stamp_[block] = extensions_;
      add_match(plan, x, node, block);
    }
  }
  plan.placed_productions = index_.placed_productions();
}

template <class Real>
void PartialTreePlans<Real>::add_match(Plan& plan, const TreeView& x, std::int32_t node, std::int32_t block) {
  const auto labels = index_.child_labels(index_.block(block));
  const auto children = x.children(node);
  const std::size_t k1 = children.size(), k2 = labels.size();
  const std::size_t bound = static_cast<std::size_t>(index_.parameters().max_length);
  Match match{block, static_cast<std::int32_t>(plan.cells.size()), 0};
  const std::size_t first_earlier = plan.earlier.size();
  bool listed = k1 * k2 <= 4096 && (bound == 0 || bound >= std::min(k1, k2));
  for (std::size_t i = 0; listed && i < k1; ++i)
    for (std::size_t j = 0; listed && j < k2; ++j) {
      if (x.label[children[i]] != labels[j]) continue;
      Cell cell{static_cast<std::int32_t>(i), static_cast<std::int32_t>(j),
                static_cast<std::int32_t>(plan.earlier.size()), 0};
      for (std::int32_t b = 0; b < match.n_cells; ++b) {
        const Cell& other = plan.cells[match.first_cell + b];
        if (other.left >= cell.left || other.right >= cell.right) continue;
        const std::size_t gaps = (cell.left - other.left - 1) + (cell.right - other.right - 1);
        while (powers_.size() <= gaps)
          powers_.push_back(powers_.empty() ? 1 : powers_.back() * index_.parameters().decay);
        plan.earlier.push_back({b, static_cast<Real>(powers_[gaps])});
        ++cell.n_earlier;
      }
      plan.cells.push_back(cell);
      listed = ++match.n_cells < most_cells;
    }
  if (!listed) {
    plan.cells.resize(match.first_cell);
    plan.earlier.resize(first_earlier);
    match.n_cells = 0;
  }
  plan.matches.push_back(match);
}

template class PartialTreePlans<float>;
template class PartialTreePlans<double>;
template class PartialTreePlans<Wide>;

}  // namespace hedgerow
