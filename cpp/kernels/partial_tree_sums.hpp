// The collapsed evaluation of the partial tree kernel: one tree against the distinct subtrees of many.
//
// D(n, .) for a node n of x is a vector over the bucket of n's label. It differs from a constant only for
// productions that share a child's label with n; over a block of their subtrees it is a few contiguous loops.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "data/forest.hpp"
#include "kernels/arena.hpp"
#include "kernels/child_sequences.hpp"
#include "kernels/partial_tree_index.hpp"
#include "kernels/partial_tree_plans.hpp"
#include "kernels/wide.hpp"
#include "limits.hpp"

namespace hedgerow::kernels {

// Scratch memory and code that adds up D over the nodes of a tree. One for each thread. The index may grow
// between calls.
template <class Real>
class PartialTreeSums {
 public:
  // The nodes of x with one label. What each shares with the members of the bucket is the value of single
  // nodes (base, for internal ones), counted here, and what it shares beyond that, added up in `beyond`.
  struct Label {
    std::int32_t label = 0, internal = 0, leaves = 0;
    std::int32_t singles = 0;  // how many of singles() are of the label
    bool dense = false;        // whether there is a vector; then there are none
    std::vector<Real> beyond;  // by position

    // What single nodes add to each internal node, and to each leaf, of the label.
    struct Shares {
      Total<Real> internal, leaf;
    };
    Shares shares_of_single_nodes(const PartialTreeParameters& parameters) const;
  };
  // A node that shares more than itself with one subtree only, of a label that has no vector.
  struct Single {
    std::int32_t label, position;
    Real beyond;
  };

  explicit PartialTreeSums(const PartialTreeIndex& index) : index_(index), plans_(index) {}

  void compute(const data::TreeView& x);
  std::span<Label> labels() { return {labels_.data(), used_labels_}; }
  std::span<const Single> singles() const { return singles_; }
  // Writes all singles into vectors of their labels, as if they had been there from the start.
  void write_singles();

  // See PartialTreePlans.
  void forget_unknown_productions() { plans_.forget_unknown(); }

 private:
  using Plans = PartialTreePlans<Real>;
  using Plan = typename Plans::Plan;
  using Match = typename Plans::Match;
  using Block = PartialTreeIndex::Block;

  // D(n, .) over the bucket of n's label: a vector in the arena, or one value with at most one exception.
  struct Vector {
    bool dense = false;
    std::size_t place = 0;
    Real common = 0, exception = 0;
    std::int32_t exception_position = -1;
  };

  // The same of a child of the node that is looked at.
  struct ChildVector {
    const Real* values = nullptr;  // null: use the other fields
    Real common = 0, exception = 0;
    std::int32_t exception_position = -1;
    Real operator[](std::int32_t position) const {
      return values ? values[position] : position == exception_position ? exception : common;
    }
  };

  // Throws when it takes too many steps to compare x.
  void check_steps(const data::TreeView& x);
  // The matching children of a node and the members of a block, when there are many children of which few
  // match.
  std::optional<MatchingChildren> few_matches(const Block& block, const data::TreeView& x,
                                              std::int32_t node) const;
  // Steps of by_recursion.
  double steps_of_recursion(const Block& block, const data::TreeView& x, std::int32_t node) const;
  Label& label_of(std::int32_t label);
  void add_internal(const data::TreeView& x, std::int32_t node, const PartialTreeIndex::Bucket& bucket);
  // Gives a label a vector of zeros.
  static void make_dense(Label& label, std::int32_t size);
  // The vector of a label, with what nodes have shared so far.
  Real* dense_sum(std::int32_t label, std::int32_t size);
  // D of the node with the only subtree that matches.
  void add_single(const Plan& plan, const data::TreeView& x, std::int32_t node);
  // Writes D of the node with the members of a block to d[s], and adds what it is beyond base to sum[s].
  void add_block(const Match& match, const data::TreeView& x, std::int32_t node, Real* d, Real* sum);
  // The same for subtrees that match as the cells say and have their children at
  // child_positions[cell * capacity + s], or [child * capacity + s] if `by_child`.
  void add_subtrees(std::int32_t first_cell, std::int32_t n_cells, const std::int32_t* child_positions,
                    std::int32_t capacity, bool by_child, std::int32_t size, const Targets<Real>& targets);
  // What D is beyond base for a member of a block, when cells are not listed.
  Real by_recursion(const Block& block, const data::TreeView& x, std::int32_t node, std::int32_t s);
  // Makes the vectors of the node's children ready for the functions above, until the arena grows.
  void set_children(const data::TreeView& x, std::int32_t node);

  const PartialTreeIndex& index_;
  Plans plans_;
  Arena<Real> arena_;
  std::vector<Vector> vector_;                // by node
  std::vector<ChildVector> child_;            // of the node that is looked at
  std::vector<std::size_t> low_;              // by node
  ChildSequenceScratch<Real> scratch_;        // of by_recursion
  std::vector<std::int32_t> place_of_label_;  // in labels_; -1 for labels that x lacks
  std::vector<Label> labels_;
  std::size_t used_labels_ = 0;
  std::vector<Single> singles_;
  LongWork work_;
};

// Whether single precision keeps K(x, .) within a relative error of 1e-5.
bool single_suffices(const data::TreeView& x, const PartialTreeParameters& parameters);

extern template class PartialTreeSums<float>;
extern template class PartialTreeSums<double>;
extern template class PartialTreeSums<Wide>;

}  // namespace hedgerow::kernels
