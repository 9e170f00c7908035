#include "neighbors/ties.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace hedgerow::neighbors {
namespace {

// Orders trees by what they are, whichever numbers they have.
struct ByContent {
  bool operator()(const data::TreeView& a, const data::TreeView& b) const {
    if (a.size != b.size) return a.size < b.size;
    const auto compare = [n = a.size](const std::int32_t* left, const std::int32_t* right) {
      return std::lexicographical_compare_three_way(left, left + n, right, right + n);
    };
    const auto labels = compare(a.label, b.label);
    return labels != 0 ? labels < 0 : compare(a.child_begin, b.child_begin) < 0;
  }
};

}  // namespace

void Ties::settle(std::vector<Neighbor>& found, double least) const {
  for (std::size_t first = 0, end; first < found.size(); first = end) {
    const auto is_near = [&](double score, const Neighbor& other) {
      return std::abs(score - other.score) <= rounding(other);
    };
    end = first + 1;
    while (end < found.size() && is_near(found[end - 1].score, found[end])) ++end;
    if (found[first].score == 0) continue;  // nothing was added up
    const std::span run(found.data() + first, end - first);
    std::map<data::TreeView, std::size_t, ByContent> place_of;
    std::vector<std::int32_t> trees;
    for (const Neighbor& each : run)
      if (place_of.try_emplace(tree(each.tree), trees.size()).second) trees.push_back(each.tree);
    const bool at_the_limit =
        std::ranges::any_of(run, [&](const Neighbor& each) { return is_near(least, each); });
    if (trees.size() == 1 && !at_the_limit) continue;
    const std::vector<double> scores = row(trees);
    for (Neighbor& each : run) each.score = scores[place_of.at(tree(each.tree))];
  }
  std::erase_if(found, [&](const Neighbor& each) { return each.score < least; });
  std::ranges::sort(found, [](const Neighbor& a, const Neighbor& b) { return a.is_better_than(b); });
}

}  // namespace hedgerow::neighbors
