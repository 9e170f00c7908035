#include "inspection/collapsed_forest.hpp"

#include <algorithm>
#include <stdexcept>

namespace hedgerow::inspection {

CollapsedForest::CollapsedForest(std::span<const std::int32_t> label,
                                 std::span<const std::int64_t> child_begin,
                                 std::span<const std::int32_t> child, const CollapsedForest* vocabulary)
    : label_(label.begin(), label.end()),
      child_(child.begin(), child.end()),
      child_begin_(child_begin.begin(), child_begin.end()) {
  const auto number = static_cast<std::int64_t>(label.size());
  if (static_cast<std::int64_t>(child_begin.size()) != number + 1 || child_begin[0] != 0 ||
      child_begin[number] != static_cast<std::int64_t>(child.size()))
    throw std::invalid_argument("child_begin does not fit the subtrees");
  production_.resize(number);
  same_.resize(number);
  std::vector<std::int32_t> key;
  for (std::int32_t s = 0; s < size(); ++s) {
    if (child_begin[s] > child_begin[s + 1]) throw std::invalid_argument("child_begin must not decrease");
    if (!vocabulary && label[s] < 0) throw std::invalid_argument("labels of a model must not be negative");
    for (const std::int32_t c : children(s))
      if (c < 0 || c >= s) throw std::invalid_argument("children must come before their parents");
    key.assign(1, label[s]);
    for (const std::int32_t c : children(s)) key.push_back(label[c]);
    if (is_leaf(s))
      production_[s] = -1;
    else if (vocabulary)
      production_[s] = std::max(vocabulary->productions_.find(key), -1);
    else
      production_[s] = productions_.intern(key);
    if (!is_leaf(s) && production_[s] < 0) production_[s] = -2;
    bool known = true;
    for (std::size_t i = 1; i < key.size(); ++i) {
      const std::int32_t c = children(s)[i - 1];
      key[i] = vocabulary ? same_[c] : c;
      known = known && key[i] >= 0;
    }
    same_[s] = !vocabulary ? subtrees_.intern(key) : known ? vocabulary->subtrees_.find(key) : -1;
  }
  by_production_.fill(production_);
  by_label_.fill(label_);
}

void CollapsedForest::Groups::fill(std::span<const std::int32_t> group_of) {
  const auto number = static_cast<std::int32_t>(group_of.size());
  const std::int32_t largest = number == 0 ? -1 : std::max(std::ranges::max(group_of), -1);
  begin.assign(largest + 2, 0);
  for (const std::int32_t group : group_of)
    if (group >= 0) ++begin[group + 1];
  for (std::int32_t g = 0; g <= largest; ++g) begin[g + 1] += begin[g];
  members.resize(begin.back());
  place.assign(number, -1);
  std::vector<std::int32_t> filled(largest + 1, 0);
  for (std::int32_t s = 0; s < number; ++s) {
    const std::int32_t group = group_of[s];
    if (group < 0) continue;
    place[s] = filled[group]++;
    members[begin[group] + place[s]] = s;
  }
}

}  // namespace hedgerow::inspection
