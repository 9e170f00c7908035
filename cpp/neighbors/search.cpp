#include "neighbors/search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace hedgerow::neighbors {
namespace {

constexpr double rounding = 1e-9;  // of sums that bound others

// Relative error of a sum of so many single numbers, rounded up each.
double single_rounding(std::size_t n) { return static_cast<double>(n + 8) * 0x1p-24; }

std::size_t place_of(std::int32_t group, std::size_t slots) {
  return (static_cast<std::uint64_t>(group) * 0x9E3779B97F4A7C15ull >> 32) & (slots - 1);
}

bool is_better(const Neighbor& a, const Neighbor& b) { return a.is_better_than(b); }
bool is_worse(const Neighbor& a, const Neighbor& b) { return b.is_better_than(a); }

}  // namespace

void Search::start(const Described& x, const Wanted& wanted) {
  wanted_ = wanted;
  has_bounds_ = x.has_bounds;
  length_ = std::sqrt(x.self);
  // Parts that no tree of the index has are missing, so this is not the sum over the parts.
  unit_ = x.norm.is_extreme ? 1 : x.norm.inverse;
  found_.clear();
  candidates_.clear();
  terms_.clear();
  rest_.clear();
  read_ = 0;
  postings_ = 0;
  pause_ = 1024;
  unread_ = 0;
  next_count_ = 0;
  near_.clear();
  slots_.assign(std::bit_ceil(4 * x.parts.size() + 4), Slot());
  products_.resize(x.parts.size());
  const double* const weights = searched_.kernel.feature_weights();
  for (std::size_t place = 0; place < x.parts.size(); ++place) {
    const Part& part = x.parts[place];
    std::size_t i = place_of(part.group, slots_.size());
    while (slots_[i].group >= 0) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = {part.group, static_cast<std::int32_t>(place),
                 weights ? weights[part.group] * part.length : part.length};
    const float share = rounded_up(searched_.kernel.length(part) * unit_);
    const auto n = static_cast<std::int64_t>(searched_.parts.list(part.group).size());
    terms_.push_back({part.group, share, share * share / static_cast<float>(n + 1)});
    unread_ += n;
  }
  // What takes most from the rest for each tree in a list comes first.
  std::ranges::sort(terms_, [](const Term& a, const Term& b) {
    return a.worth > b.worth || (a.worth == b.worth && a.group < b.group);
  });
  rest_.assign(terms_.size() + 1, 0);
  rest_length_.assign(terms_.size() + 1, 0);
  double squares = 0, largest = 0;
  for (std::size_t i = terms_.size(); i-- > 0;) {
    const double share = terms_[i].share;
    squares += share * share;
    largest += share * static_cast<double>(searched_.parts.largest_share(terms_[i].group));
    rest_length_[i] = rounded_up(std::sqrt(squares));
    rest_[i] = rounded_up(std::min(std::sqrt(squares), largest));
  }
}

void Search::add_list(const Term& term) {
  const auto list = searched_.parts.list(term.group);
  postings_ += static_cast<std::int64_t>(list.size());
  unread_ -= static_cast<std::int64_t>(list.size());
  for (const auto [tree, share] : list) {
    Read& read = met_of_[tree];
    if (read.dot == 0) met_.push_back(tree);
    read.dot += term.share * share;
    read.square += share * share;
  }
}

bool Search::read_lists() {
  for (; read_ < terms_.size(); ++read_) {
    if (postings_ > pause_) {
      pause_ = 2 * postings_;
      return true;
    }
    if (!may_count({-1, upper_of_unmet(rest_[read_])}) && few_candidates()) return false;
    add_list(terms_[read_]);
  }
  return may_count({-1, upper_of_unmet(0)});
}

// Whether to complete the bounds of all candidates takes less time than to read the lists that are left,
// which would leave fewer. To look up one part of a tree takes as long as a few postings.
bool Search::few_candidates() {
  constexpr double postings_in_a_look = 5;
  constexpr std::int64_t postings_in_a_bound = 8;
  const std::int64_t to_count = postings_in_a_bound * static_cast<std::int64_t>(met_.size());
  if (postings_ < next_count_ || unread_ < to_count) return false;
  next_count_ = postings_ + std::max(postings_ / 4, to_count);
  const double least = std::max(wanted_.least, static_cast<std::int64_t>(found_.size()) < wanted_.most
                                                   ? -std::numeric_limits<double>::infinity()
                                                   : found_.front().score);
  std::int64_t candidates = 0;
  for (const std::int32_t tree : met_) candidates += upper(upper_cosine(tree), tree) >= least;
  return static_cast<double>(candidates) * postings_in_a_look * searched_.parts.mean_parts() <=
         static_cast<double>(unread_);
}

// What the rest of the tree can add is bounded by its length, which is what the lists read leave of 1.
double Search::upper_cosine(std::int32_t tree) const {
  const auto [dot, square] = met_of_[tree];
  const double error = single_rounding(read_);
  const double length = std::sqrt(std::max(0.0, 1 - square * (1 - 2 * error)));
  return (dot + std::min<double>(rest_[read_], rest_length_[read_] * length)) * (1 + error);
}

double Search::upper(double cosine, std::int32_t tree) const {
  if (searched_.ranking == Ranking::normalized) return cosine;
  const double self = searched_.selves[tree], value = cosine * length_ * std::sqrt(self);
  return searched_.ranking == Ranking::kernel ? value : 2 * value - self + rounding * (2 * value + self);
}

double Search::upper_of_unmet(double cosine) const {
  const double shared = cosine * length_;
  switch (searched_.ranking) {
    case Ranking::normalized:
      return cosine;
    case Ranking::kernel:
      return shared * searched_.largest_length;
    default:
      return shared * shared;  // the most that 2 * shared * length - length^2 can be
  }
}

double Search::score(double value, std::int32_t tree) const {
  return searched_.ranking == Ranking::distance ? 2 * value - searched_.selves[tree] : value;
}

double Search::dot(std::int32_t tree) {
  const auto groups = searched_.parts.groups_of(tree);
  const PartLists::Amount* const amounts = searched_.parts.amounts_of(tree);
  const bool counts = searched_.kernel.feature_weights();
  std::ranges::fill(products_, 0.0);
  for (std::size_t e = 0; e < groups.size(); ++e) {
    std::size_t i = place_of(groups[e], slots_.size());
    while (slots_[i].group >= 0 && slots_[i].group != groups[e]) i = (i + 1) & (slots_.size() - 1);
    if (slots_[i].group < 0) continue;
    const double amount = counts ? static_cast<double>(amounts[e].count) : amounts[e].share;
    products_[slots_[i].place] = slots_[i].factor * amount;
  }
  // In the order of x, as rows of kernel values add them up.
  return std::accumulate(products_.begin(), products_.end(), 0.0);
}

void Search::choose_promising() {
  promising_ = met_;
  const auto n = static_cast<std::size_t>(std::min<std::int64_t>(wanted_.most, promising_.size()));
  std::ranges::nth_element(promising_, promising_.begin() + n, [&](std::int32_t a, std::int32_t b) {
    return met_of_[a].dot > met_of_[b].dot || (met_of_[a].dot == met_of_[b].dot && a < b);
  });
  promising_.resize(n);
}

void Search::collect_candidates(bool all) {
  const auto add = [&](std::int32_t tree) {
    const double scale = searched_.kernel.feature_weights() ? searched_.norms[tree].inverse : 1;
    const double cosine = dot(tree) * unit_ * scale * (1 + rounding);
    const Neighbor bound{tree, upper(cosine, tree)};
    if (may_count(bound)) candidates_.push_back(bound);
  };
  const bool is_complete = read_ == terms_.size();
  for (const std::int32_t tree : met_) {
    if (is_done_[tree]) continue;
    const Neighbor bound{tree, upper(upper_cosine(tree), tree)};
    if (!may_count(bound)) continue;
    if (is_complete)
      candidates_.push_back(bound);
    else
      add(tree);
  }
  const std::int32_t first = all ? 0 : searched_.parts.listed();
  for (std::int32_t tree = first; tree < searched_.parts.trees(); ++tree)
    if (met_of_[tree].dot == 0 && !is_done_[tree] && searched_.is_there[tree]) {
      if (!has_bounds_)
        candidates_.push_back({tree, std::numeric_limits<double>::infinity()});
      else if (tree >= searched_.parts.listed())
        add(tree);
      else if (const Neighbor bound{tree, upper(rest_[read_], tree)}; may_count(bound))
        candidates_.push_back(bound);
    }
  std::ranges::make_heap(candidates_, is_worse);
}

std::int32_t Search::next_candidate() {
  if (candidates_.empty() || !may_count(candidates_.front())) return -1;
  std::ranges::pop_heap(candidates_, is_worse);
  const std::int32_t tree = candidates_.back().tree;
  candidates_.pop_back();
  return tree;
}

double Search::rounding_of(const Neighbor& neighbor) const {
  constexpr double relative = 1e-11;
  if (searched_.kernel.feature_weights()) return 0;
  const double size = std::abs(neighbor.score);
  return relative *
         (searched_.ranking == Ranking::distance ? size + 2 * searched_.selves[neighbor.tree] : size);
}

void Search::keep(const Neighbor& neighbor) {
  const double rounding = rounding_of(neighbor);
  if (neighbor.score < wanted_.least - rounding) return;
  if (static_cast<std::int64_t>(found_.size()) < wanted_.most) {
    found_.push_back(neighbor);
    std::ranges::push_heap(found_, is_better);
    return;
  }
  Neighbor worse = neighbor;
  if (neighbor.is_better_than(found_.front())) {
    std::ranges::pop_heap(found_, is_better);
    std::swap(found_.back(), worse);
    std::ranges::push_heap(found_, is_better);
  }
  if (rounding > 0 && worse.score >= found_.front().score - rounding) near_.push_back(worse);
}

void Search::finish() {
  for (const std::int32_t tree : met_) met_of_[tree] = {};
  for (const std::int32_t tree : done_) is_done_[tree] = 0;
  met_.clear();
  done_.clear();
  if (!near_.empty()) {
    const double least = found_.front().score;
    for (const Neighbor& each : near_)
      if (each.score >= least - rounding_of(each)) found_.push_back(each);
  }
  std::ranges::sort(found_, is_better);
}

}  // namespace hedgerow::neighbors
