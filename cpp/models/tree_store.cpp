#include "models/tree_store.hpp"

namespace hedgerow::models {

namespace {

std::shared_ptr<const Texts> labels_of(const data::Forest& forest) {
  return {forest.symbols, &forest.symbols->labels};
}

}  // namespace

TreeStore::Reader::Reader(const TreeStore& store, const Items& batch, std::int64_t begin, std::int64_t end)
    : forest_(*items_as<TreeItems>(batch, "trees").forest) {
  codes_.use(labels_of(forest_));
  for (std::int64_t v = forest_.tree_begin[begin]; v < forest_.tree_begin[end]; ++v)
    codes_.find(forest_.label[v], store.labels());
}

void TreeStore::open(const std::shared_ptr<const Items>& batch) {
  trees_.open(batch);
  codes_.use(labels_of(trees_.batch()));
}

kernels::CodedTree TreeStore::item(std::int64_t item) {
  const data::TreeView tree = trees_.batch()[item];
  for (std::int32_t v = 0; v < tree.size; ++v) codes_.find(tree.label[v], labels());
  return {tree, codes_.data()};
}

void TreeStore::put(std::int32_t slot, std::int64_t item) {
  trees_.put(slot, item);
  const data::TreeView tree = trees_.batch()[item], own = trees_[slot];
  for (std::int32_t v = 0; v < tree.size; ++v) codes_.set(tree.label[v], own.label[v]);
}

TreeStore TreeStore::compacted() const {
  TreeStore result = *this;
  result.trees_.compact();
  result.codes_.forget();
  return result;
}

void TreeStore::load(const State& state, const std::string& prefix) {
  trees_.load(state, prefix);
  codes_.forget();
}

}  // namespace hedgerow::models
