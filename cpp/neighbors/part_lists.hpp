// The parts of trees, by tree and by group.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neighbors/indexed_kernel.hpp"

namespace hedgerow::neighbors {

class PartLists {
 public:
  // A tree, and its length in a group as a share of its whole length, rounded up.
  struct Posting {
    std::int32_t tree;
    float share;
  };

  // How much of a group a tree has: how often the feature occurs, of kernels with a feature for each group,
  // or its share, as above.
  union Amount {
    std::int32_t count;
    float share;
  };

  // Adds the parts of the next tree.
  void append(const Described& tree, const IndexedKernel& kernel);
  // Lists all trees by group, if enough have come since the last time.
  void list_if_worth_it(const IndexedKernel& kernel);

  std::int32_t trees() const { return static_cast<std::int32_t>(begin_.size()) - 1; }
  std::span<const std::int32_t> groups_of(std::int32_t tree) const {
    return {group_.data() + begin_[tree], group_.data() + begin_[tree + 1]};
  }
  const Amount* amounts_of(std::int32_t tree) const { return amount_.data() + begin_[tree]; }
  double mean_parts() const { return trees() == 0 ? 0 : static_cast<double>(group_.size()) / trees(); }
  std::int32_t listed() const { return listed_; }  // the trees below this number are in lists
  std::span<const Posting> list(std::int32_t group) const {
    if (static_cast<std::size_t>(group) + 1 >= list_begin_.size()) return {};
    return {postings_.data() + list_begin_[group], postings_.data() + list_begin_[group + 1]};
  }
  float largest_share(std::int32_t group) const {
    return static_cast<std::size_t>(group) < largest_.size() ? largest_[group] : 0;
  }

 private:
  void list_all(const IndexedKernel& kernel);

  std::vector<std::int64_t> begin_{0};
  std::vector<std::int32_t> group_;
  std::vector<Amount> amount_;
  std::vector<double> unit_;  // 1 / whole length, 0 for a tree without parts
  std::int32_t listed_ = 0;
  std::vector<std::int64_t> list_begin_;
  std::vector<Posting> postings_;
  std::vector<float> largest_;
};

// Rounded up, and large enough that products of two are not lost.
float rounded_up(double share);

}  // namespace hedgerow::neighbors
