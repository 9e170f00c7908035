#include "structured/sequence/viterbi.hpp"

#include <algorithm>

namespace hedgerow::structured::sequence {

namespace {

// The state with the highest score, stops counted.
std::pair<double, std::int64_t> best_end(const Lattice& lattice, const double* scores) {
  double highest = no_score;
  std::int64_t best = 0;
  const std::int64_t states = lattice.states(lattice.length() - 1);
  for (std::int64_t state = 0; state < states; ++state) {
    const double score =
        scores[lattice.place(state)] + lattice.stop(static_cast<std::int32_t>(state % lattice.labels()));
    if (score > highest) {
      highest = score;
      best = state;
    }
  }
  return {highest, best};
}

struct Source {
  double score;
  std::int64_t state;
};

// The state at t - 1 that gives a state at t its score.
Source best_source(const Lattice& lattice, const double* before, std::int32_t t, std::int64_t state) {
  const auto label = static_cast<std::int32_t>(state % lattice.labels());
  Source best{no_score, lattice.first_source(state)};
  std::int64_t source = best.state;
  for (std::int32_t k = 0; k < lattice.sources(t); ++k, source += lattice.source_distance()) {
    const double score = before[lattice.place(source)] + lattice.move(t, source, label);
    if (score > best.score) best = {score, source};
  }
  return best;
}

}  // namespace

double Viterbi::best(const Lattice& lattice, std::span<std::int32_t> labels) {
  const std::int32_t length = lattice.length();
  if (length == 0) return 0;
  const std::int64_t width = lattice.width();
  scores_.resize(length * width);
  lattice.begin(scores_.data());
  for (std::int32_t t = 1; t < length; ++t) {
    lattice.step(scores_.data() + (t - 1) * width, t, scores_.data() + t * width);
    lattice.add_emissions(t, scores_.data() + t * width);
  }
  auto [score, state] = best_end(lattice, scores_.data() + (length - 1) * width);
  for (std::int32_t t = length - 1; t >= 0; --t) {
    labels[t] = static_cast<std::int32_t>(state % lattice.labels());
    if (t > 0) state = best_source(lattice, scores_.data() + (t - 1) * width, t, state).state;
  }
  return score;
}

void CountedViterbi::run(const Lattice& lattice, std::span<const std::int32_t> truth, std::int32_t layers) {
  lattice_ = &lattice;
  truth_ = truth;
  layers_ = layers;
  const std::int32_t length = lattice.length();
  scores_.assign(static_cast<std::int64_t>(length) * layers * lattice.width(), no_score);
  true_score_.resize(length);
  true_state_.resize(length);
  true_score_[0] = lattice.start(truth[0]) + lattice.emissions(0)[truth[0]];
  true_state_[0] = truth[0];
  lattice.begin(scores(0, 1));
  scores(0, 1)[truth[0]] = no_score;
  for (std::int32_t t = 1; t < length; ++t) {
    forward(t);
    true_score_[t] =
        true_score_[t - 1] + lattice.move(t, true_state_[t - 1], truth[t]) + lattice.emissions(t)[truth[t]];
    true_state_[t] = lattice.advance(true_state_[t - 1], t, truth[t]);
  }
  ends_.clear();
  for (std::int32_t layer = 1; layer <= layers; ++layer) {
    const auto [score, state] = best_end(lattice, scores(length - 1, layer));
    ends_.push_back({score, state});
  }
}

void CountedViterbi::forward(std::int32_t t) {
  const Lattice& lattice = *lattice_;
  const std::int32_t n = lattice.labels(), right = truth_[t];
  const std::int64_t rows = lattice.states(t) / n;
  // Before token t there were at most t wrong labels.
  for (std::int32_t layer = 1; layer <= std::min(layers_, t); ++layer)
    lattice.step(scores(t - 1, layer), t, scores(t, layer));
  // A wrong label leads to the next layer: from the last layer back, so that none is needed after it changed.
  for (std::int32_t layer = std::min(layers_, t + 1); layer >= 1; --layer) {
    double* own = scores(t, layer);
    const double* fewer = layer > 1 ? scores(t, layer - 1) : nullptr;
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int32_t b = 0; b < n; ++b) {
        if (b == right) continue;
        const std::int64_t k = row * lattice.stride() + b;
        const double entering = fewer ? fewer[k] : no_score;
        own[k] = layer == layers_ ? std::max(own[k], entering) : entering;
      }
    if (layer == 1)
      for (std::int32_t b = 0; b < n; ++b) {
        if (b == right) continue;
        double& own_score = own[lattice.place(lattice.advance(true_state_[t - 1], t, b))];
        own_score = std::max(own_score, true_score_[t - 1] + lattice.move(t, true_state_[t - 1], b));
      }
    lattice.add_emissions(t, own);
  }
}

void CountedViterbi::labels(std::int32_t layer, std::span<std::int32_t> labels) const {
  const Lattice& lattice = *lattice_;
  std::int64_t state = ends_[layer - 1].state;
  for (std::int32_t t = lattice.length() - 1;; --t) {
    const auto label = static_cast<std::int32_t>(state % lattice.labels());
    labels[t] = label;
    if (t == 0) return;
    const bool wrong = label != truth_[t];
    Source best{no_score, 0};
    std::int32_t from = layer;
    if (!wrong || layer == layers_) best = best_source(lattice, scores(t - 1, layer), t, state);
    if (wrong && layer > 1) {
      const Source fewer = best_source(lattice, scores(t - 1, layer - 1), t, state);
      if (fewer.score > best.score) {
        best = fewer;
        from = layer - 1;
      }
    }
    if (wrong && layer == 1 && lattice.advance(true_state_[t - 1], t, label) == state &&
        true_score_[t - 1] + lattice.move(t, true_state_[t - 1], label) >= best.score) {
      std::ranges::copy(truth_.first(t), labels.begin());
      return;
    }
    state = best.state;
    layer = from;
  }
}

}  // namespace hedgerow::structured::sequence
