// Saving and loading of subset tree models.
//
// Scores are sums over buckets, for every column in an order of its own. So a state holds the subtrees in the
// order in which they arrived, with their weights as they were added up and their places in these orders.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/subset_tree_model.hpp"

namespace hedgerow::models {
namespace {

[[noreturn]] void reject(const std::string& name, const std::string& reason) {
  throw std::invalid_argument(name + " " + reason);
}

const std::vector<double>& finite_numbers(const State& state, const std::string& name, std::size_t length) {
  const auto& values = state.get<double>(name, length);
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
    reject(name, "has values that are not finite");
  return values;
}

}  // namespace

void SubsetTreeModel::save(State& state, const std::string& prefix) const {
  trees_.save(state, prefix);
  std::vector<std::int32_t> subtrees, places;
  std::vector<double> weights;
  for (std::int32_t id = 0; id < index_.subtrees(); ++id) {
    const auto key = index_.key(id);
    subtrees.insert(subtrees.end(), key.begin(), key.end());
    for (std::int32_t c = 0; c < columns(); ++c) {
      weights.push_back(weights_.weight(key[0], index_.position(id), c));
      places.push_back(weights_.place(key[0], index_.position(id), c));
    }
  }
  state.set(prefix + "subtrees", std::move(subtrees));
  state.set(prefix + "weights", std::move(weights));
  state.set(prefix + "places", std::move(places));
  state.set(prefix + "joined", joined_);
  state.set(prefix + "leaf_weights", leaf_weights_);
  state.set(prefix + "coefficients", coefficients_);
  state.set(prefix + "order", slots_in_order());
}

void SubsetTreeModel::load(const State& state, const std::string& prefix) {
  trees_.load(state, prefix);
  load_subtrees(state.get<std::int32_t>(prefix + "subtrees"), prefix + "subtrees");
  load_supports(state.get<std::int32_t>(prefix + "order"), prefix);
  coefficients_ = finite_numbers(state, prefix + "coefficients", at(slots(), 0));
  for (std::int32_t id = 0; id < index_.subtrees(); ++id)
    weights_.reserve(index_.production(id), index_.bucket(index_.production(id)).size);
  joined_.resize(coefficients_.size());
  std::ranges::transform(coefficients_, joined_.begin(), [](double value) { return value != 0; });
  if (state.has(prefix + "joined"))
    joined_ = state.get<std::uint8_t>(prefix + "joined", coefficients_.size());
  for (std::int32_t slot = 0; slot < slots(); ++slot)
    for (std::int32_t c = 0; c < columns(); ++c) {
      if (!joined_[at(slot, c)]) continue;
      if (!trees_.holds(slot)) reject(prefix + "joined", "has a slot that holds no support");
      join(slot, c, 0);
    }
  load_weights(state, prefix);
  if (index_.parameters().bag_of_words) leaf_uses_.resize(at(trees_.symbols().labels.size(), 0), 0);
  leaf_weights_ = finite_numbers(state, prefix + "leaf_weights", leaf_uses_.size());
  for (std::size_t i = 0; i < leaf_weights_.size(); ++i)
    if (leaf_uses_[i] == 0 && leaf_weights_[i] != 0)
      reject(prefix + "leaf_weights", "has a weight of a leaf that no support has");
}

void SubsetTreeModel::load_weights(const State& state, const std::string& prefix) {
  const std::int32_t n = index_.subtrees();
  std::vector<std::int32_t> productions(n), positions(n);
  for (std::int32_t id = 0; id < n; ++id) {
    productions[id] = index_.production(id);
    positions[id] = index_.position(id);
  }
  weights_.load(state, prefix, productions, positions, finite_numbers(state, prefix + "weights", at(n, 0)));
}

void SubsetTreeModel::load_subtrees(const std::vector<std::int32_t>& keys, const std::string& name) {
  const auto& productions = trees_.symbols().productions;
  for (std::size_t at = 0, length; at < keys.size(); at += length) {
    const std::int32_t production = keys[at];
    if (production < 0 || production >= productions.size()) reject(name, "has an unknown production");
    const auto labels = productions[production];
    length = labels.size();
    if (length > keys.size() - at) reject(name, "breaks off");
    const std::span<const std::int32_t> key(keys.data() + at, length);
    for (std::size_t place = 1; place < length; ++place) {
      const std::int32_t child = key[place];
      if (child < -1 || child >= index_.subtrees()) reject(name, "has an unknown child");
      if (child >= 0 && productions[index_.production(child)][0] != labels[place])
        reject(name, "has a child with another label than its production says");
    }
    if (!index_.add_subtree(key)) reject(name, "has a subtree twice");
  }
}

void SubsetTreeModel::load_supports(const std::vector<std::int32_t>& order, const std::string& prefix) {
  supports_.resize(slots());
  changed_.resize(index_.productions(), 0);
  const std::int32_t known = index_.subtrees();
  kernels::TreeSelfKernels<kernels::SubsetTreeParameters> self_kernels(index_.parameters(),
                                                                       trees_.shared_symbols());
  for (std::int32_t slot : order) {
    if (!trees_.holds(slot) || supports_[slot].tree >= 0)
      reject(prefix + "order", "does not list the supports once each");
    Support& support = supports_[slot];
    if (normalized_)
      support.norm = self_kernels.norm(trees_[slot]);
    else
      support.self = self_kernels.value(trees_[slot]);
    extreme_supports_ += support.norm.is_extreme;
    index_tree(slot);
    if (index_.subtrees() != known) reject(prefix + "subtrees", "lacks a subtree of a support");
  }
  for (std::int32_t slot = 0; slot < slots(); ++slot)
    if (trees_.holds(slot) && supports_[slot].tree < 0)
      reject(prefix + "order", "does not list the supports once each");
}

}  // namespace hedgerow::models
