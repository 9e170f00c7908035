#include "kernels/partial_tree_plans.hpp"

#include <algorithm>

namespace hedgerow::kernels {
namespace {

constexpr std::size_t most_bytes = std::size_t{128} << 20;

// A pair of children, by number, as one number.
constexpr std::int32_t place_bits = 12;
constexpr std::size_t most_pairs = std::size_t{1} << place_bits;

std::int32_t pair_of(std::size_t left, std::size_t right) {
  return static_cast<std::int32_t>(left << place_bits | right);
}
std::int32_t left_of(std::int32_t pair) { return pair >> place_bits; }
std::int32_t right_of(std::int32_t pair) { return pair & ((1 << place_bits) - 1); }

// A few pairs of early children are what most patterns are: these make one number. 0 for others.
std::uint64_t short_key(const std::vector<std::int32_t>& pairs) {
  if (pairs.size() > 8) return 0;
  std::uint64_t key = 0;
  for (std::int32_t pair : pairs) {
    const std::int32_t left = left_of(pair), right = right_of(pair);
    if (left >= 15 || right > 15) return 0;
    key = (key << 8) + static_cast<std::uint64_t>(16 * left + right + 1);
  }
  return key;
}

}  // namespace

template <class Real>
std::size_t PartialTreePlans<Real>::Plan::bytes() const {
  return sizeof(Plan) + matches.capacity() * sizeof(Match) + child_labels.capacity() * 12 + gathered_bytes;
}

template <class Real>
const typename PartialTreePlans<Real>::Plan& PartialTreePlans<Real>::plan_for(
    const data::TreeView& x, std::int32_t node, const PartialTreeIndex::Bucket& bucket) {
  if (bytes_ + cells_.size() * sizeof(Cell) + earlier_.size() * sizeof(EarlierCell<Real>) > most_bytes) {
    plans_.clear();
    bytes_ = 0;
    patterns_ = {};
    recent_ = {};
    first_cell_.clear();
    cells_.clear();
    earlier_.clear();
  }
  auto [entry, added] = plans_.try_emplace(x.production[node]);
  Plan& plan = entry->second;
  if (!added) {
    if (plan.seen_blocks == bucket.blocks) return plan;
    bytes_ -= plan.bytes();
    if (!plan.all_known) plan = {};  // a label may have become known
  }
  extend(plan, x, node);
  plan.seen_blocks = bucket.blocks;
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
void PartialTreePlans<Real>::extend(Plan& plan, const data::TreeView& x, std::int32_t node) {
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
      if (plan.seen[c] + 2 < blocks->size()) index_.prefetch((*blocks)[plan.seen[c] + 2]);
      // A production with several of the labels is in several lists, but new in all of them at once.
      if (static_cast<std::size_t>(block) >= block_stamp_.size()) block_stamp_.resize(block + 1, 0);
      if (block_stamp_[block] == extensions_) continue;
      block_stamp_[block] = extensions_;
      add_block(plan, x, node, block);
    }
  }
}

template <class Real>
void PartialTreePlans<Real>::add_block(Plan& plan, const data::TreeView& x, std::int32_t node,
                                       std::int32_t block_id) {
  const PartialTreeIndex::Block& block = index_.block(block_id);
  const bool first = plan.matches.empty() && plan.gathered.empty();
  plan.only_block = first ? block_id : PartialTreeIndex::none;
  if (!find_pairs(x, node, index_.child_labels(block))) {
    plan.matches.push_back({block_id, 0, 0});
    return;
  }
  const std::int32_t id = pattern();
  if (block.capacity == 1)
    gather(plan, id, block);
  else
    plan.matches.push_back({block_id, first_cell_[id], static_cast<std::int32_t>(pairs_.size())});
}

template <class Real>
typename PartialTreePlans<Real>::Gathered& PartialTreePlans<Real>::gathered_as(Plan& plan,
                                                                               std::int32_t pattern) {
  place_of_pattern_.resize(first_cell_.size());
  if (last_placed_ != extensions_) {
    last_placed_ = extensions_;
    for (std::size_t i = 0; i < plan.gathered.size(); ++i)
      place_of_pattern_[plan.gathered[i].pattern] = {extensions_, static_cast<std::int32_t>(i)};
  }
  Place& place = place_of_pattern_[pattern];
  if (place.extension != extensions_) {
    place = {extensions_, static_cast<std::int32_t>(plan.gathered.size())};
    plan.gathered.push_back({pattern, first_cell_[pattern], static_cast<std::int32_t>(pairs_.size())});
    plan.gathered_bytes += sizeof(Gathered);
  }
  return plan.gathered[place.place];
}

template <class Real>
void PartialTreePlans<Real>::gather(Plan& plan, std::int32_t pattern, const PartialTreeIndex::Block& block) {
  Gathered& group = gathered_as(plan, pattern);
  const std::size_t size = group.positions.size();
  if (size == static_cast<std::size_t>(group.capacity)) {
    const std::int32_t capacity = std::max(2 * group.capacity, PartialTreeIndex::lanes);
    std::vector<std::int32_t> wider(static_cast<std::size_t>(group.n_cells) * capacity, 0);
    for (std::int32_t c = 0; c < group.n_cells; ++c)
      std::copy_n(group.child_positions.begin() + std::ptrdiff_t{c} * group.capacity, size,
                  wider.begin() + std::ptrdiff_t{c} * capacity);
    plan.gathered_bytes += 4 * (wider.size() - group.child_positions.size() + capacity - group.capacity);
    group.child_positions = std::move(wider);
    group.capacity = capacity;
  }
  group.positions.push_back(block.first);
  const std::int32_t* const from = index_.child_positions(block);
  for (std::int32_t c = 0; c < group.n_cells; ++c)
    group.child_positions[static_cast<std::size_t>(c) * group.capacity + size] =
        from[cells_[group.first_cell + c].right];
}

template <class Real>
bool PartialTreePlans<Real>::find_pairs(const data::TreeView& x, std::int32_t node,
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
  return pairs_.size() <= static_cast<std::size_t>(most_cells);
}

template <class Real>
std::int32_t PartialTreePlans<Real>::pattern() {
  const std::uint64_t key = short_key(pairs_);
  Recent& recent = recent_[key * 0x9E3779B97F4A7C15u >> 54];
  if (key != 0 && recent.key == key) return recent.pattern;
  const std::int32_t id = patterns_.intern(pairs_);
  if (key != 0) recent = {key, id};
  if (static_cast<std::size_t>(id) < first_cell_.size()) return id;
  const auto first = static_cast<std::int32_t>(cells_.size());
  first_cell_.push_back(first);
  for (std::int32_t pair : pairs_) {
    Cell cell{left_of(pair), right_of(pair), static_cast<std::int32_t>(earlier_.size()), 0};
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
  return id;
}

template class PartialTreePlans<float>;
template class PartialTreePlans<double>;
template class PartialTreePlans<Wide>;

}  // namespace hedgerow::kernels
