#include "data/forest.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace hedgerow::data {
namespace {

void append(std::vector<std::int32_t>& to, const std::vector<std::int32_t>& from, std::int64_t begin,
            std::int64_t end) {
  to.insert(to.end(), from.begin() + begin, from.begin() + end);
}

void rename(std::vector<std::int32_t>& ids, std::int64_t begin, const std::vector<std::int32_t>& map) {
  for (std::size_t i = begin; i < ids.size(); ++i)
    if (ids[i] >= 0) ids[i] = map[ids[i]];
}

}  // namespace

void Forest::append(const TreeView& tree) {
  label.insert(label.end(), tree.label, tree.label + tree.size);
  production.insert(production.end(), tree.production, tree.production + tree.size);
  child_begin.insert(child_begin.end(), tree.child_begin, tree.child_begin + tree.size);
  child.insert(child.end(), tree.child, tree.child + tree.size);
  tree_begin.push_back(static_cast<std::int64_t>(label.size()));
}

Forest part(const Forest& forest, std::int64_t begin, std::int64_t end) {
  if (begin == 0 && end == forest.size()) return forest;
  std::vector<std::int64_t> trees(end - begin);
  std::iota(trees.begin(), trees.end(), begin);
  return select(forest, trees);
}

Forest select(const Forest& forest, std::span<const std::int64_t> trees) {
  Forest result;
  result.symbols = forest.symbols;
  std::int64_t nodes = 0;
  for (std::int64_t t : trees) nodes += forest.tree_size(t);
  result.tree_begin.reserve(trees.size() + 1);
  for (auto* array : {&result.label, &result.production, &result.child_begin, &result.child})
    array->reserve(nodes);
  for (std::int64_t t : trees) {
    const std::int64_t begin = forest.tree_begin[t], end = forest.tree_begin[t + 1];
    append(result.label, forest.label, begin, end);
    append(result.production, forest.production, begin, end);
    append(result.child_begin, forest.child_begin, begin, end);
    append(result.child, forest.child, begin, end);
    result.tree_begin.push_back(static_cast<std::int64_t>(result.label.size()));
  }
  return result;
}

Forest concatenate(std::span<const Forest* const> forests) {
  Forest result;
  if (forests.empty()) return result;
  result = *forests[0];
  std::shared_ptr<Symbols> joint;                      // made only when the vocabularies differ
  std::unordered_map<const Symbols*, SymbolMap> maps;  // many forests may share a large vocabulary
  for (const Forest* forest : forests.subspan(1)) {
    const std::int64_t base = result.node_count();
    append(result.label, forest->label, 0, forest->node_count());
    append(result.production, forest->production, 0, forest->node_count());
    append(result.child_begin, forest->child_begin, 0, forest->node_count());
    append(result.child, forest->child, 0, forest->node_count());
    for (std::int64_t t = 1; t <= forest->size(); ++t)
      result.tree_begin.push_back(base + forest->tree_begin[t]);
    if (forest->symbols != forests[0]->symbols) {
      if (!joint) joint = std::make_shared<Symbols>(*forests[0]->symbols);
      const auto [place, is_new] = maps.try_emplace(forest->symbols.get());
      SymbolMap& map = place->second;
      if (is_new) map = merge_symbols(*forest->symbols, *joint);
      rename(result.label, base, map.label);
      rename(result.production, base, map.production);
    }
  }
  if (joint) result.symbols = joint;
  return result;
}

Forest translate(const Forest& forest, const std::shared_ptr<Symbols>& target) {
  const SymbolMap map = merge_symbols(*forest.symbols, *target);
  Forest result = forest;
  result.symbols = target;
  rename(result.label, 0, map.label);
  rename(result.production, 0, map.production);
  return result;
}

Forest subtrees_of_root(const Forest& forest, std::int64_t tree) {
  Forest result;
  result.symbols = forest.symbols;
  const TreeView view = forest[tree];
  if (view.size == 0) return result;
  std::int32_t first = 0;  // in post-order a child's subtree lies between its elder sibling and itself
  for (std::int32_t root : view.children(view.size - 1)) {
    const std::int32_t links = view.child_begin[first];
    for (std::int32_t v = first; v <= root; ++v) {
      result.label.push_back(view.label[v]);
      result.production.push_back(view.production[v]);
      result.child_begin.push_back(view.child_begin[v] - links);
    }
    for (std::int32_t i = 0; i < root - first; ++i) result.child.push_back(view.child[links + i] - first);
    result.child.push_back(0);
    result.tree_begin.push_back(static_cast<std::int64_t>(result.label.size()));
    first = root + 1;
  }
  return result;
}

Forest renamed(std::span<const TreeView> trees) {
  Forest result;
  auto symbols = std::make_shared<Symbols>();
  std::vector<std::int32_t> key;
  for (const TreeView& tree : trees) {
    const std::int64_t first = result.node_count();
    result.append(tree);
    std::int32_t* const label = result.label.data() + first;
    for (std::int32_t v = 0; v < tree.size; ++v) {
      const char* const name = reinterpret_cast<const char*>(tree.label + v);
      label[v] = symbols->labels.intern({name, sizeof(std::int32_t)});
      if (tree.is_leaf(v)) continue;
      key.assign(1, label[v]);
      for (const std::int32_t child : tree.children(v)) key.push_back(label[child]);
      result.production[first + v] = symbols->productions.intern(key);
    }
  }
  result.symbols = std::move(symbols);
  return result;
}

Forest compact(const Forest& forest) {
  Forest result = forest;
  auto symbols = std::make_shared<Symbols>();
  std::vector<std::int32_t> label_map(forest.symbols->labels.size(), -1);
  std::vector<std::int32_t> production_map(forest.symbols->productions.size(), -1);
  std::vector<std::int32_t> key;
  for (std::int32_t& label : result.label) {
    std::int32_t& mapped = label_map[label];
    if (mapped < 0) mapped = symbols->labels.intern(forest.symbols->labels[label]);
    label = mapped;
  }
  for (std::int32_t& production : result.production) {
    if (production == no_production) continue;
    std::int32_t& mapped = production_map[production];
    if (mapped < 0) {
      key.clear();
      for (std::int32_t label : forest.symbols->productions[production]) key.push_back(label_map[label]);
      mapped = symbols->productions.intern(key);
    }
    production = mapped;
  }
  result.symbols = symbols;
  return result;
}

bool operator==(const Forest& a, const Forest& b) {
  if (a.tree_begin != b.tree_begin || a.child_begin != b.child_begin) return false;
  // Arity and post-order fix the shape, so only labels remain to be compared.
  if (a.symbols == b.symbols) return a.label == b.label;
  constexpr std::int32_t unknown = -1;
  std::vector<std::int32_t> a_to_b(a.symbols->labels.size(), unknown);
  for (std::size_t i = 0; i < a.label.size(); ++i) {
    std::int32_t& mapped = a_to_b[a.label[i]];
    if (mapped == unknown) mapped = b.symbols->labels.find(a.symbols->labels[a.label[i]]);
    if (mapped != b.label[i]) return false;
  }
  return true;
}

}  // namespace hedgerow::data
