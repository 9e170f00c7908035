#include "neighbors/subset_tree_groups.hpp"

#include <map>

#include "limits.hpp"

namespace hedgerow::neighbors {
namespace {

constexpr std::int32_t nothing_expanded = -1, leaf = -2;  // in names

bool is_nothing(double value) { return value == 0; }
bool is_nothing(const kernels::Wide& value) { return value.is_zero(); }

}  // namespace

template <class Number>
void SubsetTreeGroups<Number>::number(const data::TreeView& own) {
  subtrees_.clear();
  production_ids_.clear();
  distinct_.clear();
  productions_.clear();
  id_.resize(own.size);
  for (std::int32_t v = 0; v < own.size; ++v) {
    if (own.is_leaf(v)) {
      id_[v] = -1;
      continue;
    }
    key_.assign(1, own.production[v]);
    for (const std::int32_t child : own.children(v)) key_.push_back(id_[child]);
    id_[v] = subtrees_.intern(key_);
    if (static_cast<std::size_t>(id_[v]) < distinct_.size()) {
      ++distinct_[id_[v]].count;
      continue;
    }
    const std::int32_t group = production_ids_.intern(std::span(key_).first(1));
    if (static_cast<std::size_t>(group) == productions_.size()) productions_.emplace_back();
    auto& members = productions_[group].members;
    distinct_.push_back({v, 1, group, static_cast<std::int32_t>(members.size())});
    members.push_back(id_[v]);
  }
}

template <class Number>
Number& SubsetTreeGroups<Number>::value(std::int32_t s, std::int32_t t) {
  const Production& production = productions_[distinct_[s].group];
  return values_[production.values + distinct_[s].rank * production.members.size() + distinct_[t].rank];
}

template <class Number>
Number SubsetTreeGroups<Number>::below(const data::TreeView& own, std::int32_t s, std::int32_t t,
                                       std::size_t place) {
  const std::int32_t a = id_[own.children(distinct_[s].node)[place]],
                     b = id_[own.children(distinct_[t].node)[place]];
  return a >= 0 && b >= 0 && distinct_[a].group == distinct_[b].group ? value(a, b) : Number(0);
}

template <class Number>
void SubsetTreeGroups<Number>::collect(const data::TreeView& own, const data::TreeView& known,
                                       GroupSquares<Number>& squares) {
  squares.clear();
  number(own);
  double pairs = 0;
  for (Production& production : productions_) {
    production.values = static_cast<std::size_t>(pairs);
    pairs += static_cast<double>(production.members.size()) * production.members.size();
  }
  check_pairs(pairs, "tree");
  values_.resize(static_cast<std::size_t>(pairs));
  LongWork work;
  for (std::int32_t t = 0; t < static_cast<std::int32_t>(distinct_.size()); ++t) {
    const std::size_t arity = own.children(distinct_[t].node).size();
    for (const std::int32_t s : productions_[distinct_[t].group].members) {
      if (s > t) break;
      Number product(parameters_.decay);
      for (std::size_t place = 0; place < arity; ++place) product *= Number(1) + below(own, s, t, place);
      value(s, t) = value(t, s) = product;
      name_.clear();
      add_chains(own, known, s, t, Number(distinct_[s].count * distinct_[t].count * (s == t ? 1 : 2)),
                 squares);
      work.add(static_cast<std::int64_t>(arity));
    }
  }
  if (parameters_.bag_of_words) add_leaves(known, squares);
}

// D is a sum over the last child that is expanded: decay * (1 + sum over i of D_i * prod over j < i of (1 +
// D_j)).
template <class Number>
void SubsetTreeGroups<Number>::add_chains(const data::TreeView& own, const data::TreeView& known,
                                          std::int32_t s, std::int32_t t, const Number& factor,
                                          GroupSquares<Number>& squares) {
  const std::int32_t production = known.production[distinct_[s].node];
  if (production < 0) return;
  const std::size_t length = name_.size();
  name_.push_back(production);
  if (length == 2 * (chain - 1)) {
    squares.add(name_, factor * value(s, t));
  } else {
    Number before = factor * Number(parameters_.decay);
    name_.push_back(nothing_expanded);
    squares.add(name_, before);
    for (std::size_t place = 0; place < own.children(distinct_[s].node).size(); ++place) {
      const Number d = below(own, s, t, place);
      if (is_nothing(d)) continue;
      name_.back() = static_cast<std::int32_t>(place);
      add_chains(own, known, id_[own.children(distinct_[s].node)[place]],
                 id_[own.children(distinct_[t].node)[place]], before, squares);
      before *= Number(1) + d;
    }
  }
  name_.resize(length);
}

template <class Number>
void SubsetTreeGroups<Number>::add_leaves(const data::TreeView& known, GroupSquares<Number>& squares) const {
  std::map<std::int32_t, double> counts;
  for (std::int32_t v = 0; v < known.size; ++v)
    if (known.is_leaf(v) && known.label[v] >= 0) ++counts[known.label[v]];
  for (const auto& [label, count] : counts) {
    const std::int32_t name[] = {leaf, label};
    squares.add(name, Number(parameters_.decay * count * count));
  }
}

template class SubsetTreeGroups<double>;
template class SubsetTreeGroups<kernels::Wide>;

}  // namespace hedgerow::neighbors
