#include "kernels/partial_tree_sums.hpp"

#include <algorithm>
#include <type_traits>

#include "kernels/lanes.hpp"
#include "kernels/loops.hpp"
#include "parallel.hpp"

namespace hedgerow {

// ---- loops over the members of a block

namespace {

constexpr std::int32_t lanes = PartialTreeIndex::lanes;
constexpr std::int32_t most_cells = PartialTreePlans<double>::most_cells;

// Where D of a matching pair of children comes from: a vector, or one value with an exception.
template <class Real>
struct CellSource {
  const std::int32_t* position;  // of the child of each member
  const Real* vector;            // null: use the values
  Real common, exception;
  std::int32_t exception_position;
  std::int32_t first_earlier, n_earlier;
};

template <class Real>
using EarlierCell = typename PartialTreePlans<Real>::EarlierCell;

// D of a matching pair of children, for members m and following.
template <class Real>
HEDGEROW_INLINE void read_cell(const CellSource<Real>& cell, std::int32_t m,
                               typename Lanes<Real>::Vector& d) {
  if (cell.vector)
    gather(d, cell.vector, cell.position + m);
  else
    select_equal(d, cell.position + m, cell.exception_position, cell.exception, cell.common);
}

// d[m] = base + beyond, sum[m] += beyond
template <class Real>
HEDGEROW_INLINE void write_members(const typename Lanes<Real>::Vector& beyond, Real base, Real* d_out,
                                   Real* sum_out) {
  typename Lanes<Real>::Vector total;
  load(sum_out, total);
  total += beyond;
  const typename Lanes<Real>::Vector d = base + beyond;
  store(d, d_out);
  store(total, sum_out);
}

// beyond = vertical * sum over cells of S, with S = D (1 + sum over earlier cells of factor * S)
template <class Real>
HEDGEROW_INLINE void evaluate_members(const CellSource<Real>* cells, std::int32_t n_cells,
                                      const EarlierCell<Real>* earlier, std::int32_t size, Real vertical,
                                      Real base, Real* d_out, Real* sum_out) {
  using Vector = typename Lanes<Real>::Vector;
  if (n_cells == 1) {  // half of all
    const CellSource<Real> cell = cells[0];
    for (std::int32_t m = 0; m < size; m += Lanes<Real>::width) {
      Vector d;
      read_cell(cell, m, d);
      const Vector beyond = vertical * d;
      write_members(beyond, base, d_out + m, sum_out + m);
    }
    return;
  }
  Vector s[most_cells];
  for (std::int32_t m = 0; m < size; m += Lanes<Real>::width) {
    Vector sum{};
    for (std::int32_t c = 0; c < n_cells; ++c) {
      const CellSource<Real>& cell = cells[c];
      Vector d;
      read_cell(cell, m, d);
      if (cell.n_earlier > 0) {
        Vector chain = Vector{} + Real(1);
        for (std::int32_t e = cell.first_earlier; e < cell.first_earlier + cell.n_earlier; ++e)
          chain += earlier[e].factor * s[earlier[e].cell];
        d *= chain;
      }
      s[c] = d;
      sum += d;
    }
    const Vector beyond = vertical * sum;
    write_members(beyond, base, d_out + m, sum_out + m);
  }
}

HEDGEROW_CLONES void evaluate_many(const CellSource<float>* cells, std::int32_t n_cells,
                                   const EarlierCell<float>* earlier, std::int32_t size, float vertical,
                                   float base, float* d, float* sum) {
  evaluate_members(cells, n_cells, earlier, size, vertical, base, d, sum);
}
HEDGEROW_CLONES void evaluate_many(const CellSource<double>* cells, std::int32_t n_cells,
                                   const EarlierCell<double>* earlier, std::int32_t size, double vertical,
                                   double base, double* d, double* sum) {
  evaluate_members(cells, n_cells, earlier, size, vertical, base, d, sum);
}

}  // namespace

// ---- a tree

template <class Real>
void PartialTreeSums<Real>::compute(const TreeView& x) {
  const PartialTreeParameters& parameters = index_.parameters();
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
typename PartialTreeSums<Real>::Label& PartialTreeSums<Real>::label_of(std::int32_t label) {
  if (static_cast<std::size_t>(label) >= place_of_label_.size()) place_of_label_.resize(label + 1, -1);
  std::int32_t& place = place_of_label_[label];
  if (place < 0) {
    place = static_cast<std::int32_t>(used_labels_++);
    if (labels_.size() < used_labels_) labels_.emplace_back();
    Label& fresh = labels_[place];
    fresh.label = label;
    fresh.internal = fresh.leaves = 0;
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
void PartialTreeSums<Real>::add_internal(const TreeView& x, std::int32_t node,
                                         const PartialTreeIndex::Bucket& bucket) {
  const PartialTreeParameters& parameters = index_.parameters();
  const Real base = static_cast<Real>(parameters.template base<Total<Real>>()),
             mixed = static_cast<Real>(parameters.template base_mixed<Total<Real>>());
  const bool leaf_differs = bucket.leaf_position >= 0 && parameters.terminal_factor < 1;
  const Plan& plan = plans_.plan_for(x, node);
  Vector& vector = vector_[node];
  vector = {false, 0, base, mixed, leaf_differs ? bucket.leaf_position : -1};
  if (plan.matches.empty()) return;
  if (plan.matches.size() == 1 && !leaf_differs) {
    const Block& block = index_.block(plan.matches[0].block);
    if (block.size == 1 && block.next == PartialTreeIndex::none) {
      set_children(x, node);
      const Real beyond = evaluate_member(plan.matches[0], block, x, node, 0);
      vector.exception = base + beyond;
      vector.exception_position = block.first;
      singles_.push_back({x.label[node], block.first, block.production, beyond});
      return;
    }
  }
  vector.dense = true;
  const std::size_t place = arena_.take(bucket.size);
  Real* const d = arena_.at(place);
  const bool is_root = node == x.size - 1;
  if (!is_root) fill_with(d, bucket.size, base);  // nobody asks for the vector of the root
  if (bucket.leaf_position >= 0) d[bucket.leaf_position] = mixed;
  Label& label = label_of(x.label[node]);
  if (!label.dense) {
    label.dense = true;
    label.beyond.resize(bucket.size);
    fill_with(label.beyond.data(), bucket.size, Real(0));
  }
  set_children(x, node);
  for (const Match& match : plan.matches)
    for (std::int32_t b = match.block; b != PartialTreeIndex::none; b = index_.block(b).next) {
      const Block& block = index_.block(b);
      evaluate(match, block, x, node, d + block.first, label.beyond.data() + block.first);
    }
  vector.place = arena_.settle(place, bucket.size, low_[node]);
}

template <class Real>
void PartialTreeSums<Real>::evaluate(const Match& match, const Block& block, const TreeView& x,
                                     std::int32_t node, Real* d, Real* sum) {
  const Real base = static_cast<Real>(index_.parameters().template base<Total<Real>>());
  constexpr bool has_lanes = !std::is_same_v<Real, Wide>;
  if (!has_lanes || block.size < 4 || block.capacity < lanes || match.n_cells == 0) {
    const auto set = [&](std::int32_t s, const Real& beyond) {
      d[s] = base + beyond;
      sum[s] += beyond;
    };
    if (match.n_cells == 1) {  // a common case, and small blocks are many
      const auto& cell = plans_.cells(match)[0];
      const ChildVector& child = child_[cell.left];
      const std::int32_t* const position =
          index_.child_positions(block) + static_cast<std::size_t>(cell.right) * block.capacity;
      const Real vertical(static_cast<Real>(index_.parameters().vertical_decay));
      for (std::int32_t s = 0; s < block.size; ++s) set(s, vertical * child[position[s]]);
    } else {
      for (std::int32_t s = 0; s < block.size; ++s) set(s, evaluate_member(match, block, x, node, s));
    }
    return;
  }
  if constexpr (has_lanes) {
    CellSource<Real> sources[most_cells];
    for (std::int32_t c = 0; c < match.n_cells; ++c) {
      const auto& cell = plans_.cells(match)[c];
      const ChildVector& child = child_[cell.left];
      sources[c] = {index_.child_positions(block) + static_cast<std::size_t>(cell.right) * block.capacity,
                    child.values,
                    child.common,
                    child.exception,
                    child.exception_position,
                    cell.first_earlier,
                    cell.n_earlier};
    }
    evaluate_many(sources, match.n_cells, plans_.earlier(), block.size,
                  static_cast<Real>(index_.parameters().vertical_decay), base, d, sum);
  }
}

template <class Real>
void PartialTreeSums<Real>::set_children(const TreeView& x, std::int32_t node) {
  child_.clear();
  for (std::int32_t child : x.children(node)) {
    const Vector& vector = vector_[child];
    child_.push_back({vector.dense ? arena_.at(vector.place) : nullptr, vector.common, vector.exception,
                      vector.exception_position});
  }
}

template <class Real>
Real PartialTreeSums<Real>::evaluate_member(const Match& match, const Block& block, const TreeView& x,
                                            std::int32_t node, std::int32_t s) {
  if (match.n_cells == 0) return by_recursion(block, x, node, s);
  const auto* const cells = plans_.cells(match);
  const auto* const earlier = plans_.earlier();
  const std::int32_t* const positions = index_.child_positions(block);
  Real values[most_cells], sum(0);
  for (std::int32_t c = 0; c < match.n_cells; ++c) {
    const auto& cell = cells[c];
    Real chain(1);
    for (std::int32_t e = cell.first_earlier; e < cell.first_earlier + cell.n_earlier; ++e)
      chain += earlier[e].factor * values[earlier[e].cell];
    const std::int32_t position = positions[static_cast<std::size_t>(cell.right) * block.capacity + s];
    values[c] = child_[cell.left][position] * chain;
    sum += values[c];
  }
  return static_cast<Real>(index_.parameters().vertical_decay) * sum;
}

template <class Real>
Real PartialTreeSums<Real>::by_recursion(const Block& block, const TreeView& x, std::int32_t node,
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
  if constexpr (std::is_floating_point_v<Real>) {
    const std::int64_t pairs = std::int64_t{k1} * k2;
    const bool bounded = parameters.max_length > 0 && parameters.max_length < std::min(k1, k2);
    if (pairs > 1'000'000 && parameters.decay < 0.95 && !bounded) {
      const MatchingChildren matches(
          k1, k2, [&](std::int32_t i) { return x.label[children[i]]; },
          [&](std::int32_t j) { return labels[j]; });
      if (matches.pairs() < pairs / 1000)
        return vertical *
               sum_sparse_child_sequences<Real>(k1, k2, parameters.decay, matched_value, matches, scratch_);
    }
  }
  return vertical *
         sum_child_sequences<Real>(k1, k2, parameters.decay, parameters.max_length, matched_value, scratch_);
}

template class PartialTreeSums<float>;
template class PartialTreeSums<double>;
template class PartialTreeSums<Wide>;

bool single_suffices(const TreeView& x, const PartialTreeParameters& parameters) {
  // Relative errors add up over the nodes of a fragment, but with these decays fragments of many nodes weigh
  // little; measured on treebanks they stay below 4e-6.
  constexpr double strong_decay = 0.5, smallest = 1e-6;
  const auto fine = [&](double decay) { return decay <= strong_decay && decay >= smallest; };
  return x.size <= 400 && fine(parameters.decay) && fine(parameters.vertical_decay) &&
         parameters.terminal_factor <= 100 && parameters.terminal_factor >= 0.01;
}

}  // namespace hedgerow
