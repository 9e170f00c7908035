// What one example may do to a model.
//
// An example is ordinary when its numbers are so far from the ends of the range of doubles that no rule can
// leave that range by learning from it, whatever it multiplies or divides. Others may be learned from as
// well, but with care: the model is kept as it was, and taken back if a number has become too large. Then no
// example can make a model that fails for all that follow.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "models/state.hpp"

namespace hedgerow::online {

// Products of two of these, and sums of many of those, stay within the range of doubles.
inline constexpr double largest_self_kernel = 1e140;  // K(x, x) of an example, |x|^2 for weights
inline constexpr double largest_number = 1e150;       // that a model holds

inline bool ordinary_weight(double weight) { return weight <= 1e10; }
inline bool ordinary_score(double score) { return std::abs(score) <= 1e20; }
inline bool ordinary_squared_norm(double squared) { return squared <= 1e60; }
inline bool ordinary_self_kernel(double value) {
  return value == 0 || (std::abs(value) >= 1e-20 && std::abs(value) <= 1e30);
}

inline void check_self_kernel(double value, const char* name) {
  if (std::abs(value) <= largest_self_kernel) return;
  throw std::overflow_error(std::string(name) + " must be at most 1e140; scale the features down" +
                            (name[0] == 'K' ? " or use Normalized(kernel)" : ""));
}

inline void check_numbers(const models::State& state) {
  for (const auto& [name, array] : state.arrays()) {
    const auto* numbers = std::get_if<std::vector<double>>(&array);
    if (!numbers) continue;
    for (const double number : *numbers)
      if (!(std::abs(number) <= largest_number))
        throw std::overflow_error(
            "the model would hold numbers above 1e150; scale the features, or give the example a smaller "
            "weight");
  }
}

}  // namespace hedgerow::online
