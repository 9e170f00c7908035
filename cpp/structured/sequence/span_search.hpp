// The highest violation when the loss depends on the spans that labels mark.
//
// Of an output, the loss needs two numbers: how many spans it has, and how many of them are true. Paths are
// kept apart by both, and by whether the span under way began where a true one of its type did and has not
// outlived it; whether it is true is known when it ends. Where losses add up over spans, one path for each
// state is enough.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "structured/sequence/lattice.hpp"
#include "structured/sequence/sequence_loss.hpp"

namespace hedgerow::structured::sequence {

class SpanSearch {
 public:
  // The violation of an output with a loss and a score, which grows with the score.
  using Violation = std::function<double(double loss, double score)>;

  // Fills in the labels with the highest violation, the true ones when none violates anything. `adds_up`:
  // whether the violation is loss + score but for a constant, where the loss is the number of wrong spans.
  void run(const Lattice& lattice, const SequenceLoss& loss, std::span<const std::int32_t> truth,
           bool adds_up, const Violation& violation, std::span<std::int32_t> labels);

 private:
  // A way to a state, with so many spans of which so many are true.
  struct Layer {
    std::int32_t predicted, matched;
    bool on_track;  // whether the span under way may be a true one
  };
  struct Step {
    double score = no_score;
    std::int64_t source = -1;  // the state before, times the number of layers, and its layer
  };

  std::int64_t layer_number(const Layer& layer) const {
    return (static_cast<std::int64_t>(layer.on_track) * (most_matched_ + 1) + layer.matched) *
               (most_predicted_ + 1) +
           layer.predicted;
  }
  Layer layer_of(std::int64_t number) const;
  // What becomes of a layer when label b at t follows a; what spans add to the score.
  double follow(Layer& layer, std::int32_t a, std::int32_t b, std::int32_t t) const;
  void close(Layer& layer, double& added, std::int32_t t) const;
  Step& at(std::int32_t t, std::int64_t state, std::int64_t layer) {
    return steps_[(t * states_ + state) * layers_ + layer];
  }
  void forward(std::int32_t t);
  void trace(std::int64_t source, std::span<std::int32_t> labels) const;

  const Lattice* lattice_ = nullptr;
  const SequenceLoss* loss_ = nullptr;
  bool adds_up_ = false;
  std::int32_t most_predicted_ = 0, most_matched_ = 0;
  std::int64_t states_ = 0, layers_ = 0;
  TrueSpans true_;
  std::vector<Step> steps_;
};

}  // namespace hedgerow::structured::sequence
