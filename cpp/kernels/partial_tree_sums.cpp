#include "kernels/partial_tree_sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "kernels/loops.hpp"

namespace hedgerow::kernels {

template <class Real>
void PartialTreeSums<Real>::compute(const data::TreeView& x) {
  const PartialTreeParameters& parameters = index_.parameters();
  check_steps(x);
  arena_.clear();
  vector_.resize(x.size);
  low_.resize(x.size);
  for (const Label& label : labels()) place_of_label_[label.label] = -1;
  used_labels_ = 0;
  singles_.clear();
  for (std::int32_t v = 0; v < x.size; ++v) {
    const bool leaf = x.is_leaf(v);
    low_[v] = leaf ? arena_.top() : low_[x.children(v)[0]];
    const auto* bucket = index_.bucket(x.label[v]);
    if (!bucket) {
      vector_[v] = {};  // it is never asked for
      continue;
    }
    if (leaf) {
      vector_[v] = {false, 0, static_cast<Real>(parameters.template base_mixed<Total<Real>>()),
                    static_cast<Real>(parameters.template base_leaves<Total<Real>>()), bucket->leaf_position};
      ++label_of(x.label[v]).leaves;
    } else {
      ++label_of(x.label[v]).internal;
      add_internal(x, v, *bucket);
    }
  }
}

template <class Real>
void PartialTreeSums<Real>::check_steps(const data::TreeView& x) {
  if (!exceeds_pairs(static_cast<double>(x.size) * static_cast<double>(index_.n_children()))) return;
  double steps = 0;
  for (std::int32_t v = 0; v < x.size; ++v) {
    const auto* bucket = index_.bucket(x.label[v]);
    if (!bucket || x.is_leaf(v)) continue;
    steps += bucket->size;
    const Plan& plan = plans_.plan_for(x, v, *bucket);
    for (const auto& group : plan.gathered)
      steps += static_cast<double>(group.positions.size()) * group.n_cells;
    for (const Match& match : plan.matches) {
      const Block& block = index_.block(match.block);
      steps += static_cast<double>(block.size) *
               (match.n_cells > 0 ? match.n_cells : steps_of_recursion(block, x, v));
    }
  }
  check_pairs(steps, "tree");
}

template <class Real>
double PartialTreeSums<Real>::steps_of_recursion(const Block& block, const data::TreeView& x,
                                                 std::int32_t node) const {
  const auto children = x.children(node);
  const auto labels = index_.child_labels(block);
  const auto k1 = static_cast<std::int32_t>(children.size()), k2 = static_cast<std::int32_t>(labels.size());
  const PartialTreeParameters& parameters = index_.parameters();
  const double pairs = static_cast<double>(k1) * k2;
  if (bounds_length(parameters.max_length, k1, k2)) return pairs * parameters.max_length;
  const auto matches = few_matches(block, x, node);
  if (!matches) return pairs;
  // Each match is felt until powers of the decay are 0.
  return std::min(pairs,
                  static_cast<double>(matches->pairs()) * std::log(1e-290) / std::log(parameters.decay));
}

template <class Real>
typename PartialTreeSums<Real>::Label& PartialTreeSums<Real>::label_of(std::int32_t label) {
  if (static_cast<std::size_t>(label) >= place_of_label_.size()) place_of_label_.resize(label + 1, -1);
  std::int32_t& place = place_of_label_[label];
  if (place < 0) {
    place = static_cast<std::int32_t>(used_labels_++);
    if (labels_.size() < used_labels_) labels_.emplace_back();
    Label& fresh = labels_[place];
    fresh.label = label;
    fresh.internal = fresh.leaves = fresh.singles = 0;
    fresh.dense = false;
  }
  return labels_[place];
}

template <class Real>
typename PartialTreeSums<Real>::Label::Shares PartialTreeSums<Real>::Label::shares_of_single_nodes(
    const PartialTreeParameters& parameters) const {
  if (!parameters.lexical) return {Total<Real>(0), Total<Real>(0)};
  const Total<Real> ends(leaves), inner(internal);
  const auto mixed = parameters.template base_mixed<Total<Real>>();
  return {ends * mixed + inner * parameters.template base<Total<Real>>(),
          ends * parameters.template base_leaves<Total<Real>>() + inner * mixed};
}

template <class Real>
void PartialTreeSums<Real>::add_internal(const data::TreeView& x, std::int32_t node,
                                         const PartialTreeIndex::Bucket& bucket) {
  const PartialTreeParameters& parameters = index_.parameters();
  const Real base = static_cast<Real>(parameters.template base<Total<Real>>()),
             mixed = static_cast<Real>(parameters.template base_mixed<Total<Real>>());
  const bool leaf_differs = bucket.leaf_position >= 0 && parameters.terminal_factor < 1;
  const Plan& plan = plans_.plan_for(x, node, bucket);
  Vector& vector = vector_[node];
  vector = {false, 0, base, mixed, leaf_differs ? bucket.leaf_position : -1};
  if (plan.matches.empty() && plan.gathered.empty()) return;
  if (plan.only_block != PartialTreeIndex::none && index_.block(plan.only_block).capacity == 1 &&
      !leaf_differs)
    return add_single(plan, x, node);
  vector.dense = true;
  work_.add(bucket.size);
  const std::size_t place = arena_.take(bucket.size);
  Real* const d = arena_.at(place);
  const bool is_root = node == x.size - 1;
  if (!is_root) fill_with(d, bucket.size, base);  // nobody asks for the vector of the root
  if (bucket.leaf_position >= 0) d[bucket.leaf_position] = mixed;
  Real* const sum = dense_sum(x.label[node], bucket.size);
  set_children(x, node);
  for (const auto& group : plan.gathered)
    add_subtrees(group.first_cell, group.n_cells, group.child_positions.data(), group.capacity, false,
                 static_cast<std::int32_t>(group.positions.size()), {group.positions.data(), base, d, sum});
  for (const Match& match : plan.matches) {
    const std::int32_t first = index_.block(match.block).first;
    add_block(match, x, node, d + first, sum + first);
  }
  vector.place = arena_.settle(place, bucket.size, low_[node]);
}

template <class Real>
void PartialTreeSums<Real>::make_dense(Label& label, std::int32_t size) {
  label.dense = true;
  label.beyond.resize(size);
  fill_with(label.beyond.data(), size, Real(0));
}

template <class Real>
void PartialTreeSums<Real>::write_singles() {
  for (const Single& single : singles_) {
    Label& label = label_of(single.label);
    if (!label.dense) make_dense(label, index_.bucket(single.label)->size);
    label.beyond[single.position] += single.beyond;
    label.singles = 0;
  }
  singles_.clear();
}

template <class Real>
Real* PartialTreeSums<Real>::dense_sum(std::int32_t label, std::int32_t size) {
  Label& sum = label_of(label);
  if (!sum.dense) {
    make_dense(sum, size);
    if (std::exchange(sum.singles, 0) > 0)
      std::erase_if(singles_, [&](const Single& single) {
        if (single.label != label) return false;
        sum.beyond[single.position] += single.beyond;
        return true;
      });
  }
  return sum.beyond.data();
}

template <class Real>
void PartialTreeSums<Real>::add_single(const Plan& plan, const data::TreeView& x, std::int32_t node) {
  const Block& block = index_.block(plan.only_block);
  Real d[PartialTreeIndex::lanes], beyond[PartialTreeIndex::lanes] = {};
  set_children(x, node);
  if (plan.gathered.empty()) {
    add_block(plan.matches[0], x, node, d, beyond);
  } else {
    const auto& group = plan.gathered[0];
    add_subtrees(group.first_cell, group.n_cells, group.child_positions.data(), group.capacity, false, 1,
                 {nullptr, vector_[node].common, d, beyond});
  }
  vector_[node].exception = d[0];
  vector_[node].exception_position = block.first;
  Label& label = label_of(x.label[node]);
  if (label.dense) {
    label.beyond[block.first] += beyond[0];
  } else {
    singles_.push_back({x.label[node], block.first, beyond[0]});
    ++label.singles;
  }
}

template <class Real>
void PartialTreeSums<Real>::add_block(const Match& match, const data::TreeView& x, std::int32_t node, Real* d,
                                      Real* sum) {
  const Block& block = index_.block(match.block);
  const Real base = static_cast<Real>(index_.parameters().template base<Total<Real>>());
  if (match.n_cells > 0)
    return add_subtrees(match.first_cell, match.n_cells, index_.child_positions(block), block.capacity, true,
                        block.size, {nullptr, base, d, sum});
  for (std::int32_t s = 0; s < block.size; ++s) {
    work_.add(1);
    const Real beyond = by_recursion(block, x, node, s);
    d[s] = base + beyond;
    sum[s] += beyond;
  }
}

template <class Real>
void PartialTreeSums<Real>::add_subtrees(std::int32_t first_cell, std::int32_t n_cells,
                                         const std::int32_t* child_positions, std::int32_t capacity,
                                         bool by_child, std::int32_t size, const Targets<Real>& targets) {
  std::array<CellSource<Real>, most_cells> sources;
  const auto* const cells = plans_.cells() + first_cell;
  for (std::int32_t c = 0; c < n_cells; ++c) {
    const ChildVector& child = child_[cells[c].left];
    const auto column = static_cast<std::size_t>(by_child ? cells[c].right : c);
    sources[c] = {child_positions + column * capacity,
                  child.values,
                  child.common,
                  child.exception,
                  child.exception_position,
                  cells[c].first_earlier,
                  cells[c].n_earlier};
  }
  evaluate(sources.data(), n_cells, plans_.earlier(), size,
           static_cast<Real>(index_.parameters().vertical_decay), targets);
}

template <class Real>
void PartialTreeSums<Real>::set_children(const data::TreeView& x, std::int32_t node) {
  child_.clear();
  for (std::int32_t child : x.children(node)) {
    const Vector& vector = vector_[child];
    child_.push_back({vector.dense ? arena_.at(vector.place) : nullptr, vector.common, vector.exception,
                      vector.exception_position});
  }
}

template <class Real>
std::optional<MatchingChildren> PartialTreeSums<Real>::few_matches(const Block& block,
                                                                   const data::TreeView& x,
                                                                   std::int32_t node) const {
  const auto children = x.children(node);
  const auto labels = index_.child_labels(block);
  const auto k1 = static_cast<std::int32_t>(children.size()), k2 = static_cast<std::int32_t>(labels.size());
  const std::int64_t pairs = std::int64_t{k1} * k2;
  const PartialTreeParameters& parameters = index_.parameters();
  if (!std::is_floating_point_v<Real> || pairs <= 1'000'000 || parameters.decay >= 0.95 ||
      bounds_length(parameters.max_length, k1, k2))
    return std::nullopt;
  MatchingChildren matches(
      k1, k2, [&](std::int32_t i) { return x.label[children[i]]; },
      [&](std::int32_t j) { return labels[j]; });
  if (matches.pairs() >= pairs / 1000) return std::nullopt;
  return matches;
}

template <class Real>
Real PartialTreeSums<Real>::by_recursion(const Block& block, const data::TreeView& x, std::int32_t node,
                                         std::int32_t s) {
  const std::int32_t* const positions = index_.child_positions(block);
  const auto labels = index_.child_labels(block);
  const PartialTreeParameters& parameters = index_.parameters();
  const auto children = x.children(node);
  Real matched(0);
  const auto matched_value = [&](std::int32_t i, std::int32_t j) -> const Real* {
    if (x.label[children[i]] != labels[j]) return nullptr;
    matched = child_[i][positions[static_cast<std::size_t>(j) * block.capacity + s]];
    return &matched;
  };
  const auto k1 = static_cast<std::int32_t>(children.size());
  const auto k2 = static_cast<std::int32_t>(labels.size());
  const Real vertical = static_cast<Real>(parameters.vertical_decay);
  if constexpr (std::is_floating_point_v<Real>)
    if (const auto matches = few_matches(block, x, node))
      return vertical *
             sum_sparse_child_sequences<Real>(k1, k2, parameters.decay, matched_value, *matches, scratch_);
  return vertical *
         sum_child_sequences<Real>(k1, k2, parameters.decay, parameters.max_length, matched_value, scratch_);
}

template class PartialTreeSums<float>;
template class PartialTreeSums<double>;
template class PartialTreeSums<Wide>;

bool single_suffices(const data::TreeView& x, const PartialTreeParameters& parameters) {
  // Relative errors add up over the nodes of a fragment, but with these decays fragments of many nodes weigh
  // little; measured on treebanks they stay below 4e-6.
  constexpr double strong_decay = 0.5, smallest = 1e-6;
  const auto fine = [&](double decay) { return decay <= strong_decay && decay >= smallest; };
  return x.size <= 250 && fine(parameters.decay) && fine(parameters.vertical_decay) &&
         parameters.terminal_factor <= 100 && parameters.terminal_factor >= 0.01;
}

}  // namespace hedgerow::kernels
