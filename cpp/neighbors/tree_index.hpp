// An index of trees: those nearest to others under a kernel, exactly.
//
// Trees are numbered as they come. The number of a removed tree is not used again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lock.hpp"
#include "models/items.hpp"
#include "models/state.hpp"
#include "models/tree_supports.hpp"
#include "neighbors/indexed_kernel.hpp"
#include "neighbors/part_lists.hpp"
#include "neighbors/search.hpp"

namespace hedgerow::neighbors {

// The neighbours of several trees, one after the other.
struct Neighbors {
  std::vector<std::int64_t> begin{0}, tree;
  std::vector<double> score;
  std::vector<double> self;   // K(x, x) of each tree asked for; not for normalised ones
  std::int64_t compared = 0;  // pairs of trees
};

class TreeIndex : public Guarded {
 public:
  TreeIndex(std::unique_ptr<IndexedKernel> kernel, Ranking ranking)
      : kernel_(std::move(kernel)), ranking_(ranking) {}

  void add(const std::shared_ptr<const models::Items>& trees, int threads);
  // Throws out_of_range, before anything is removed, for numbers that are not there or named twice.
  void remove(std::span<const std::int64_t> numbers);
  std::int64_t size() const { return size_; }            // trees that are there
  std::int64_t slots() const { return trees_.slots(); }  // one more than the largest number so far
  std::vector<std::int64_t> numbers() const;             // of these, in order
  std::shared_ptr<const models::Items> trees(std::span<const std::int64_t> numbers) const;

  // Of each item; without items, of the trees of the index with these numbers, which are not their own
  // neighbours. At most so many, with at least this score; `radius` instead of a score, which may be
  // infinite, for rankings by distance.
  struct Wanted {
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
    double least = -std::numeric_limits<double>::infinity();
    double radius = std::numeric_limits<double>::infinity();
  };
  Neighbors neighbors(const models::Items& items, const Wanted& wanted, int threads) const;
  Neighbors neighbors(std::span<const std::int64_t> numbers, const Wanted& wanted, int threads) const;

  void save(models::State& state) const { trees_.save(state, "trees."); }
  // Into an empty index. Throws invalid_argument for arrays that describe no trees.
  void load(const models::State& state, int threads);

 private:
  template <class Read>
  Neighbors search(std::int64_t n, const std::shared_ptr<const data::Symbols>& symbols, const Wanted& wanted,
                   int threads, Read&& read) const;
  // Puts neighbours that are equally near but for rounding in the order of rows of kernel values.
  void settle(std::vector<Neighbor>& found, double least, const Search& search, Comparison& comparison) const;
  Searched searched() const;
  void check_there(std::int64_t number) const;
  // Describes the trees from `first` on.
  void describe(std::int32_t first, int threads);
  void describe_all(int threads);

  std::unique_ptr<IndexedKernel> kernel_;
  Ranking ranking_;
  models::TreeSupports trees_;
  PartLists parts_;
  std::vector<kernels::TreeNorm> norms_;
  std::vector<double> selves_;
  std::vector<std::uint8_t> is_there_;
  std::vector<std::int32_t> unbounded_;
  double largest_length_ = 0;
  std::int64_t size_ = 0;
};

}  // namespace hedgerow::neighbors
