// The trees of an index that are nearest to one tree.
//
// Lists of trees by group are read, heavy groups and short lists first, adding up upper bounds. What is
// left of the tree itself bounds all trees that have not been met, so most lists are never read. Trees whose
// bounds are good enough are compared exactly, the best first, until no bound reaches the worst tree kept.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "neighbors/indexed_kernel.hpp"
#include "neighbors/part_lists.hpp"

namespace hedgerow::neighbors {

// What trees are ranked by, the largest first.
enum class Ranking {
  normalized,  // K(x, y) / sqrt(K(x, x) K(y, y))
  kernel,      // K(x, y)
  distance,    // 2 K(x, y) - K(y, y), which is K(x, x) less the squared distance
};

struct Neighbor {
  std::int32_t tree;
  double score;

  // Of equal scores the tree that came first.
  bool is_better_than(const Neighbor& other) const {
    return score > other.score || (score == other.score && tree < other.tree);
  }
};

// What a search looks at; it must not change meanwhile.
struct Searched {
  Ranking ranking;
  const IndexedKernel& kernel;
  const PartLists& parts;
  std::span<const kernels::TreeNorm> norms;  // by tree
  std::span<const double> selves;            // by tree: K(y, y)
  std::span<const std::uint8_t> is_there;    // by tree: whether it has not been removed
  std::span<const std::int32_t> unbounded;   // trees that have no bounds
  double largest_length;                     // of any tree
};

// Scratch memory and code. One for each thread.
class Search {
 public:
  explicit Search(const Searched& searched)
      : searched_(searched), met_of_(searched.parts.trees()), is_done_(searched.parts.trees(), 0) {}

  struct Wanted {
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
    double least = -std::numeric_limits<double>::infinity();  // score
    std::int32_t without = -1;                                // a tree that does not count
  };
  // Comparisons with x go to `compare(tree)`: K, normalised or not. The result, best first, holds until the
  // next call; it may be longer than wanted, by trees that only rounding may keep from being among the best.
  template <class Compare>
  std::span<const Neighbor> run(const Described& x, const Wanted& wanted, Compare&& compare);

  // How far off the score of a neighbour may be; 0 for values that are those of rows.
  double rounding_of(const Neighbor& neighbor) const;
  // Of K(x, tree), normalised or not.
  double score(double value, std::int32_t tree) const;
  std::int64_t compared() const { return compared_; }  // trees so far

 private:
  struct Term {
    std::int32_t group;
    float share, worth;
  };

  void start(const Described& x, const Wanted& wanted);
  // Reads the next lists, some at a time; returns whether trees that have not been met may still count.
  bool read_lists();
  void add_list(const Term& term);
  bool few_candidates();
  // The trees met so far with the largest bounds.
  void choose_promising();
  void collect_candidates(bool all);
  // The candidate with the largest bound, which is one no longer; -1 when none can count.
  std::int32_t next_candidate();
  // K(x, tree) if parts hold counts, else x's length times the largest cosine that the parts allow.
  double dot(std::int32_t tree);
  double upper_cosine(std::int32_t tree) const;  // by the lists read
  double upper(double cosine, std::int32_t tree) const;
  double upper_of_unmet(double cosine) const;
  bool may_count(const Neighbor& bound) const {
    if (bound.score < wanted_.least) return false;
    return static_cast<std::int64_t>(found_.size()) < wanted_.most || bound.is_better_than(found_.front());
  }
  void keep(const Neighbor& neighbor);
  void finish();
  template <class Compare>
  void consider(std::int32_t tree, Compare&& compare);

  const Searched searched_;
  Wanted wanted_;
  bool has_bounds_ = true;
  double length_ = 0, unit_ = 0;  // sqrt(K(x, x)) and its inverse
  std::vector<Term> terms_;       // the most worthwhile first
  // What the terms from each on can add, and their length.
  std::vector<float> rest_, rest_length_;
  std::size_t read_ = 0;  // terms whose lists have been read
  std::int64_t postings_ = 0, unread_ = 0, pause_ = 0, next_count_ = 0;
  // Of the lists read: what they add up to, and the share of the tree's squared length that they hold.
  struct Read {
    float dot = 0, square = 0;
  };
  std::vector<Read> met_of_;           // by tree; 0 between calls
  std::vector<std::uint8_t> is_done_;  // by tree: whether it was compared; 0 between calls
  std::vector<std::int32_t> met_, done_;
  std::vector<Neighbor> candidates_, found_;  // heaps: the best first, the worst first
  std::vector<Neighbor> near_;                // hardly worse than the worst found
  std::vector<double> products_;              // by part of x
  std::vector<std::int32_t> promising_;
  struct Slot {
    std::int32_t group = -1, place = 0;
    double factor = 0;
  };
  std::vector<Slot> slots_;  // the parts of x, by open addressing
  std::int64_t compared_ = 0;
};

template <class Compare>
void Search::consider(std::int32_t tree, Compare&& compare) {
  if (is_done_[tree]) return;
  is_done_[tree] = 1;
  done_.push_back(tree);
  if (!searched_.is_there[tree] || tree == wanted_.without) return;
  ++compared_;
  double value;
  if (searched_.kernel.feature_weights()) {
    value = dot(tree);
    if (searched_.ranking == Ranking::normalized) value *= unit_ * searched_.norms[tree].inverse;
  } else {
    value = compare(tree);
  }
  keep({tree, score(value, tree)});
}

template <class Compare>
std::span<const Neighbor> Search::run(const Described& x, const Wanted& wanted, Compare&& compare) {
  start(x, wanted);
  bool all = !x.has_bounds;
  while (!all && read_lists()) {
    if (read_ == terms_.size()) {
      all = true;
    } else if (wanted_.most < std::numeric_limits<std::int64_t>::max()) {
      choose_promising();
      for (const std::int32_t tree : promising_) consider(tree, compare);
    }
  }
  for (const std::int32_t tree : searched_.unbounded) consider(tree, compare);
  collect_candidates(all);
  for (std::int32_t tree = next_candidate(); tree >= 0; tree = next_candidate()) consider(tree, compare);
  finish();
  return found_;
}

}  // namespace hedgerow::neighbors
