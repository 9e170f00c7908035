#include "models/tree_store.hpp"

#include <stdexcept>
#include <string_view>

#include "data/forest_builder.hpp"

namespace hedgerow {

namespace {

std::shared_ptr<const Texts> labels_of(const Forest& forest) {
  return {forest.symbols, &forest.symbols->labels};
}

}  // namespace

TreeStore::Reader::Reader(const TreeStore& store, const Items& batch, std::int64_t begin, std::int64_t end)
    : forest_(*items_as<TreeItems>(batch, "trees").forest) {
  codes_.use(labels_of(forest_));
  for (std::int64_t v = forest_.tree_begin[begin]; v < forest_.tree_begin[end]; ++v)
    codes_.find(forest_.label[v], store.labels());
}

void TreeStore::open(std::shared_ptr<const Items> batch) {
  items_as<TreeItems>(*batch, "trees");
  batch_ = std::static_pointer_cast<const TreeItems>(std::move(batch));
  codes_.use(labels_of(*batch_->forest));
}

CodedTree TreeStore::item(std::int64_t item) {
  const TreeView tree = (*batch_->forest)[item];
  for (std::int32_t v = 0; v < tree.size; ++v) codes_.find(tree.label[v], labels());
  return {tree, codes_.data()};
}

void TreeStore::put(std::int32_t slot, std::int64_t item) {
  const TreeView tree = (*batch_->forest)[item];
  std::vector<std::int32_t> key;
  const auto base = static_cast<std::size_t>(trees_.node_count());
  for (std::int32_t v = 0; v < tree.size; ++v) {
    trees_.label.push_back(codes_.intern(tree.label[v], symbols_->labels));
    std::int32_t production = no_production;
    if (!tree.is_leaf(v)) {
      key.assign(1, trees_.label.back());
      for (std::int32_t child : tree.children(v)) key.push_back(trees_.label[base + child]);
      production = symbols_->productions.intern(key);
    }
    trees_.production.push_back(production);
  }
  trees_.child_begin.insert(trees_.child_begin.end(), tree.child_begin, tree.child_begin + tree.size);
  trees_.child.insert(trees_.child.end(), tree.child, tree.child + tree.size);
  trees_.tree_begin.push_back(static_cast<std::int64_t>(trees_.label.size()));
  if (slot == slots()) tree_of_slot_.push_back(-1);
  tree_of_slot_[slot] = trees_.size() - 1;
}

void TreeStore::erase(std::int32_t slot) {
  if (is_free(slot)) return;
  garbage_ += trees_.tree_size(tree_of_slot_[slot]);
  tree_of_slot_[slot] = -1;
}

std::shared_ptr<const Items> TreeStore::supports(std::span<const std::int32_t> slots) const {
  std::vector<std::int64_t> chosen;
  for (std::int32_t slot : slots) {
    if (is_free(slot)) throw std::invalid_argument("slot " + std::to_string(slot) + " is free");
    chosen.push_back(tree_of_slot_[slot]);
  }
  return std::make_shared<TreeItems>(std::make_shared<Forest>(compact(select(trees_, chosen))));
}

TreeStore TreeStore::compacted() const {
  TreeStore result;
  std::vector<std::int64_t> kept;
  for (std::int64_t tree : tree_of_slot_) {
    result.tree_of_slot_.push_back(tree < 0 ? -1 : static_cast<std::int64_t>(kept.size()));
    if (tree >= 0) kept.push_back(tree);
  }
  result.trees_ = compact(select(trees_, kept));
  result.symbols_ = std::make_shared<Symbols>(*result.trees_.symbols);
  result.trees_.symbols = result.symbols_;
  result.batch_ = batch_;
  if (batch_) result.codes_.use(labels_of(*batch_->forest));
  return result;
}

// Trees in post-order with the number of children of each node; a free slot has size -1.
void TreeStore::save(State& state, const std::string& prefix) const {
  const TreeStore own = compacted();
  std::vector<std::int64_t> sizes;
  std::vector<std::int32_t> arity;
  for (std::int32_t slot = 0; slot < slots(); ++slot) {
    const TreeView tree = own.support(slot).tree;
    sizes.push_back(own.is_free(slot) ? -1 : tree.size);
    for (std::int32_t v = 0; v < tree.size; ++v) arity.push_back(tree.arity(v));
  }
  save_texts(state, prefix + "labels", own.labels());
  state.set(prefix + "node_labels", own.trees_.label);
  state.set(prefix + "arity", std::move(arity));
  state.set(prefix + "tree_sizes", std::move(sizes));
}

void TreeStore::load(const State& state, const std::string& prefix) {
  const Texts texts = load_texts(state, prefix + "labels");
  std::vector<std::string_view> names;
  for (std::int32_t id = 0; id < texts.size(); ++id) names.emplace_back(texts[id].data(), texts[id].size());
  const auto& sizes = state.get<std::int64_t>(prefix + "tree_sizes");
  if (sizes.size() > INT32_MAX) throw std::invalid_argument(prefix + "tree_sizes has the wrong length");
  TreeStore loaded;
  std::vector<std::int64_t> kept;
  for (std::int64_t size : sizes) {
    if (size < -1) throw std::invalid_argument(prefix + "tree_sizes are out of range");
    loaded.tree_of_slot_.push_back(size < 0 ? -1 : static_cast<std::int64_t>(kept.size()));
    if (size >= 0) kept.push_back(size);
  }
  loaded.trees_ = forest_from_postorder(names, state.get<std::int32_t>(prefix + "node_labels"),
                                        state.get<std::int32_t>(prefix + "arity"), kept);
  loaded.symbols_ = std::make_shared<Symbols>(*loaded.trees_.symbols);
  loaded.trees_.symbols = loaded.symbols_;
  *this = std::move(loaded);
}

}  // namespace hedgerow
