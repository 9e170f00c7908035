// What an index of trees asks of a kernel.
//
// The features of a kernel fall into groups, such that K(x, y) is a sum over groups of what x and y share in
// each. A tree has a length in each group, the square root of what it shares with itself there. By
// Cauchy-Schwarz two trees share at most the product of their lengths in a group, so
//
//   K(x, y) <= sum over groups g of length(x, g) * length(y, g),   K(x, x) = sum of length(x, g)^2
//
// which lists of trees by group bound from above without a look at the trees themselves.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "data/forest.hpp"
#include "kernels/tree_norms.hpp"

namespace hedgerow::neighbors {

struct Part {
  std::int32_t group;
  // Of a tree with an extreme norm its share of the whole length; of kernels with a feature for each group
  // how often the feature occurs.
  double length;
};

// A tree as the index sees it.
struct Described {
  double self = 0;          // K(x, x)
  kernels::TreeNorm norm;   // without meaning when self is infinite and values are not normalised
  bool has_bounds = true;   // false: its lengths are beyond the range of doubles, and no shares
  std::vector<Part> parts;  // each group once
};

// Compares one tree with trees of the index. One for each thread; the index must not change meanwhile.
class Comparison {
 public:
  virtual ~Comparison() = default;
  // The tree: in its own vocabulary, and in that of the index. Groups that no tree of the index has are left
  // out. Both views must live until the next call.
  virtual void set(const data::TreeView& own, const data::TreeView& known, Described& x) = 0;
  // K(x, y), or K(x, y) / sqrt(K(x, x) K(y, y)), for a tree y of the index.
  virtual double kernel(const data::TreeView& y) = 0;
  virtual double normalized(const data::TreeView& y, const kernels::TreeNorm& norm) = 0;
  // The same for several trees, which may differ from the values above by rounding: to the last bit they are
  // what matrices of kernel values have.
  virtual std::vector<double> row(std::span<const data::TreeView> trees, bool normalized) = 0;
};

class IndexedKernel {
 public:
  virtual ~IndexedKernel() = default;
  virtual std::unique_ptr<IndexedKernel> empty() const = 0;  // without groups
  // Calls each(described) for the trees in order; groups that are new get the next numbers.
  virtual void describe(std::span<const data::TreeView> trees, int threads,
                        const std::function<void(const Described&)>& each) = 0;
  virtual std::int32_t groups() const = 0;
  // When every feature is a group of its own, so that the bound is the value: the weights of the features.
  virtual const double* feature_weights() const { return nullptr; }
  double length(const Part& part) const {
    const double* const weights = feature_weights();
    return weights ? part.length * std::sqrt(weights[part.group]) : part.length;
  }
  virtual std::unique_ptr<Comparison> comparison(const std::shared_ptr<const data::Symbols>& index) const = 0;
};

// For normalised values or plain ones.
std::unique_ptr<IndexedKernel> indexed(const kernels::SubsetTreeParameters& parameters, bool normalized);
std::unique_ptr<IndexedKernel> indexed(const kernels::PartialTreeParameters& parameters, bool normalized);
// Complete subtrees.
std::unique_ptr<IndexedKernel> indexed_subtrees(double decay);

}  // namespace hedgerow::neighbors
