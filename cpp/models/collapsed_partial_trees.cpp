#include "models/collapsed_partial_trees.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "models/fields.hpp"
#include "models/kernel_model.hpp"

namespace hedgerow::models {

CollapsedPartialTrees::CollapsedPartialTrees(const kernels::PartialTreeParameters& parameters,
                                             std::shared_ptr<const data::Symbols> symbols,
                                             std::int32_t columns)
    : columns_(columns), symbols_(std::move(symbols)), index_(parameters, symbols_), weights_(columns) {}

std::int32_t CollapsedPartialTrees::insert(const data::TreeView& tree) {
  const std::int32_t number = index_.size();
  node_ids_.resize(tree.size);
  index_.number(tree, node_ids_.data());
  index_.insert(tree, node_ids_.data());
  internal_.resize(at(symbols_->labels.size(), 0), 0.0);
  inner_nodes_.resize(internal_.size(), 0);
  for (std::int32_t v = 0; v < tree.size; ++v) {
    positions_.push_back(index_.position(node_ids_[v]));
    weights_.reserve(tree.label[v], index_.bucket(tree.label[v])->size);
  }
  first_position_.push_back(positions_.size());
  return number;
}

void CollapsedPartialTrees::join(const data::TreeView& tree, std::int32_t number, std::int32_t column,
                                 double weight) {
  const std::int32_t* const position = positions(number);
  for (std::int32_t v = 0; v < tree.size; ++v) {
    weights_.join(tree.label[v], position[v], column, weight);
    if (tree.is_leaf(v)) continue;
    ++inner_nodes_[at(tree.label[v], column)];
    internal_[at(tree.label[v], column)] += weight;
  }
}

void CollapsedPartialTrees::add_weight(const data::TreeView& tree, std::int32_t number, std::int32_t column,
                                       double delta) {
  const std::int32_t* const position = positions(number);
  for (std::int32_t v = 0; v < tree.size; ++v) {
    weights_.add(tree.label[v], position[v], column, delta);
    if (!tree.is_leaf(v)) internal_[at(tree.label[v], column)] += delta;
  }
}

void CollapsedPartialTrees::scale_weights(std::int32_t column, double factor) {
  weights_.scale(column, factor);
  for (std::size_t i = column; i < internal_.size(); i += columns_) internal_[i] *= factor;
}

void CollapsedPartialTrees::leave(const data::TreeView& tree, std::int32_t number, std::int32_t column,
                                  double weight) {
  const std::int32_t* const position = positions(number);
  for (std::int32_t v = 0; v < tree.size; ++v) {
    weights_.leave(tree.label[v], position[v], column, weight);
    if (tree.is_leaf(v)) continue;
    internal_[at(tree.label[v], column)] -= weight;
    if (--inner_nodes_[at(tree.label[v], column)] == 0) internal_[at(tree.label[v], column)] = 0;
  }
}

// The sum over the nodes of one label that match one subtree each: to the last bit that of a vector of zeros
// with what these share, whichever way the label of a smaller or larger model has it.
double CollapsedPartialTrees::single_score(std::span<const kernels::PartialTreeSums<double>::Single> singles,
                                           std::int32_t label, std::int32_t column,
                                           std::vector<double>& zeros) const {
  std::int32_t position = -1;
  bool several = false;
  double shared = 0;
  for (const auto& single : singles) {
    if (single.label != label || weights_.place(label, single.position, column) < 0) continue;
    several = several || (position >= 0 && position != single.position);
    position = single.position;
    shared += single.beyond;
  }
  if (position < 0) return 0;
  if (!several) return shared * weights_.weight(label, position, column);
  zeros.resize(std::max(zeros.size(), static_cast<std::size_t>(index_.bucket(label)->size)), 0.0);
  for (const auto& single : singles)
    if (single.label == label) zeros[single.position] += single.beyond;
  const double score = weights_.dot(label, column, zeros.data());
  for (const auto& single : singles)
    if (single.label == label) zeros[single.position] = 0;
  return score;
}

void CollapsedPartialTrees::add_scores(kernels::PartialTreeSums<double>& sums, std::int32_t columns,
                                       std::vector<double>& zeros, double* out) const {
  for (const auto& sum : sums.labels()) {
    const std::int32_t leaf = index_.bucket(sum.label)->leaf_position;
    const auto shares = sum.shares_of_single_nodes(index_.parameters());
    const double* const internal = internal_.data() + at(sum.label, 0);
    for (std::int32_t c = 0; c < columns; ++c) {
      out[c] += shares.internal * internal[c];
      if (leaf >= 0) out[c] += shares.leaf * weights_.weight(sum.label, leaf, c);
      if (sum.singles > 0) out[c] += single_score(sums.singles(), sum.label, c, zeros);
    }
    if (sum.dense)
      weights_.add_dots(sum.label, columns, sum.beyond.data(), static_cast<std::int32_t>(sum.beyond.size()),
                        out);
  }
}

void CollapsedPartialTrees::rearrange(std::span<const std::int32_t> from) {
  rearrange_rows(internal_, columns_, from);
  rearrange_rows(inner_nodes_, columns_, from);
  weights_.rearrange(from);
  columns_ = static_cast<std::int32_t>(from.size());
}

void CollapsedPartialTrees::take_over(const data::TreeView& tree, std::int32_t number,
                                      const CollapsedPartialTrees& old, std::int32_t old_number,
                                      std::span<const std::int32_t> old_labels) {
  const std::int32_t *const position = positions(number), *const old_position = old.positions(old_number);
  for (std::int32_t v = 0; v < tree.size; ++v) {
    weights_.take_over(tree.label[v], position[v], old.weights_, old_labels[v], old_position[v]);
    std::copy_n(old.internal_.data() + at(old_labels[v], 0), columns_,
                internal_.data() + at(tree.label[v], 0));
    std::copy_n(old.inner_nodes_.data() + at(old_labels[v], 0), columns_,
                inner_nodes_.data() + at(tree.label[v], 0));
  }
}

template <class Real>
void CollapsedPartialTrees::copy_weights(const data::TreeView& tree, std::int32_t number,
                                         const kernels::PartialTreeIndex& other,
                                         const std::int32_t* other_ids, PartialTreeWeights<Real>& to) const {
  const std::int32_t* const position = positions(number);
  for (std::int32_t v = 0; v < tree.size; ++v) {
    const std::int32_t label = tree.label[v];
    to.fit(other, label);
    for (std::int32_t c = 0; c < columns_; ++c) {
      to.of(label, c)[other.position(other_ids[v])] =
          static_cast<Real>(weights_.weight(label, position[v], c));
      to.internal(label, c) = internal_[at(label, c)];
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
  std::vector<std::int32_t> labels, arities, children, places;
  std::vector<double> weights, internal;
  for (std::int32_t id = 0; id < subtrees.size(); ++id) {
    const auto subtree = subtrees[id];
    labels.push_back(subtree[0]);
    arities.push_back(static_cast<std::int32_t>(subtree.size()) - 1);
    children.insert(children.end(), subtree.begin() + 1, subtree.end());
    for (std::int32_t c = 0; c < columns_; ++c) {
      weights.push_back(weights_.weight(subtree[0], index_.position(id), c));
      places.push_back(weights_.place(subtree[0], index_.position(id), c));
    }
  }
  for (std::int32_t label = 0; label < symbols_->labels.size(); ++label)
    for (std::int32_t c = 0; c < columns_; ++c)
      internal.push_back(index_.bucket(label) ? internal_[at(label, c)] : 0);
  state.set(prefix + "labels", std::move(labels));
  state.set(prefix + "arities", std::move(arities));
  state.set(prefix + "children", std::move(children));
  state.set(prefix + "weights", std::move(weights));
  state.set(prefix + "places", std::move(places));
  state.set(prefix + "internal_weights", std::move(internal));
}

void CollapsedPartialTrees::load(const State& state, const std::string& prefix) {
  const auto& labels = state.get<std::int32_t>(prefix + "labels");
  const auto& arities = state.get<std::int32_t>(prefix + "arities", labels.size());
  const auto& children = state.get<std::int32_t>(prefix + "children");
  const auto reject = [&](const char* reason) { throw std::invalid_argument(prefix + "labels " + reason); };
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
    weights_.reserve(labels[i], index_.bucket(labels[i])->size);
  }
  if (next_child != children.size()) reject("and the children do not fit together");
}

void CollapsedPartialTrees::load_weights(const State& state, const std::string& prefix) {
  const std::int32_t n = index_.subtrees().size();
  const auto& weights = numbers_in(finite, state, prefix + "weights", at(n, 0));
  internal_ = numbers_in(finite, state, prefix + "internal_weights", at(symbols_->labels.size(), 0));
  inner_nodes_.resize(internal_.size(), 0);
  std::vector<std::int32_t> labels(n), positions(n);
  for (std::int32_t id = 0; id < n; ++id) {
    labels[id] = index_.subtrees()[id][0];
    positions[id] = index_.position(id);
  }
  weights_.load(state, prefix, labels, positions, weights);
}

}  // namespace hedgerow::models
