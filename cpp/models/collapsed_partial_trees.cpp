#include "models/collapsed_partial_trees.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace hedgerow::models {

CollapsedPartialTrees::CollapsedPartialTrees(const kernels::PartialTreeParameters& parameters,
                                             std::shared_ptr<const data::Symbols> symbols,
                                             std::int32_t columns)
    : columns_(columns), symbols_(std::move(symbols)), index_(parameters, symbols_), weights_(columns) {}

std::int32_t CollapsedPartialTrees::insert(const data::TreeView& tree) {
  const std::int32_t number = index_.size();
  ids_.resize(ids_.size() + tree.size);
  std::int32_t* const tree_ids = ids_.data() + first_id_.back();
  index_.number(tree, tree_ids);
  index_.insert(tree, tree_ids);
  first_id_.push_back(static_cast<std::int64_t>(ids_.size()));
  nodes_with_.resize(index_.subtrees().size(), 0);
  inner_nodes_.resize(symbols_->labels.size(), 0);
  for (std::int32_t v = 0; v < tree.size; ++v) {
    weights_.fit(index_, tree.label[v]);
    ++nodes_with_[tree_ids[v]];
    if (!tree.is_leaf(v)) ++inner_nodes_[tree.label[v]];
  }
  return number;
}

void CollapsedPartialTrees::add_weight(const data::TreeView& tree, std::int32_t number, std::int32_t column,
                                       double delta) {
  const auto tree_ids = ids(number);
  for (std::int32_t v = 0; v < tree.size; ++v) {
    weights_.of(tree.label[v], column)[index_.position(tree_ids[v])] += delta;
    if (!tree.is_leaf(v)) weights_.internal(tree.label[v], column) += delta;
  }
}

void CollapsedPartialTrees::remove(const data::TreeView& tree, std::int32_t number) {
  const auto tree_ids = ids(number);
  for (std::int32_t v = 0; v < tree.size; ++v) {
    const bool last = --nodes_with_[tree_ids[v]] == 0;
    const bool last_inner = !tree.is_leaf(v) && --inner_nodes_[tree.label[v]] == 0;
    for (std::int32_t c = 0; c < columns_; ++c) {
      if (last) weights_.of(tree.label[v], c)[index_.position(tree_ids[v])] = 0;
      if (last_inner) weights_.internal(tree.label[v], c) = 0;
    }
  }
}

template <class Real>
void CollapsedPartialTrees::copy_weights(const data::TreeView& tree, std::int32_t number,
                                         const kernels::PartialTreeIndex& other,
                                         const std::int32_t* other_ids, PartialTreeWeights<Real>& to) const {
  const auto tree_ids = ids(number);
  for (std::int32_t v = 0; v < tree.size; ++v) {
    const std::int32_t label = tree.label[v];
    to.fit(other, label);
    for (std::int32_t c = 0; c < columns_; ++c) {
      to.of(label, c)[other.position(other_ids[v])] =
          static_cast<Real>(weights_.of(label, c)[index_.position(tree_ids[v])]);
      to.internal(label, c) = weights_.internal(label, c);
    }
  }
}

template void CollapsedPartialTrees::copy_weights(const data::TreeView&, std::int32_t,
                                                  const kernels::PartialTreeIndex&, const std::int32_t*,
                                                  PartialTreeWeights<float>&) const;
template void CollapsedPartialTrees::copy_weights(const data::TreeView&, std::int32_t,
                                                  const kernels::PartialTreeIndex&, const std::int32_t*,
                                                  PartialTreeWeights<double>&) const;

// ---- copies

void CollapsedPartialTrees::save(State& state, const std::string& prefix) const {
  const auto& subtrees = index_.subtrees();
  std::vector<std::int32_t> labels, arities, children;
  std::vector<double> weights, internal;
  for (std::int32_t id = 0; id < subtrees.size(); ++id) {
    const auto subtree = subtrees[id];
    labels.push_back(subtree[0]);
    arities.push_back(static_cast<std::int32_t>(subtree.size()) - 1);
    children.insert(children.end(), subtree.begin() + 1, subtree.end());
    for (std::int32_t c = 0; c < columns_; ++c)
      weights.push_back(weights_.of(subtree[0], c)[index_.position(id)]);
  }
  for (std::int32_t label = 0; label < symbols_->labels.size(); ++label)
    for (std::int32_t c = 0; c < columns_; ++c)
      internal.push_back(index_.bucket(label) ? weights_.internal(label, c) : 0);
  state.set(prefix + "labels", std::move(labels));
  state.set(prefix + "arities", std::move(arities));
  state.set(prefix + "children", std::move(children));
  state.set(prefix + "weights", std::move(weights));
  state.set(prefix + "internal_weights", std::move(internal));
}

void CollapsedPartialTrees::load(const State& state, const std::string& prefix) {
  const auto& labels = state.get<std::int32_t>(prefix + "labels");
  const auto& arities = state.get<std::int32_t>(prefix + "arities", labels.size());
  const auto& children = state.get<std::int32_t>(prefix + "children");
  const auto& weights = state.get<double>(prefix + "weights", labels.size() * columns_);
  const auto& internal = state.get<double>(prefix + "internal_weights",
                                           static_cast<std::size_t>(symbols_->labels.size()) * columns_);
  const auto reject = [&](const char* reason) { throw std::invalid_argument(prefix + "labels " + reason); };
  for (const auto* values : {&weights, &internal})
    if (!std::all_of(values->begin(), values->end(), [](double value) { return std::isfinite(value); }))
      throw std::invalid_argument(prefix + "weights holds a value that is not finite");
  std::vector<std::int32_t> key, production;
  std::size_t next_child = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto id = static_cast<std::int32_t>(i);
    if (labels[i] < 0 || labels[i] >= symbols_->labels.size()) reject("has an unknown label");
    if (arities[i] < 0 || static_cast<std::size_t>(arities[i]) > children.size() - next_child)
      reject("and the children do not fit together");
    key.assign(1, labels[i]);
    production = key;
    for (const std::size_t end = next_child + arities[i]; next_child < end; ++next_child) {
      const std::int32_t child = children[next_child];
      if (child < 0 || child >= id) reject("has a subtree before its children");
      key.push_back(child);
      production.push_back(labels[child]);
    }
    std::int32_t production_id = data::no_production;
    if (arities[i] > 0) {
      production_id = symbols_->productions.find(production);
      if (production_id < 0) reject("has an unknown production");
    }
    if (!index_.restore(key, production_id)) reject("has a subtree twice");
    weights_.fit(index_, labels[i]);
    for (std::int32_t c = 0; c < columns_; ++c)
      weights_.of(labels[i], c)[index_.position(id)] = weights[i * columns_ + c];
  }
  if (next_child != children.size()) reject("and the children do not fit together");
  for (std::int32_t label = 0; label < symbols_->labels.size(); ++label)
    for (std::int32_t c = 0; c < columns_ && index_.bucket(label); ++c)
      weights_.internal(label, c) = internal[static_cast<std::size_t>(label) * columns_ + c];
}

}  // namespace hedgerow::models
