#include "structured/sequence/count_search.hpp"

#include <algorithm>
#include <cmath>

namespace hedgerow::structured::sequence {

void CountSearch::run(Lattice& lattice, std::span<const std::int32_t> truth, Violation violation,
                      std::span<std::int32_t> labels) {
  lattice_ = &lattice;
  violation_ = std::move(violation);
  truth_ = truth;
  best_ = labels;
  const auto length = static_cast<std::int32_t>(truth.size());
  true_emissions_.resize(length);
  for (std::int32_t t = 0; t < length; ++t) true_emissions_[t] = lattice.emissions(t)[truth[t]];
  labels_.resize(length);
  lines_.clear();
  points_.assign(1, {0, lattice.score(truth)});
  highest_ = 0;
  size_ = std::abs(points_[0].score);
  open_ = 0;
  std::ranges::copy(truth, labels.begin());

  // Most examples are settled in the end: even the best rival's score with all labels wrong would violate
  // nothing.
  if (!look_for_rival() || violation_(length, lines_[0].top) <= 0) return;
  open_ = length;
  if (!look(all_wrong)) return;
  for (int passes = 0; passes < 100; ++passes) {
    std::int32_t where = 0;
    double most = highest_ + tolerance();
    open_ = 0;
    for (std::int32_t wrong = 1; wrong < length; ++wrong) {
      const double possible = bound(wrong);
      if (possible > highest_ + tolerance()) open_ = wrong;
      if (possible > most) {
        most = possible;
        where = wrong;
      }
    }
    if (open_ == 0) return;
    // A line through the nearest outputs on both sides: either one is above it, or the bound is as low as it
    // can be.
    const auto right = std::ranges::upper_bound(points_, where, {}, &Point::wrong);
    const Point from = *(right - 1), to = *right;
    look((from.score - to.score) / (to.wrong - from.wrong));
    if (bound(where) >= most - tolerance()) return;
  }
}

bool CountSearch::look_for_rival() {
  rivals_.run(*lattice_, truth_, 1);
  const double score = rivals_.score(1);
  if (score == no_score) return false;
  rivals_.labels(1, labels_);
  lines_.push_back({score, 0.0});
  keep(score);
  return true;
}

bool CountSearch::look(double price) {
  const auto length = static_cast<std::int32_t>(truth_.size());
  // The price of a wrong label is the prize of a true one, but for a constant.
  for (std::int32_t t = 0; t < length; ++t) lattice_->emissions(t)[truth_[t]] = true_emissions_[t] - price;
  const double reached = viterbi_.best(*lattice_, labels_);
  for (std::int32_t t = 0; t < length; ++t) lattice_->emissions(t)[truth_[t]] = true_emissions_[t];
  if (reached == no_score) return false;
  if (price == all_wrong) {
    keep(reached);
  } else {
    lines_.push_back({reached + price * length, price});
    std::int32_t right = 0;
    for (std::int32_t t = 0; t < length; ++t) right += labels_[t] == truth_[t];
    keep(reached + price * right);
  }
  return true;
}

void CountSearch::keep(double score) {
  std::int32_t wrong = 0;
  for (std::size_t t = 0; t < truth_.size(); ++t) wrong += labels_[t] != truth_[t];
  size_ = std::max(size_, std::abs(score));
  const auto at = std::ranges::lower_bound(points_, wrong, {}, &Point::wrong);
  if (at == points_.end() || at->wrong != wrong) points_.insert(at, {wrong, score});
  const double violation = violation_(wrong, score);
  if (wrong > 0 && violation > highest_) {
    highest_ = violation;
    std::ranges::copy(labels_, best_.begin());
  }
}

double CountSearch::bound(std::int32_t wrong) const {
  double score = -no_score;
  for (const Line& line : lines_) score = std::min(score, line.at(wrong));
  return violation_(wrong, score);
}

}  // namespace hedgerow::structured::sequence
