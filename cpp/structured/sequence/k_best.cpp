#include "structured/sequence/k_best.hpp"

#include <algorithm>

namespace hedgerow::structured::sequence {

void KBest::enter(std::vector<Way>& kept, Way way) const {
  // Of equal ways the first one stays first.
  const auto place = std::ranges::upper_bound(kept, way.score, std::ranges::greater{}, &Way::score);
  kept.insert(place, way);
  if (static_cast<std::int32_t>(kept.size()) > k_) kept.pop_back();
}

void KBest::run(const Lattice& lattice, std::int32_t k) {
  lattice_ = &lattice;
  k_ = k;
  ends_.clear();
  const std::int32_t length = lattice.length();
  if (length == 0) {
    ends_.push_back({0, 0, 0});
    return;
  }
  begin_.assign(length + 1, 0);
  for (std::int32_t t = 0; t < length; ++t) begin_[t + 1] = begin_[t] + lattice.states(t);
  if (static_cast<std::int64_t>(ways_.size()) < begin_[length]) ways_.resize(begin_[length]);
  for (std::int32_t t = 0; t < length; ++t)
    for (std::int64_t state = 0; state < lattice.states(t); ++state) {
      const auto label = static_cast<std::int32_t>(state % lattice.labels());
      const double own = lattice.emissions(t)[label];
      std::vector<Way>& kept = ways_[begin_[t] + state];
      kept.clear();
      if (t == 0) {
        if (lattice.start(label) != no_score) kept.push_back({lattice.start(label) + own, 0, 0});
        continue;
      }
      std::int64_t source = lattice.first_source(state);
      for (std::int32_t s = 0; s < lattice.sources(t); ++s, source += lattice.source_distance()) {
        const double move = lattice.move(t, source, label);
        if (move == no_score) continue;
        const std::vector<Way>& before = ways(t - 1, source);
        for (std::int32_t rank = 0; rank < static_cast<std::int32_t>(before.size()); ++rank) {
          const double score = before[rank].score + move + own;
          if (static_cast<std::int32_t>(kept.size()) == k && score <= kept.back().score) break;
          enter(kept, {score, source, rank});
        }
      }
    }
  for (std::int64_t state = 0; state < lattice.states(length - 1); ++state) {
    const double stop = lattice.stop(static_cast<std::int32_t>(state % lattice.labels()));
    if (stop == no_score) continue;
    const std::vector<Way>& last = ways(length - 1, state);
    for (std::int32_t rank = 0; rank < static_cast<std::int32_t>(last.size()); ++rank)
      enter(ends_, {last[rank].score + stop, state, rank});
  }
}

void KBest::labels(std::int32_t rank, std::span<std::int32_t> labels) const {
  Way way = ends_[rank];
  for (auto t = static_cast<std::int32_t>(labels.size()) - 1; t >= 0; --t) {
    labels[t] = static_cast<std::int32_t>(way.state % lattice_->labels());
    way = ways(t, way.state)[way.rank];
  }
}

void max_marginals(const Lattice& lattice, std::span<double> out) {
  static thread_local std::vector<double> forward, after, behind;
  const std::int32_t length = lattice.length(), n = lattice.labels();
  if (length == 0) return;
  const std::int64_t width = lattice.width();
  forward.resize(length * width);
  lattice.begin(forward.data());
  for (std::int32_t t = 1; t < length; ++t) {
    lattice.step(forward.data() + (t - 1) * width, t, forward.data() + t * width);
    lattice.add_emissions(t, forward.data() + t * width);
  }
  std::ranges::fill(out, no_score);
  // `after`: the highest score of what follows a state at t.
  after.resize(lattice.states(length - 1));
  for (std::size_t state = 0; state < after.size(); ++state)
    after[state] = lattice.stop(static_cast<std::int32_t>(state % n));
  for (std::int32_t t = length - 1;; --t) {
    const double* until = forward.data() + t * width;
    for (std::int64_t state = 0; state < lattice.states(t); ++state) {
      double& highest = out[static_cast<std::int64_t>(t) * n + state % n];
      highest = std::max(highest, until[lattice.place(state)] + after[state]);
    }
    if (t == 0) return;
    behind.assign(lattice.states(t - 1), no_score);
    for (std::int64_t state = 0; state < lattice.states(t - 1); ++state)
      for (std::int32_t b = 0; b < n; ++b)
        behind[state] = std::max(behind[state], lattice.move(t, state, b) + lattice.emissions(t)[b] +
                                                    after[lattice.advance(state, t, b)]);
    after.swap(behind);
  }
}

}  // namespace hedgerow::structured::sequence
