#include "kernels/partial_tree_row.hpp"

#include <algorithm>
#include <type_traits>

#include "kernels/child_sequences.hpp"
#include "kernels/lanes.hpp"
#include "parallel.hpp"

namespace hedgerow {
namespace {

constexpr std::int32_t lanes = PartialTreeIndex::lanes;
constexpr std::int32_t most_cells = 64;  // pairs of matching children that a plan lists
constexpr std::size_t most_plan_bytes = std::size_t{128} << 20;

}  // namespace

// ---- loops over the members of a group

namespace {

// Where D of a matching pair of children comes from: a vector, or one value with an exception.
template <class Real>
struct CellSource {
  const std::int32_t* position;  // of the child of each member
  const Real* vector;            // null: use the values
  Real common, exception;
  std::int32_t exception_position;
  std::int32_t first_earlier, n_earlier;
};

// extra = vertical * sum over cells of S, with S = D (1 + sum over earlier cells of factor * S);
// d[s] = base + extra, sum[s] += extra
template <class Real>
HEDGEROW_INLINE void evaluate_members(const CellSource<Real>* cells, std::int32_t n_cells,
                                      const EarlierCell<Real>* earlier, std::int32_t size, Real vertical,
                                      Real base, Real* __restrict d_out, Real* __restrict sum_out) {
  using Vector = typename Lanes<Real>::Vector;
  Vector s[most_cells];
  for (std::int32_t m = 0; m < size; m += Lanes<Real>::width) {
    Vector sum{};
    for (std::int32_t c = 0; c < n_cells; ++c) {
      const CellSource<Real>& cell = cells[c];
      Vector d;
      if (cell.vector)
        gather(d, cell.vector, cell.position + m);
      else
        select_equal(d, cell.position + m, cell.exception_position, cell.exception, cell.common);
      if (cell.n_earlier > 0) {
        Vector chain = Vector{} + Real(1);
        for (std::int32_t e = cell.first_earlier; e < cell.first_earlier + cell.n_earlier; ++e)
          chain += earlier[e].factor * s[earlier[e].cell];
        d *= chain;
      }
      s[c] = d;
      sum += d;
    }
    const Vector extra = vertical * sum;
    Vector total;
    load(sum_out + m, total);
    total += extra;
    const Vector d = base + extra;
    store(d, d_out + m);
    store(total, sum_out + m);
  }
}

HEDGEROW_CLONES void fill(float* to, std::int32_t n, float value) { std::fill(to, to + n, value); }
HEDGEROW_CLONES void fill(double* to, std::int32_t n, double value) { std::fill(to, to + n, value); }
void fill(Wide* to, std::int32_t n, const Wide& value) { std::fill(to, to + n, value); }

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

// ---- a row

template <class Real>
void PartialTreeRow<Real>::add(const TreeView& x, Total<Real>* row) {
  const PartialTreeParameters& parameters = index_.parameters();
  arena_.clear();
  vector_.resize(x.size);
  low_.resize(x.size);
  labels_.clear();
  for (std::int32_t v = 0; v < x.size; ++v) {
    const bool leaf = x.is_leaf(v);
    low_[v] = leaf ? arena_.top() : low_[x.children(v)[0]];
    const auto* bucket = index_.bucket(x.label[v]);
    if (!bucket) continue;  // its vector is never asked for
    if (leaf) {
      vector_[v] = {false, 0, static_cast<Real>(parameters.template base_mixed<Total<Real>>()),
                    static_cast<Real>(parameters.template base_leaves<Total<Real>>()), bucket->leaf_position};
      ++sum_for(x.label[v]).leaves;
    } else {
      ++sum_for(x.label[v]).internal;
      add_internal(x, v, *bucket, row);
    }
  }
  for (std::int32_t label : labels_) {
    add_label(*index_.bucket(label), sums_[sum_of_label_[label]], row);
    sum_of_label_[label] = -1;
  }
}

template <class Real>
typename PartialTreeRow<Real>::LabelSum& PartialTreeRow<Real>::sum_for(std::int32_t label) {
  if (static_cast<std::size_t>(label) >= sum_of_label_.size()) sum_of_label_.resize(label + 1, -1);
  if (sum_of_label_[label] < 0) {
    sum_of_label_[label] = static_cast<std::int32_t>(labels_.size());
    labels_.push_back(label);
    if (sums_.size() < labels_.size()) sums_.emplace_back();
    LabelSum& sum = sums_[labels_.size() - 1];
    sum.internal = sum.leaves = 0;
    sum.dense = false;
  }
  return sums_[sum_of_label_[label]];
}

template <class Real>
void PartialTreeRow<Real>::add_internal(const TreeView& x, std::int32_t node,
                                        const PartialTreeIndex::Bucket& bucket, Total<Real>* row) {
  const PartialTreeParameters& parameters = index_.parameters();
  const Real base = static_cast<Real>(parameters.template base<Total<Real>>()),
             mixed = static_cast<Real>(parameters.template base_mixed<Total<Real>>());
  const bool leaf_differs = bucket.leaf_position >= 0 && parameters.terminal_factor < 1;
  const Plan& plan = plan_for(x, node);
  Vector& vector = vector_[node];
  vector = {false, 0, base, mixed, leaf_differs ? bucket.leaf_position : -1};
  if (plan.matches.empty()) return;
  if (plan.matches.size() == 1 && index_.group(plan.matches[0].group).size == 1 && !leaf_differs) {
    const PartialTreeIndex::Group& group = index_.group(plan.matches[0].group);
    const Real extra = evaluate_member(plan, plan.matches[0], x, node, 0);
    vector.exception = base + extra;
    vector.exception_position = group.first;
    for (std::int32_t tree : index_.trees_with(plan.matches[0].group))
      row[tree] += static_cast<Total<Real>>(extra);
    return;
  }
  vector.dense = true;
  const std::size_t place = arena_.take(bucket.size);
  Real* const d = arena_.at(place);
  fill(d, bucket.size, base);
  if (bucket.leaf_position >= 0) d[bucket.leaf_position] = mixed;
  LabelSum& sum = sum_for(x.label[node]);
  if (!sum.dense) {
    sum.dense = true;
    sum.sum.assign(bucket.size, Real(0));
  }
  for (const Match& match : plan.matches) {
    const std::int32_t first = index_.group(match.group).first;
    evaluate(plan, match, x, node, d + first, sum.sum.data() + first);
  }
  vector.place = arena_.settle(place, bucket.size, low_[node]);
}

template <class Real>
void PartialTreeRow<Real>::add_label(const PartialTreeIndex::Bucket& bucket, LabelSum& sum,
                                     Total<Real>* row) {
  const PartialTreeParameters& parameters = index_.parameters();
  // What single nodes add to each internal node, and to each leaf, of the label.
  Total<Real> internal(0), leaf(0);
  if (parameters.lexical) {
    const Total<Real> leaves(sum.leaves), inner(sum.internal);
    const auto mixed = parameters.template base_mixed<Total<Real>>();
    internal = leaves * mixed + inner * parameters.template base<Total<Real>>();
    leaf = leaves * parameters.template base_leaves<Total<Real>>() + inner * mixed;
  }
  if (!sum.dense && !parameters.lexical) return;
  const bool all_leaves = bucket.size == 1 && bucket.leaf_position == 0,
             some_leaves = bucket.leaf_position >= 0;
  Real common = static_cast<Real>(internal);
  if (sum.dense && some_leaves) {  // not the same for all: write it into the vector
    for (Real& value : sum.sum) value += common;
    sum.sum[bucket.leaf_position] = static_cast<Real>(leaf);
    common = Real(0);
  }
  const Total<Real> single = all_leaves ? leaf : internal;
  for (const PartialTreeIndex::Postings& postings : bucket.nodes) {
    const std::size_t n = postings.tree.size();
    const std::int32_t* const tree = postings.tree.data();
    const std::int32_t* const position = postings.position.data();
    if (sum.dense) {
      const Real* const values = sum.sum.data();
      for (std::size_t e = 0; e < n; ++e)
        row[tree[e]] += static_cast<Total<Real>>(values[position[e]] + common);
    } else if (some_leaves && !all_leaves) {
      for (std::size_t e = 0; e < n; ++e)
        row[tree[e]] += position[e] == bucket.leaf_position ? leaf : internal;
    } else {
      for (std::size_t e = 0; e < n; ++e) row[tree[e]] += single;
    }
  }
}

template <class Real>
void PartialTreeRow<Real>::evaluate(const Plan& plan, const Match& match, const TreeView& x,
                                    std::int32_t node, Real* d, Real* sum) {
  const PartialTreeIndex::Group& group = index_.group(match.group);
  const Real base = static_cast<Real>(index_.parameters().template base<Total<Real>>());
  constexpr bool has_lanes = !std::is_same_v<Real, Wide>;
  if (!has_lanes || group.size < 4 || group.capacity < lanes || match.n_cells == 0) {
    const auto set = [&](std::int32_t s, const Real& extra) {
      d[s] = base + extra;
      sum[s] += extra;
    };
    if (match.n_cells == 1) {  // a common case, and small groups are many
      const Cell& cell = plan.cells[match.first_cell];
      const Vector& child = vector_[x.children(node)[cell.left]];
      const std::int32_t* const position =
          index_.child_positions(group) + static_cast<std::size_t>(cell.right) * group.capacity;
      const Real vertical(static_cast<Real>(index_.parameters().vertical_decay));
      for (std::int32_t s = 0; s < group.size; ++s) set(s, vertical * value(child, position[s]));
    } else {
      for (std::int32_t s = 0; s < group.size; ++s) set(s, evaluate_member(plan, match, x, node, s));
    }
    return;
  }
  if constexpr (has_lanes) {
    CellSource<Real> sources[most_cells];
    const auto children = x.children(node);
    for (std::int32_t c = 0; c < match.n_cells; ++c) {
      const Cell& cell = plan.cells[match.first_cell + c];
      const Vector& child = vector_[children[cell.left]];
      sources[c] = {index_.child_positions(group) + static_cast<std::size_t>(cell.right) * group.capacity,
                    child.dense ? arena_.at(child.place) : nullptr,
                    child.common,
                    child.exception,
                    child.exception_position,
                    cell.first_earlier,
                    cell.n_earlier};
    }
    evaluate_many(sources, match.n_cells, plan.earlier.data(), group.size,
                  static_cast<Real>(index_.parameters().vertical_decay), base, d, sum);
  }
}

template <class Real>
Real PartialTreeRow<Real>::value(const Vector& vector, std::int32_t position) {
  if (vector.dense) return arena_.at(vector.place)[position];
  return position == vector.exception_position ? vector.exception : vector.common;
}

template <class Real>
Real PartialTreeRow<Real>::evaluate_member(const Plan& plan, const Match& match, const TreeView& x,
                                           std::int32_t node, std::int32_t s) {
  const PartialTreeIndex::Group& group = index_.group(match.group);
  if (match.n_cells == 0) return by_recursion(match.group, x, node, s);
  const auto children = x.children(node);
  const Cell* const cells = plan.cells.data() + match.first_cell;
  const std::int32_t* const positions = index_.child_positions(group);
  Real values[most_cells], sum(0);
  for (std::int32_t c = 0; c < match.n_cells; ++c) {
    const Cell& cell = cells[c];
    Real chain(1);
    for (std::int32_t e = cell.first_earlier; e < cell.first_earlier + cell.n_earlier; ++e)
      chain += plan.earlier[e].factor * values[plan.earlier[e].cell];
    const std::int32_t position = positions[static_cast<std::size_t>(cell.right) * group.capacity + s];
    values[c] = value(vector_[children[cell.left]], position) * chain;
    sum += values[c];
  }
  return static_cast<Real>(index_.parameters().vertical_decay) * sum;
}

template <class Real>
Real PartialTreeRow<Real>::by_recursion(std::int32_t group_id, const TreeView& x, std::int32_t node,
                                        std::int32_t s) {
  const PartialTreeIndex::Group& group = index_.group(group_id);
  const std::int32_t* const positions = index_.child_positions(group);
  const auto labels = index_.child_labels(group_id);
  const PartialTreeParameters& parameters = index_.parameters();
  const auto children = x.children(node);
  Real matched(0);
  const auto matched_value = [&](std::int32_t i, std::int32_t j) -> const Real* {
    if (x.label[children[i]] != labels[j]) return nullptr;
    matched = value(vector_[children[i]], positions[static_cast<std::size_t>(j) * group.capacity + s]);
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

// ---- plans

template <class Real>
std::size_t PartialTreeRow<Real>::Plan::bytes() const {
  return sizeof(Plan) + matches.capacity() * sizeof(Match) + cells.capacity() * sizeof(Cell) +
         earlier.capacity() * sizeof(EarlierCell<Real>) + child_labels.capacity() * 12;
}

template <class Real>
const typename PartialTreeRow<Real>::Plan& PartialTreeRow<Real>::plan_for(const TreeView& x,
                                                                          std::int32_t node) {
  if (plan_bytes_ > most_plan_bytes) {
    plans_.clear();
    plan_bytes_ = 0;
  }
  auto [entry, added] = plans_.try_emplace(x.production[node]);
  Plan& plan = entry->second;
  if (added) {
    for (std::int32_t child : x.children(node)) plan.child_labels.push_back(x.label[child]);
    std::sort(plan.child_labels.begin(), plan.child_labels.end());
    plan.child_labels.erase(std::unique(plan.child_labels.begin(), plan.child_labels.end()),
                            plan.child_labels.end());
    plan.seen.assign(plan.child_labels.size(), 0);
  } else {
    plan_bytes_ -= plan.bytes();
  }
  ++extensions_;
  for (std::size_t c = 0; c < plan.child_labels.size(); ++c) {
    const auto* groups = index_.groups_with_child(x.label[node], plan.child_labels[c]);
    if (!groups) continue;
    for (; plan.seen[c] < groups->size(); ++plan.seen[c]) {
      const std::int32_t group = (*groups)[plan.seen[c]];
      // A group with several of the labels is in several lists, but new in all of them at once.
      if (static_cast<std::size_t>(group) >= group_stamp_.size()) group_stamp_.resize(group + 1, 0);
      if (group_stamp_[group] == extensions_) continue;
      group_stamp_[group] = extensions_;
      add_match(plan, x, node, group);
    }
  }
  plan_bytes_ += plan.bytes();
  return plan;
}

template <class Real>
void PartialTreeRow<Real>::add_match(Plan& plan, const TreeView& x, std::int32_t node,
                                     std::int32_t group_id) {
  const auto labels = index_.child_labels(group_id);
  const auto children = x.children(node);
  const std::size_t k1 = children.size(), k2 = labels.size();
  const std::size_t bound = static_cast<std::size_t>(index_.parameters().max_length);
  Match match{group_id, static_cast<std::int32_t>(plan.cells.size()), 0};
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

template class PartialTreeRow<float>;
template class PartialTreeRow<double>;
template class PartialTreeRow<Wide>;

bool single_suffices(const TreeView& x, const PartialTreeParameters& parameters) {
  // Relative errors add up over the nodes of a fragment, but with these decays fragments of many nodes weigh
  // little; measured on treebanks they stay below 4e-6.
  constexpr double strong_decay = 0.5, smallest = 1e-6;
  const auto fine = [&](double decay) { return decay <= strong_decay && decay >= smallest; };
  return x.size <= 400 && fine(parameters.decay) && fine(parameters.vertical_decay) &&
         parameters.terminal_factor <= 100 && parameters.terminal_factor >= 0.01;
}

}  // namespace hedgerow
