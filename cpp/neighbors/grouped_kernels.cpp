// Subset trees and partial trees: groups bound what trees share, pairs of trees are compared node by node.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/tree_evaluation.hpp"
#include "models/overflow.hpp"
#include "neighbors/indexed_kernel.hpp"
#include "neighbors/partial_tree_groups.hpp"
#include "neighbors/subset_tree_groups.hpp"
#include "parallel.hpp"

namespace hedgerow::neighbors {
namespace {

template <class Parameters>
struct Groups;
template <>
struct Groups<kernels::SubsetTreeParameters> : SubsetTreeGroups {
  Groups(const kernels::SubsetTreeParameters& parameters, const data::Symbols&)
      : SubsetTreeGroups(parameters) {}
};
template <>
struct Groups<kernels::PartialTreeParameters> : PartialTreeGroups {
  using PartialTreeGroups::PartialTreeGroups;
};

// What describes trees of one vocabulary, on one thread.
template <class Parameters>
class Describer {
 public:
  Describer(const Parameters& parameters, const std::shared_ptr<const data::Symbols>& symbols)
      : groups_(parameters, *symbols), self_kernels_(parameters, symbols) {}

  // Calls each(name, length) for the groups.
  template <class Each>
  void describe(const data::TreeView& own, const data::TreeView& known, Described& x, Each&& each) {
    x.self = self_kernels_.value(own);
    x.norm = self_kernels_.norm(own);
    x.has_bounds = !x.norm.is_extreme;
    x.parts.clear();
    if (!x.has_bounds) return;
    groups_.collect(own, known, squares_);
    for (std::int32_t i = 0; i < squares_.size(); ++i) each(squares_.name(i), std::sqrt(squares_.square(i)));
  }

 private:
  Groups<Parameters> groups_;
  kernels::TreeSelfKernels<Parameters> self_kernels_;
  GroupSquares squares_;
};

// K of the pairs' left tree and y. Very many small and equal terms are added up node by node first, or
// rounding would add up too.
double kernel_with(kernels::SubsetTreePairs& pairs, const data::TreeView& y, std::vector<double>&) {
  return pairs.with(y);
}
double kernel_with(kernels::PartialTreePairs& pairs, const data::TreeView& y, std::vector<double>& of_nodes) {
  of_nodes.assign(y.size, 0.0);
  pairs.with(y, of_nodes.data());
  return std::accumulate(of_nodes.begin(), of_nodes.end(), 0.0);
}

using Names = data::SequenceTable<std::int32_t>;

template <class Parameters>
class PairComparison final : public Comparison {
 public:
  PairComparison(const Parameters& parameters, const Names& names,
                 const std::shared_ptr<const data::Symbols>& own,
                 const std::shared_ptr<const data::Symbols>& index)
      : parameters_(parameters),
        names_(names),
        symbols_(index),
        describer_(parameters, own),
        pairs_(parameters, *index) {}

  void set(const data::TreeView& own, const data::TreeView& known, Described& x) override {
    describer_.describe(own, known, x, [&](std::span<const std::int32_t> name, double length) {
      if (const std::int32_t group = names_.find(name); group >= 0) x.parts.push_back({group, length});
    });
    norm_ = x.norm;
    // A copy: what the pairs know of a tree is taken back when the next one comes.
    pairs_.set_left({});
    labels_.assign(known.label, known.label + known.size);
    productions_.assign(known.production, known.production + known.size);
    x_ = {known.size, labels_.data(), productions_.data(), known.child_begin, known.child};
    pairs_.set_left(x_);
  }

  double kernel(const data::TreeView& y) override {
    return models::require_finite(kernel_with(pairs_, y, of_nodes_));
  }

  double normalized(const data::TreeView& y, const kernels::TreeNorm& norm) override {
    if (!norm_.is_extreme && !norm.is_extreme)
      return kernel_with(pairs_, y, of_nodes_) * norm_.inverse * norm.inverse;
    return kernels::Wide::normalized(wide(y), norm_.wide_self(), norm.wide_self());
  }

 private:
  kernels::Wide wide(const data::TreeView& y) const {
    data::Forest alone;
    alone.symbols = symbols_;
    alone.append(y);
    kernels::GrowingIndex<Parameters> index(parameters_, alone);
    index.insert_until(1);
    typename kernels::Evaluation<Parameters>::template Row<kernels::Wide> row(*index);
    kernels::Wide value(0);
    row.add(x_, &value);
    return value;
  }

  Parameters parameters_;
  const Names& names_;
  std::shared_ptr<const data::Symbols> symbols_;
  Describer<Parameters> describer_;
  typename kernels::Evaluation<Parameters>::Pairs pairs_;
  std::vector<double> of_nodes_;
  std::vector<std::int32_t> labels_, productions_;
  data::TreeView x_;
  kernels::TreeNorm norm_;
};

template <class Parameters>
class GroupedKernel final : public IndexedKernel {
 public:
  explicit GroupedKernel(const Parameters& parameters) : parameters_(parameters) {}

  std::unique_ptr<IndexedKernel> empty() const override {
    return std::make_unique<GroupedKernel>(parameters_);
  }
  std::int32_t groups() const override { return names_.size(); }

  void describe(std::span<const data::TreeView> trees, const std::shared_ptr<const data::Symbols>& symbols,
                int threads, const std::function<void(const Described&)>& each) override {
    // Groups are named in order, whoever computes the lengths: a block of trees at a time.
    struct Named {
      Described tree;
      std::vector<std::int32_t> names, name_lengths;
      std::vector<double> lengths;
    };
    constexpr std::size_t block = 512;
    std::vector<std::unique_ptr<Describer<Parameters>>> describers(std::max(threads, 1));
    for (auto& one : describers) one = std::make_unique<Describer<Parameters>>(parameters_, symbols);
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

  std::unique_ptr<Comparison> comparison(const std::shared_ptr<const data::Symbols>& own,
                                         const std::shared_ptr<const data::Symbols>& index) const override {
    return std::make_unique<PairComparison<Parameters>>(parameters_, names_, own, index);
  }

 private:
  Parameters parameters_;
  Names names_;
};

}  // namespace

std::unique_ptr<IndexedKernel> indexed(const kernels::SubsetTreeParameters& parameters) {
  return std::make_unique<GroupedKernel<kernels::SubsetTreeParameters>>(parameters);
}

std::unique_ptr<IndexedKernel> indexed(const kernels::PartialTreeParameters& parameters) {
  return std::make_unique<GroupedKernel<kernels::PartialTreeParameters>>(parameters);
}

}  // namespace hedgerow::neighbors
