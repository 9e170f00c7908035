// Groups of subset-tree fragments: by the productions along their last expanded children.
//
// A fragment begins with a production. The last of the children that it expands begins with another, and so
// on: so many of these, with the places of the children, name its group. Most of what a tree shares with
// itself lies in large fragments, which few other trees begin in the same way.
#pragma once

#include <vector>

#include "data/forest.hpp"
#include "data/sequence_table.hpp"
#include "kernels/lone_tree.hpp"
#include "neighbors/group_squares.hpp"

namespace hedgerow::neighbors {

// One for each thread. Numbers are doubles, or Wide for trees that are beyond their range.
template <class Number>
class SubsetTreeGroups {
 public:
  static constexpr int chain = 3;  // productions in a name

  explicit SubsetTreeGroups(const kernels::SubsetTreeParameters& parameters) : parameters_(parameters) {}

  // K(tree, tree).
  Number self(kernels::LoneTree<kernels::SubsetTreeParameters>& tree) const {
    return tree.value<Number>(tree.view());
  }
  // `own` is a tree in its own vocabulary, `known` the same tree in another one, by which groups are named;
  // those that it has no names for are left out.
  void collect(const data::TreeView& own, const data::TreeView& known, GroupSquares<Number>& squares);

 private:
  // Subtrees that are equal count as one.
  struct Distinct {
    std::int32_t node;         // where it occurs first
    double count;              // how often
    std::int32_t group, rank;  // those of one production
  };
  struct Production {
    std::vector<std::int32_t> members;
    std::size_t values;  // where D of their pairs start
  };

  void number(const data::TreeView& own);
  Number& value(std::int32_t s, std::int32_t t);
  // D of the pair's children at a place; 0 when they do not match.
  Number below(const data::TreeView& own, std::int32_t s, std::int32_t t, std::size_t place);
  void add_chains(const data::TreeView& own, const data::TreeView& known, std::int32_t s, std::int32_t t,
                  const Number& factor, GroupSquares<Number>& squares);
  void add_leaves(const data::TreeView& known, GroupSquares<Number>& squares) const;

  kernels::SubsetTreeParameters parameters_;
  data::SequenceTable<std::int32_t> subtrees_;  // production, then the ids of the children
  std::vector<std::int32_t> id_;                // by node; -1 for leaves
  std::vector<Distinct> distinct_;
  std::vector<Production> productions_;
  data::SequenceTable<std::int32_t> production_ids_;
  std::vector<Number> values_;
  std::vector<std::int32_t> name_, key_;
};

extern template class SubsetTreeGroups<double>;
extern template class SubsetTreeGroups<kernels::Wide>;

}  // namespace hedgerow::neighbors
