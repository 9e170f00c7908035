#include "check_forest.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace hedgerow::fuzz {

void require(bool condition, const char* message, const char* detail) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s %s\n", message, detail);
  std::abort();
}

namespace {

void check_tree(const data::TreeView& tree, const data::Symbols& symbols) {
  std::vector<std::int32_t> waiting;  // finished nodes without a parent yet
  std::vector<std::int32_t> production;
  std::int32_t links = 0;
  for (std::int32_t node = 0; node < tree.size; ++node) {
    require(tree.label[node] >= 0 && tree.label[node] < symbols.labels.size(),
            "a label is in the vocabulary");
    require(tree.child_begin[node] == links, "links follow each other without gaps");
    const std::int32_t arity = tree.arity(node);
    require(arity >= 0 && arity <= static_cast<std::int32_t>(waiting.size()), "children come before parents");
    links += arity;
    const auto children = tree.children(node);
    require(std::equal(children.begin(), children.end(), waiting.end() - arity),
            "children are the last finished nodes");
    waiting.resize(waiting.size() - arity);
    waiting.push_back(node);

    require(tree.is_leaf(node) == (arity == 0), "only leaves have no production");
    if (arity == 0) continue;
    require(tree.production[node] < symbols.productions.size(), "a production is in the vocabulary");
    production.assign(1, tree.label[node]);
    for (std::int32_t child : children) production.push_back(tree.label[child]);
    const auto known = symbols.productions[tree.production[node]];
    require(std::equal(known.begin(), known.end(), production.begin(), production.end()),
            "a production is the node's label and those of its children");
  }
  if (tree.size > 0) {
    require(links == tree.size - 1, "every node but the root has one parent");
    require(waiting.size() == 1, "there is one root");
  }
}

void check_round_trip(const data::Forest& forest, data::BracketOptions options, data::LeafStyle style) {
  data::ForestBuilder one_by_one;
  std::string lines, text;
  std::vector<std::int64_t> printed;  // empty trees have no text
  for (std::int64_t t = 0; t < forest.size(); ++t) {
    if (forest.tree_size(t) == 0) continue;
    text.clear();
    data::write_tree(forest, t, style, text);
    require(!data::read_only_tree(text, one_by_one, options), "a printed tree can be read");
    one_by_one.end_tree();
    lines += text + '\n';
    printed.push_back(t);
  }
  const data::Forest expected = data::select(forest, printed);
  require(one_by_one.finish() == expected, "a printed tree reads back as it was");
  for (data::Layout layout : {data::Layout::lines, data::Layout::free}) {
    const data::BracketText again = data::read_bracket_text(lines, layout, false, options);
    require(again.errors.empty() && again.forest == expected, "printed lines read back as they were");
  }
  const data::BracketText field = data::read_bracket_field(lines, 0, false, options);
  require(field.errors.empty() && field.forest == expected, "printed lines read back as fields");
}

}  // namespace

void check_arrays(const data::Forest& forest) {
  const std::size_t nodes = forest.label.size();
  require(forest.tree_begin.front() == 0 && forest.tree_begin.back() == static_cast<std::int64_t>(nodes),
          "the trees span all nodes");
  require(std::is_sorted(forest.tree_begin.begin(), forest.tree_begin.end()), "trees follow each other");
  for (const auto* array : {&forest.production, &forest.child_begin, &forest.child})
    require(array->size() == nodes, "every array has one entry a node");
  for (std::int64_t t = 0; t < forest.size(); ++t) check_tree(forest[t], *forest.symbols);
}

void check_copies(const data::Forest& forest, data::BracketOptions options) {
  if (forest.label.empty()) return;
  const data::Forest compacted = data::compact(forest);
  check_arrays(compacted);
  require(compacted == forest, "a compacted forest is the same forest");
  if (!options.spaces_in_leaves) {
    require(!data::unprintable_label(forest, false), "what was read can be printed");
    check_round_trip(forest, options, data::LeafStyle::bare);
    check_round_trip(forest, options, data::LeafStyle::bracketed);
  } else if (!data::unprintable_label(forest, true)) {
    check_round_trip(forest, options, data::LeafStyle::bracketed);
  }
}

}  // namespace hedgerow::fuzz
