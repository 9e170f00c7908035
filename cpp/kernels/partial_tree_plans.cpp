#include "kernels/partial_tree_plans.hpp"

#include <algorithm>

namespace hedgerow {
namespace {

constexpr std::size_t most_bytes = std::size_t{128} << 20;

// A pair of children, by number, as one number.
constexpr std::int32_t place_bits = 12;
constexpr std::size_t most_pairs = std::size_t{1} << place_bits;

std::int32_t pair_of(std::size_t left, std::size_t right) {
  return static_cast<std::int32_t>(left << place_bits | right);
}

}  // namespace

template <class Real>
std::size_t PartialTreePlans<Real>::Plan::bytes() const {
  return sizeof(Plan) + matches.capacity() * sizeof(Match) + child_labels.capacity() * 12;
}

template <class Real>
const typename PartialTreePlans<Real>::Plan& PartialTreePlans<Real>::plan_for(const TreeView& x,
                                                                              std::int32_t node) {
  if (bytes_ + cells_.size() * sizeof(Cell) + earlier_.size() * sizeof(EarlierCell) > most_bytes) {
    plans_.clear();
    bytes_ = 0;
    patterns_ = {};
    first_cell_.clear();
    cells_.clear();
    earlier_.clear();
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
      Match match{block, 0, 0};
      if (find_pairs(x, node, index_.child_labels(index_.block(block)))) {
        const std::int32_t pattern = patterns_.intern(pairs_);
        if (static_cast<std::size_t>(pattern) == first_cell_.size()) add_pattern();
        match.first_cell = first_cell_[pattern];
        match.n_cells = static_cast<std::int32_t>(pairs_.size());
      }
      plan.matches.push_back(match);
    }
  }
  plan.placed_productions = index_.placed_productions();
}

template <class Real>
bool PartialTreePlans<Real>::find_pairs(const TreeView& x, std::int32_t node,
                                        std::span<const std::int32_t> labels) {
  const auto children = x.children(node);
  const std::size_t k1 = children.size(), k2 = labels.size();
  const std::size_t bound = static_cast<std::size_t>(index_.parameters().max_length);
  if (k1 * k2 >= most_pairs || (bound > 0 && bound < std::min(k1, k2))) return false;
  pairs_.clear();
  for (std::size_t i = 0; i < k1; ++i) {
    const std::int32_t label = x.label[children[i]];
    for (std::size_t j = 0; j < k2; ++j)
      if (labels[j] == label) pairs_.push_back(pair_of(i, j));
  }
  return pairs_.size() <= most_cells;
}

// Adds the pattern of pairs_.
template <class Real>
void PartialTreePlans<Real>::add_pattern() {
  const auto first = static_cast<std::int32_t>(cells_.size());
  first_cell_.push_back(first);
  for (std::int32_t pair : pairs_) {
    Cell cell{pair >> place_bits, pair & ((1 << place_bits) - 1), static_cast<std::int32_t>(earlier_.size()),
              0};
    for (std::size_t b = first; b < cells_.size(); ++b) {
      const Cell& other = cells_[b];
      if (other.left >= cell.left || other.right >= cell.right) continue;
      const std::size_t gaps = (cell.left - other.left - 1) + (cell.right - other.right - 1);
      while (powers_.size() <= gaps)
        powers_.push_back(powers_.empty() ? 1 : powers_.back() * index_.parameters().decay);
      earlier_.push_back({static_cast<std::int32_t>(b) - first, static_cast<Real>(powers_[gaps])});
      ++cell.n_earlier;
    }
    cells_.push_back(cell);
  }
}

template class PartialTreePlans<float>;
template class PartialTreePlans<double>;
template class PartialTreePlans<Wide>;

}  // namespace hedgerow
