// Convex losses of a margin m = y * score, and their slopes.
#pragma once

#include <cmath>

#include "parameters.hpp"

namespace hedgerow::linear {

enum class Loss {
  hinge,        // max(0, 1 - m)
  logistic,     // log(1 + exp(-m))
  exponential,  // exp(-m)
};

inline Loss loss_of(Parameters& parameters) {
  return parameters.choice<Loss>(
      "loss", {{"hinge", Loss::hinge}, {"logistic", Loss::logistic}, {"exponential", Loss::exponential}});
}

// d loss / d m, never positive.
inline double slope(Loss loss, double margin) {
  switch (loss) {
    case Loss::hinge:
      return margin < 1 ? -1 : 0;
    case Loss::logistic:
      return -1 / (1 + std::exp(margin));
    case Loss::exponential:
      // Beyond that the step would be lost in any case; so no number becomes too large.
      return -std::exp(std::fmin(-margin, 100.0));
  }
  return 0;
}

}  // namespace hedgerow::linear
