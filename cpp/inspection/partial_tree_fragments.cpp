#include "inspection/partial_tree_fragments.hpp"

#include <map>
#include <utility>

#include "data/sequence_table.hpp"

namespace hedgerow::inspection {
namespace {

enum class End : std::int8_t { any, leaf, internal };

struct Node {
  std::int32_t label;
  std::int32_t parent;
  End end;  // what the node is while it has no children
};

// A node on the rightmost path of a fragment.
struct PathNode {
  std::int32_t node;      // of the fragment
  std::int32_t children;  // so far
};

// How a fragment is embedded, as far as matters for what can be added: the images of the nodes on its
// rightmost path, and the place of the last child selected below each. Embeddings that agree in these are
// one. Where no child can be added any more, the image does not matter.
constexpr std::int32_t full = -1;
struct Embeddings {
  std::int32_t depth = 0;           // of the path
  std::vector<std::int32_t> where;  // depth pairs for each: an image, and the place after the last child
  std::vector<double> positive, negative;

  std::size_t size() const { return positive.size(); }
  std::size_t bytes() const { return sizeof(std::int32_t) * where.size() + 2 * sizeof(double) * size(); }
  const std::int32_t* of(std::size_t embedding) const { return where.data() + 2 * depth * embedding; }
  std::int32_t end(std::size_t embedding) const { return of(embedding)[2 * (depth - 1)]; }
  void add(const std::int32_t* images, double plus, double minus) {
    where.insert(where.end(), images, images + 2 * depth);
    positive.push_back(plus);
    negative.push_back(minus);
  }
  SignedSum sums() const {
    SignedSum result;
    for (const double value : positive) result.positive += value;
    for (const double value : negative) result.negative += value;
    return result;
  }
};

using ByLabel = std::map<std::int32_t, Embeddings>;

// Embeddings with one more child below the node at `level` of the path, by its label; only labels in
// `wanted`, if that is given. last: whether no further child can be added there.
ByLabel extend(const CollapsedForest& trees, const Embeddings& from, std::int32_t level, double decay,
               bool last, const ByLabel* wanted) {
  data::SequenceTable<std::int32_t> table;
  std::vector<SignedSum> sums;
  std::vector<std::int32_t> key;
  for (std::size_t e = 0; e < from.size(); ++e) {
    const std::int32_t* const images = from.of(e);
    if (images[2 * level] == full) continue;
    const auto children = trees.children(images[2 * level]);
    const std::int32_t after = images[2 * level + 1];
    double factor = 1;
    key.assign(images, images + 2 * (level + 1));
    key.resize(key.size() + 2, 0);
    for (auto i = static_cast<std::size_t>(after); i < children.size(); ++i) {
      const double by = factor;
      if (after > 0) factor *= decay;  // before the first child nothing is skipped
      const std::int32_t label = trees.label(children[i]);
      if (label < 0 || (wanted && !wanted->contains(label))) continue;  // unknown to the model or the example
      const bool is_full = last || i + 1 == children.size();
      key[2 * level] = is_full ? full : images[2 * level];
      key[2 * level + 1] = is_full ? 0 : static_cast<std::int32_t>(i) + 1;
      key[2 * level + 2] = children[i];
      const auto id = static_cast<std::size_t>(table.intern(key));
      if (id == sums.size()) sums.emplace_back();
      sums[id].positive += by * from.positive[e];
      sums[id].negative += by * from.negative[e];
    }
  }
  ByLabel result;
  for (std::int32_t id = 0; id < table.size(); ++id) {
    const auto images = table[id];
    Embeddings& embeddings = result[trees.label(images[images.size() - 2])];
    embeddings.depth = level + 2;
    embeddings.add(images.data(), sums[id].positive, sums[id].negative);
  }
  return result;
}

// Those whose end is a leaf, or is none.
Embeddings with_end(const CollapsedForest& trees, const Embeddings& from, End end) {
  if (end == End::any) return from;
  Embeddings result;
  result.depth = from.depth;
  for (std::size_t e = 0; e < from.size(); ++e)
    if (trees.is_leaf(from.end(e)) == (end == End::leaf))
      result.add(from.of(e), from.positive[e], from.negative[e]);
  return result;
}

struct State {
  Bounds bounds;
  std::vector<Node> nodes;  // in pre-order
  std::vector<PathNode> path;
  double factor = 1;  // of nodes and ends
  Embeddings model, example;

  std::size_t bytes() const {
    return sizeof(State) + sizeof(Node) * nodes.size() + sizeof(PathNode) * path.size() + model.bytes() +
           example.bytes();
  }
};

class Search {
 public:
  Search(const FragmentQuery& query, const kernels::PartialTreeParameters& kernel, const Growth& model,
         const Growth* example)
      : query_(query),
        kernel_(kernel),
        ends_(kernel),
        per_node_(std::sqrt(kernel.vertical_decay)),
        model_growth_(model),
        example_growth_(example),
        best_(query) {}

  FoundFragments run() {
    for (std::int32_t label = 0; label < query_.model.labels(); ++label) {
      State state;
      state.example.depth = state.model.depth = 1;
      if (query_.example) {
        fill(state.example, query_.example->with_label(label), query_.count);
        if (state.example.size() == 0) continue;
      }
      fill(state.model, query_.model.with_label(label), query_.weight);
      if (state.model.size() == 0) continue;
      add_node(std::move(state), label, -1);
    }
    return best_.run([&](const State& state) { grow(state); });
  }

 private:
  static void fill(Embeddings& embeddings, std::span<const std::int32_t> subtrees,
                   std::span<const double> weight) {
    for (const std::int32_t s : subtrees) {
      const std::int32_t image[2] = {s, 0};
      if (weight[s] != 0) embeddings.add(image, std::max(weight[s], 0.0), std::max(-weight[s], 0.0));
    }
  }

  // Completes a state whose embeddings have one node more than its fragment, as every kind of end.
  void add_node(State&& state, std::int32_t label, std::int32_t parent) {
    const auto node = static_cast<std::int32_t>(state.nodes.size());
    state.nodes.push_back({label, parent, End::any});
    state.path.push_back({node, 0});
    state.factor *= per_node_;
    for (const auto& [end, value] :
         {std::pair{End::leaf, ends_.leaf}, std::pair{End::internal, ends_.internal}}) {
      if (value == 0) continue;
      State of_kind = state;
      of_kind.nodes.back().end = end;
      of_kind.factor *= value;
      of_kind.model = with_end(query_.model, state.model, end);
      if (query_.example) of_kind.example = with_end(*query_.example, state.example, end);
      if (of_kind.model.size() > 0 && (!query_.example || of_kind.example.size() > 0))
        consider(std::move(of_kind));
    }
    state.factor *= ends_.any;
    consider(std::move(state));
  }

  void grow(const State& state) {
    for (std::int32_t level = static_cast<std::int32_t>(state.path.size()) - 1; level >= 0; --level) {
      if (!may_add(state, level)) continue;
      const bool last = state.path[level].children + 1 == kernel_.max_length;
      ByLabel in_example;
      if (query_.example) {
        in_example = extend(*query_.example, state.example, level, kernel_.decay, last, nullptr);
        if (in_example.empty()) continue;
      }
      for (auto& [label, embeddings] : extend(query_.model, state.model, level, kernel_.decay, last,
                                              query_.example ? &in_example : nullptr)) {
        State next;
        if (query_.example) {
          next.example = std::move(in_example.at(label));
        }
        next.model = std::move(embeddings);
        next.nodes = state.nodes;
        next.path.assign(state.path.begin(), state.path.begin() + level + 1);
        next.factor = is_end(state, level) ? state.factor / ends_.any : state.factor;
        ++next.path.back().children;
        add_node(std::move(next), label, state.path[level].node);
      }
    }
  }

  static bool is_end(const State& state, std::int32_t level) { return state.path[level].children == 0; }
  bool may_add(const State& state, std::int32_t level) const {
    const PathNode& at = state.path[level];
    if (kernel_.max_length > 0 && at.children == kernel_.max_length) return false;
    return at.children > 0 || state.nodes[at.node].end == End::any;
  }

  // The sums over embeddings, each times what can at most be gained by adding one node or more.
  SignedSum grown(const State& state, const Embeddings& embeddings, const Growth& growth) const {
    SignedSum result;
    for (std::size_t e = 0; e < embeddings.size(); ++e) {
      const std::int32_t* const images = embeddings.of(e);
      double product = 1, share = 0;
      for (std::int32_t level = 0; level < embeddings.depth; ++level) {
        if (images[2 * level] == full || !may_add(state, level)) continue;
        double some = growth.some(images[2 * level], images[2 * level + 1]);
        double more = growth.more(images[2 * level], images[2 * level + 1]);
        if (is_end(state, level)) {
          more /= ends_.any;
          some = std::max(1.0, more);
        }
        product *= some;
        share = std::max(share, more / some);
      }
      // Growth may be infinite, and nothing times infinity is nothing here.
      if (embeddings.positive[e] > 0) result.positive += embeddings.positive[e] * product * share;
      if (embeddings.negative[e] > 0) result.negative += embeddings.negative[e] * product * share;
    }
    return result;
  }

  // Offers the fragment, and keeps it for later if something may grow out of it.
  void consider(State&& state) {
    if (kernel_.lexical || state.nodes.size() > 1)
      best_.offer(state.factor * state.model.sums().value(),
                  query_.example ? state.factor * state.example.sums().value() : 1.0,
                  [&] { return tree(state); });
    double factor = state.factor;
    if (query_.example) factor *= state.factor * grown(state, state.example, *example_growth_).positive;
    if (factor == 0) return;
    state.bounds = best_.bounds(grown(state, state.model, model_growth_), factor);
    if (best_.may_matter(state.bounds)) best_.push(std::move(state));
  }

  FragmentTree tree(const State& state) const {
    const auto n = static_cast<std::int32_t>(state.nodes.size());
    std::vector<std::vector<std::int32_t>> children(n);
    for (std::int32_t v = 1; v < n; ++v) children[state.nodes[v].parent].push_back(v);
    FragmentTree result;
    std::vector<std::pair<std::int32_t, std::size_t>> stack{{0, 0}};  // node, children done
    while (!stack.empty()) {
      auto& [node, done] = stack.back();
      if (done < children[node].size()) {
        const std::int32_t child = children[node][done++];
        stack.emplace_back(child, 0);
        continue;
      }
      const bool is_word = children[node].empty() && ends_as_word(state, node);
      result.add(state.nodes[node].label, static_cast<std::int32_t>(children[node].size()),
                 is_word                  ? NodeKind::word
                 : children[node].empty() ? NodeKind::open
                                          : NodeKind::expanded);
      stack.pop_back();
    }
    return result;
  }
  // Whether subtrees with this label are leaves wherever the label occurs.
  bool ends_as_word(const State& state, std::int32_t node) const {
    if (state.nodes[node].end != End::any) return state.nodes[node].end == End::leaf;
    const CollapsedForest& trees = query_.example ? *query_.example : query_.model;
    return std::ranges::all_of(trees.with_label(state.nodes[node].label),
                               [&](std::int32_t s) { return trees.is_leaf(s); });
  }

  const FragmentQuery& query_;
  kernels::PartialTreeParameters kernel_;
  EndFactors ends_;
  double per_node_;
  const Growth& model_growth_;
  const Growth* example_growth_;
  BestFirst<State> best_;
};

}  // namespace

FoundFragments partial_tree_fragments(const FragmentQuery& query,
                                      const kernels::PartialTreeParameters& kernel, const Growth& model,
                                      const Growth* example) {
  return Search(query, kernel, model, example).run();
}

}  // namespace hedgerow::inspection
