#include "inspection/subset_tree_fragments.hpp"

#include <optional>

namespace hedgerow::inspection {
namespace {

// A node of a partial fragment. Nodes are numbered level by level, and expanded in this order: so that every
// fragment is made once.
struct Node {
  std::int32_t label;
  std::int32_t parent, place;     // which child of which node it is
  std::int32_t first_child = -1;  // -1: not expanded
  std::int32_t arity = 0;
};

struct State {
  Bounds bounds;
  std::vector<Node> nodes;
  std::int32_t next = 1;                     // nodes before it stay as they are
  std::int32_t expanded = 1;                 // nodes
  std::vector<std::int32_t> model, example;  // the distinct subtrees in whose root it begins

  std::size_t bytes() const {
    return sizeof(State) + sizeof(Node) * nodes.size() +
           sizeof(std::int32_t) * (model.size() + example.size());
  }
};

// Subtrees of one production below a node of a fragment, [begin, end) of a list.
struct Group {
  std::int32_t production;
  std::size_t begin, end;
};

// Where fragments begin, grouped by what a node of the fragment is there.
class Grouping {
 public:
  // `path`: the places of children on the way from the root to the node.
  void fill(const CollapsedForest& trees, const std::vector<std::int32_t>& roots,
            const std::vector<std::int32_t>& path) {
    below_.clear();
    for (const std::int32_t root : roots) {
      std::int32_t node = root;
      for (const std::int32_t place : path) node = trees.children(node)[place];
      if (trees.production(node) >= 0) below_.emplace_back(trees.production(node), root);
    }
    std::ranges::stable_sort(below_, {}, [](const auto& pair) { return pair.first; });
    groups_.clear();
    for (std::size_t i = 0; i < below_.size(); ++i) {
      if (groups_.empty() || groups_.back().production != below_[i].first)
        groups_.push_back({below_[i].first, i, i});
      groups_.back().end = i + 1;
    }
  }
  const std::vector<Group>& groups() const { return groups_; }
  std::optional<Group> find(std::int32_t production) const {
    const auto it = std::ranges::lower_bound(groups_, production, {}, &Group::production);
    if (it == groups_.end() || it->production != production) return std::nullopt;
    return *it;
  }
  std::vector<std::int32_t> roots(const Group& group) const {
    std::vector<std::int32_t> result;
    for (std::size_t i = group.begin; i < group.end; ++i) result.push_back(below_[i].second);
    return result;
  }

 private:
  std::vector<std::pair<std::int32_t, std::int32_t>> below_;  // production, root
  std::vector<Group> groups_;
};

class Search {
 public:
  Search(const FragmentQuery& query, const kernels::SubsetTreeParameters& kernel)
      : query_(query), kernel_(kernel), best_(query) {}

  FoundFragments run() {
    if (kernel_.bag_of_words) offer_words();
    for (std::int32_t p = 0; p < query_.model.productions(); ++p) {
      State state;
      if (query_.example) {
        const auto in_example = query_.example->with_production(p);
        if (in_example.empty()) continue;
        state.example.assign(in_example.begin(), in_example.end());
      }
      for (const std::int32_t s : query_.model.with_production(p))
        if (query_.weight[s] != 0) state.model.push_back(s);
      if (state.model.empty()) continue;
      const auto labels = query_.model.labels_of(p);
      state.nodes.push_back({labels[0], -1, 0});
      expand(state.nodes, 0, p);
      consider(std::move(state));
    }
    return best_.run([&](const State& state) { grow(state); });
  }

 private:
  void offer_words() {
    for (std::int32_t label = 0; label < query_.model.labels(); ++label) {
      double weight = 0, count = 0;
      for (const std::int32_t s : query_.model.with_label(label))
        if (query_.model.is_leaf(s)) weight += query_.weight[s];
      if (query_.example)
        for (const std::int32_t s : query_.example->with_label(label))
          if (query_.example->is_leaf(s)) count += query_.count[s];
      const double root = std::sqrt(kernel_.decay);
      best_.offer(root * weight, query_.example ? root * count : 1.0, [&] {
        FragmentTree tree;
        tree.add(label, 0, NodeKind::word);
        return tree;
      });
    }
  }

  void expand(std::vector<Node>& nodes, std::int32_t node, std::int32_t production) const {
    const auto labels = query_.model.labels_of(production);
    nodes[node].first_child = static_cast<std::int32_t>(nodes.size());
    nodes[node].arity = static_cast<std::int32_t>(labels.size()) - 1;
    for (std::int32_t i = 0; i < nodes[node].arity; ++i) nodes.push_back({labels[i + 1], node, i});
  }

  void grow(const State& state) {
    for (auto node = state.next; node < static_cast<std::int32_t>(state.nodes.size()); ++node) {
      path_.clear();
      for (std::int32_t v = node; v > 0; v = state.nodes[v].parent) path_.push_back(state.nodes[v].place);
      std::ranges::reverse(path_);
      model_.fill(query_.model, state.model, path_);
      if (query_.example) example_.fill(*query_.example, state.example, path_);
      for (const Group& group : model_.groups()) {
        State next;
        next.model = model_.roots(group);
        if (query_.example) {
          const auto in_example = example_.find(group.production);
          if (!in_example) continue;
          next.example = example_.roots(*in_example);
        }
        if (!may_matter(next, state.expanded + 1)) continue;
        next.next = node + 1;
        next.expanded = state.expanded + 1;
        next.nodes = state.nodes;
        expand(next.nodes, node, group.production);
        consider(std::move(next));
      }
    }
  }

  SignedSum sums(const State& state) const {
    SignedSum result;
    for (const std::int32_t s : state.model) result.add(query_.weight[s]);
    return result;
  }
  double feature(const State& state, double factor) const {
    if (!query_.example) return 1;
    double count = 0;
    for (const std::int32_t s : state.example) count += query_.count[s];
    return factor * count;
  }
  double factor(std::int32_t expanded) const { return std::pow(kernel_.decay, 0.5 * expanded); }
  bool may_matter(const State& state, std::int32_t expanded) const {
    const double by = factor(expanded);
    return best_.may_matter(best_.bounds(sums(state), by * feature(state, by)));
  }

  // Offers the fragment, and keeps it for later if something may grow out of it.
  void consider(State&& state) {
    const SignedSum of_model = sums(state);
    const double by = factor(state.expanded), by_next = factor(state.expanded + 1);
    best_.offer(by * of_model.value(), feature(state, by), [&] { return tree(state); });
    state.bounds = best_.bounds(of_model, by_next * feature(state, by_next));
    if (best_.may_matter(state.bounds)) best_.push(std::move(state));
  }

  FragmentTree tree(const State& state) {
    FragmentTree result;
    std::vector<std::pair<std::int32_t, std::int32_t>> stack{{0, 0}};  // node, children done
    while (!stack.empty()) {
      auto& [node, done] = stack.back();
      const Node& of = state.nodes[node];
      if (done < of.arity) {
        const std::int32_t child = of.first_child + done++;
        stack.emplace_back(child, 0);
        continue;
      }
      const NodeKind kind = of.first_child >= 0        ? NodeKind::expanded
                            : always_leaf(state, node) ? NodeKind::word
                                                       : NodeKind::open;
      result.add(of.label, of.arity, kind);
      stack.pop_back();
    }
    return result;
  }
  // A word of one tree may be an internal node of another; it is a word if it is one wherever the fragment
  // is.
  bool always_leaf(const State& state, std::int32_t node) {
    std::vector<std::int32_t> path;
    for (std::int32_t v = node; v > 0; v = state.nodes[v].parent) path.push_back(state.nodes[v].place);
    std::ranges::reverse(path);
    const CollapsedForest& trees = query_.example ? *query_.example : query_.model;
    return std::ranges::all_of(query_.example ? state.example : state.model, [&](std::int32_t root) {
      for (const std::int32_t place : path) root = trees.children(root)[place];
      return trees.is_leaf(root);
    });
  }

  const FragmentQuery& query_;
  kernels::SubsetTreeParameters kernel_;
  BestFirst<State> best_;
  std::vector<std::int32_t> path_;
  Grouping model_, example_;
};

FragmentTree complete_tree(const CollapsedForest& trees, std::int32_t root) {
  FragmentTree result;
  std::vector<std::pair<std::int32_t, std::size_t>> stack{{root, 0}};  // subtree, children done
  while (!stack.empty()) {
    auto& [subtree, done] = stack.back();
    const auto children = trees.children(subtree);
    if (done < children.size()) {
      const std::int32_t child = children[done++];
      stack.emplace_back(child, 0);
      continue;
    }
    result.add(trees.label(subtree), static_cast<std::int32_t>(children.size()),
               children.empty() ? NodeKind::word : NodeKind::expanded);
    stack.pop_back();
  }
  return result;
}

}  // namespace

FoundFragments subset_tree_fragments(const FragmentQuery& query,
                                     const kernels::SubsetTreeParameters& kernel) {
  return Search(query, kernel).run();
}

FoundFragments subtree_fragments(const FragmentQuery& query, double decay) {
  const CollapsedForest& model = query.model;
  std::vector<double> internal(model.size(), 0.0), count;
  for (std::int32_t s = 0; s < model.size(); ++s) {
    if (model.is_leaf(s)) continue;
    internal[s] = 1;
    for (const std::int32_t c : model.children(s)) internal[s] += internal[c];
  }
  if (query.example) {
    count.assign(model.size(), 0.0);
    for (std::int32_t s = 0; s < query.example->size(); ++s)
      if (const std::int32_t same = query.example->same_in_vocabulary(s); same >= 0)
        count[same] = query.count[s];
  }
  BestFirst<State> best(query);
  for (std::int32_t s = 0; s < model.size(); ++s) {
    if (model.is_leaf(s) || (query.example && count[s] == 0)) continue;
    const double factor = std::pow(decay, 0.5 * internal[s]);
    best.offer(factor * query.weight[s], query.example ? factor * count[s] : 1.0,
               [&] { return complete_tree(model, s); });
  }
  return best.run([](const State&) {});
}

}  // namespace hedgerow::inspection
