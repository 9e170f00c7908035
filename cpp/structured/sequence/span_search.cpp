#include "structured/sequence/span_search.hpp"

#include <algorithm>
#include <cmath>

namespace hedgerow::structured::sequence {

void SpanSearch::run(const Lattice& lattice, const SequenceLoss& loss, std::span<const std::int32_t> truth,
                     bool adds_up, const Violation& violation, std::span<std::int32_t> labels) {
  lattice_ = &lattice;
  loss_ = &loss;
  adds_up_ = adds_up;
  true_.assign(loss, truth);
  const std::int32_t length = lattice.length();
  most_predicted_ = adds_up ? 0 : length;
  most_matched_ = adds_up ? 0 : true_.size;
  layers_ = std::int64_t{2} * (most_predicted_ + 1) * (most_matched_ + 1);
  states_ = lattice.states(length - 1);
  steps_.assign(static_cast<std::size_t>(length * states_ * layers_), Step{});

  for (std::int32_t b = 0; b < lattice.labels(); ++b) {
    Layer layer{0, 0, false};
    const double added = follow(layer, no_label_before, b, 0);
    at(0, b, layer_number(layer)) = {lattice.start(b) + lattice.emissions(0)[b] + added, -1};
  }
  for (std::int32_t t = 1; t < length; ++t) forward(t);

  // The true output violates nothing; what does not violate more is no answer.
  double highest = 0;
  std::int64_t best = -1;
  const double true_score = lattice.score(truth), rounding = 1e-12 * (1 + std::abs(true_score));
  for (std::int64_t state = 0; state < states_; ++state)
    for (std::int64_t number = 0; number < layers_; ++number) {
      double score = at(length - 1, state, number).score;
      const auto last = static_cast<std::int32_t>(state % lattice.labels());
      if (score == no_score || lattice.stop(last) == no_score) continue;
      Layer layer = layer_of(number);
      double added = 0;
      if (loss.closes(last, no_label_before)) close(layer, added, length);
      score += lattice.stop(last) + added;
      const double found = adds_up
                               ? violation(true_.size, score)
                               : violation(loss.of_spans(true_.size, layer.predicted, layer.matched), score);
      if (found > highest + rounding) {
        highest = found;
        best = state * layers_ + number;
      }
    }
  if (best < 0)
    std::ranges::copy(truth, labels.begin());
  else
    trace(best, labels);
}

SpanSearch::Layer SpanSearch::layer_of(std::int64_t number) const {
  const std::int64_t predicted = number % (most_predicted_ + 1), rest = number / (most_predicted_ + 1);
  return {static_cast<std::int32_t>(predicted), static_cast<std::int32_t>(rest % (most_matched_ + 1)),
          rest > most_matched_};
}

// The span under way ends before token t.
void SpanSearch::close(Layer& layer, double& added, std::int32_t t) const {
  if (layer.on_track && true_.ends[t - 1]) {
    if (adds_up_)
      added -= 2;
    else
      ++layer.matched;
  }
  layer.on_track = false;
}

double SpanSearch::follow(Layer& layer, std::int32_t a, std::int32_t b, std::int32_t t) const {
  double added = 0;
  if (loss_->closes(a, b)) close(layer, added, t);
  if (loss_->begins(a, b)) {
    if (adds_up_)
      added += 1;
    else
      ++layer.predicted;
    layer.on_track = true_.begins[t] == loss_->types[b];
  } else {
    layer.on_track = layer.on_track && !true_.ends[t - 1];
  }
  return added;
}

void SpanSearch::forward(std::int32_t t) {
  const Lattice& lattice = *lattice_;
  const double* emissions = lattice.emissions(t);
  for (std::int64_t source = 0; source < lattice.states(t - 1); ++source) {
    const auto a = static_cast<std::int32_t>(source % lattice.labels());
    for (std::int64_t number = 0; number < layers_; ++number) {
      const double before = at(t - 1, source, number).score;
      if (before == no_score) continue;
      for (std::int32_t b = 0; b < lattice.labels(); ++b) {
        const double move = lattice.move(t, source, b);
        if (move == no_score) continue;
        Layer layer = layer_of(number);
        const double score = before + move + emissions[b] + follow(layer, a, b, t);
        Step& step = at(t, lattice.advance(source, t, b), layer_number(layer));
        if (score > step.score) step = {score, source * layers_ + number};
      }
    }
  }
}

void SpanSearch::trace(std::int64_t place, std::span<std::int32_t> labels) const {
  for (std::int32_t t = lattice_->length() - 1; t >= 0; --t) {
    const std::int64_t state = place / layers_;
    labels[t] = static_cast<std::int32_t>(state % lattice_->labels());
    place = steps_[(t * states_ + state) * layers_ + place % layers_].source;
  }
}

}  // namespace hedgerow::structured::sequence
