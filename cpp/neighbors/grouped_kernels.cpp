// Subset trees and partial trees: groups bound what trees share, pairs of trees are compared node by node.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "kernels/lone_tree.hpp"
#include "kernels/tree_gram.hpp"
#include "kernels/tree_norms.hpp"
#include "models/overflow.hpp"
#include "neighbors/indexed_kernel.hpp"
#include "neighbors/partial_tree_groups.hpp"
#include "neighbors/subset_tree_groups.hpp"
#include "parallel.hpp"

namespace hedgerow::neighbors {
namespace {

template <class Parameters, class Number>
using Groups = std::conditional_t<std::is_same_v<Parameters, kernels::SubsetTreeParameters>,
                                  SubsetTreeGroups<Number>, PartialTreeGroups<Number>>;

// What describes trees, on one thread.
template <class Parameters>
class Describer {
 public:
  Describer(const Parameters& parameters, bool normalized)
      : parameters_(parameters), normalized_(normalized), groups_(parameters), tree_(parameters) {}

  // Calls each(name, length) for the groups.
  template <class Each>
  void describe(const data::TreeView& own, const data::TreeView& known, Described& x, Each&& each) {
    tree_.set(own);
    x.self = groups_.self(tree_);
    x.norm = kernels::TreeNorm::of(x.self, [&] { return tree_.template value<kernels::Wide>(tree_.view()); });
    x.has_bounds = !x.norm.is_extreme || (normalized_ && x.self > 1);
    x.parts.clear();
    if (!x.has_bounds) return;
    if (x.norm.is_extreme) return describe_by_shares(known, each);
    groups_.collect(tree_.view(), known, squares_);
    for (std::int32_t i = 0; i < squares_.size(); ++i) each(squares_.name(i), std::sqrt(squares_.square(i)));
  }
  kernels::LoneTree<Parameters>& tree() { return tree_; }  // that was described last

 private:
  template <class Each>
  void describe_by_shares(const data::TreeView& known, Each&& each) {
    constexpr double smallest = 1e-300;  // nothing that is there may vanish
    Groups<Parameters, kernels::Wide> groups(parameters_);
    GroupSquares<kernels::Wide> squares;
    const kernels::Wide self = groups.self(tree_);
    groups.collect(tree_.view(), known, squares);
    for (std::int32_t i = 0; i < squares.size(); ++i) {
      const double share = kernels::Wide::normalized(squares.square(i), self, self);
      each(squares.name(i), std::sqrt(std::max(share, smallest)));
    }
  }

  Parameters parameters_;
  bool normalized_;
  Groups<Parameters, double> groups_;
  kernels::LoneTree<Parameters> tree_;
  GroupSquares<double> squares_;
};

using Names = data::SequenceTable<std::int32_t>;

template <class Parameters>
class PairComparison final : public Comparison {
 public:
  PairComparison(const Parameters& parameters, bool normalized, const Names& names,
                 const data::Symbols& index)
      : parameters_(parameters),
        names_(names),
        describer_(parameters, normalized),
        label_(index.labels.size(), unknown),
        production_(index.productions.size(), unknown) {}

  void set(const data::TreeView& own, const data::TreeView& known, Described& x) override {
    describer_.describe(own, known, x, [&](std::span<const std::int32_t> name, double length) {
      if (const std::int32_t group = names_.find(name); group >= 0) x.parts.push_back({group, length});
    });
    norm_ = x.norm;
    own_ = own;
    known_ = known;
    for (const std::int32_t label : labels_) label_[label] = unknown;
    for (const std::int32_t production : productions_) production_[production] = unknown;
    labels_.clear();
    productions_.clear();
    const data::TreeView view = describer_.tree().view();
    productions_of_x_ = view.size;  // or fewer
    for (std::int32_t v = 0; v < known.size; ++v) {
      name(label_, labels_, known.label[v], view.label[v]);
      name(production_, productions_, known.production[v], view.production[v]);
    }
  }

  double kernel(const data::TreeView& y) override {
    return models::require_finite(describer_.tree().template value<double>(translated(y)));
  }

  double normalized(const data::TreeView& y, const kernels::TreeNorm& norm) override {
    const data::TreeView other = translated(y);
    if (!norm_.is_extreme && !norm.is_extreme)
      return describer_.tree().template value<double>(other) * norm_.inverse * norm.inverse;
    return kernels::Wide::normalized(describer_.tree().template value<kernels::Wide>(other),
                                     norm_.wide_self(), norm.wide_self());
  }

  std::vector<double> row(std::span<const data::TreeView> trees, bool normalized) override {
    // Labels that the index lacks still differ from each other, and from all others.
    x_label_.resize(own_.size);
    for (std::int32_t v = 0; v < own_.size; ++v)
      x_label_[v] = known_.label[v] >= 0 ? known_.label[v] : unknown - own_.label[v];
    data::TreeView x = own_;
    x.label = x_label_.data();
    std::vector<data::TreeView> all{x};
    all.insert(all.end(), trees.begin(), trees.end());
    const data::Forest forest = data::renamed(all);
    std::vector<double> values(trees.size());
    kernels::tree_gram(parameters_, data::part(forest, 0, 1), data::part(forest, 1, forest.size()),
                       {.normalized = normalized}, values.data());
    return values;
  }

 private:
  static constexpr std::int32_t unknown = -2;

  static void name(std::vector<std::int32_t>& table, std::vector<std::int32_t>& named, std::int32_t id,
                   std::int32_t in_tree) {
    if (id < 0 || table[id] != unknown) return;
    table[id] = in_tree;
    named.push_back(id);
  }

  // A tree of the index in the vocabulary of x, until the next call.
  data::TreeView translated(const data::TreeView& y) {
    y_label_.resize(y.size);
    y_production_.resize(y.size);
    for (std::int32_t v = 0; v < y.size; ++v) {
      y_label_[v] = label_[y.label[v]];
      if constexpr (std::is_same_v<Parameters, kernels::SubsetTreeParameters>) {
        y_production_[v] = y.is_leaf(v) ? data::no_production : production_[y.production[v]];
      } else {  // any numbers that tell productions apart, from those of x as well
        y_production_[v] = y.is_leaf(v) ? data::no_production : productions_of_x_ + y.production[v];
      }
    }
    return {y.size, y_label_.data(), y_production_.data(), y.child_begin, y.child};
  }

  Parameters parameters_;
  const Names& names_;
  Describer<Parameters> describer_;
  std::vector<std::int32_t> label_, production_;    // by id in the index: that in x
  std::vector<std::int32_t> labels_, productions_;  // that x has
  std::int32_t productions_of_x_ = 0;
  std::vector<std::int32_t> y_label_, y_production_;
  kernels::TreeNorm norm_;
  data::TreeView own_, known_;  // x
  std::vector<std::int32_t> x_label_;
};

template <class Parameters>
class GroupedKernel final : public IndexedKernel {
 public:
  GroupedKernel(const Parameters& parameters, bool normalized)
      : parameters_(parameters), normalized_(normalized) {}

  std::unique_ptr<IndexedKernel> empty() const override {
    return std::make_unique<GroupedKernel>(parameters_, normalized_);
  }
  std::int32_t groups() const override { return names_.size(); }

  void describe(std::span<const data::TreeView> trees, int threads,
                const std::function<void(const Described&)>& each) override {
    // Groups are named in order, whoever computes the lengths: a block of trees at a time.
    struct Named {
      Described tree;
      std::vector<std::int32_t> names, name_lengths;
      std::vector<double> lengths;
    };
    constexpr std::size_t block = 512;
    std::vector<std::unique_ptr<Describer<Parameters>>> describers(std::max(threads, 1));
    for (auto& one : describers) one = std::make_unique<Describer<Parameters>>(parameters_, normalized_);
    std::vector<Named> named(std::min(block, trees.size()));
    for (std::size_t first = 0; first < trees.size(); first += block) {
      const auto n = static_cast<std::int64_t>(std::min(block, trees.size() - first));
      parallel_rows(0, n, static_cast<int>(describers.size()), [&](std::int64_t i, int thread) {
        Named& out = named[i];
        out.names.clear();
        out.name_lengths.clear();
        out.lengths.clear();
        const data::TreeView& tree = trees[first + i];
        describers[thread]->describe(tree, tree, out.tree,
                                     [&](std::span<const std::int32_t> name, double length) {
                                       out.names.insert(out.names.end(), name.begin(), name.end());
                                       out.name_lengths.push_back(static_cast<std::int32_t>(name.size()));
                                       out.lengths.push_back(length);
                                     });
      });
      for (std::int64_t i = 0; i < n; ++i) {
        Named& one = named[i];
        const std::int32_t* name = one.names.data();
        for (std::size_t g = 0; g < one.lengths.size(); ++g) {
          const std::span key(name, one.name_lengths[g]);
          one.tree.parts.push_back({names_.intern(key), one.lengths[g]});
          name += key.size();
        }
        each(one.tree);
      }
    }
  }

  std::unique_ptr<Comparison> comparison(const std::shared_ptr<const data::Symbols>& index) const override {
    return std::make_unique<PairComparison<Parameters>>(parameters_, normalized_, names_, *index);
  }

 private:
  Parameters parameters_;
  bool normalized_;
  Names names_;
};

}  // namespace

std::unique_ptr<IndexedKernel> indexed(const kernels::SubsetTreeParameters& parameters, bool normalized) {
  return std::make_unique<GroupedKernel<kernels::SubsetTreeParameters>>(parameters, normalized);
}

std::unique_ptr<IndexedKernel> indexed(const kernels::PartialTreeParameters& parameters, bool normalized) {
  return std::make_unique<GroupedKernel<kernels::PartialTreeParameters>>(parameters, normalized);
}

}  // namespace hedgerow::neighbors
