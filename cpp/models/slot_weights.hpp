// Weights of the supports that one column has, in places of their own.
//
// Places go by when the column came to a support, and one that was left is taken next. So sums over places
// are, to the last bit, those of a column that has its model alone; there, a place is the number of the slot.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/state.hpp"

namespace hedgerow::models {

class SlotWeights {
 public:
  double operator[](std::int32_t slot) const { return has(slot) ? weight_[place_[slot]] : 0.0; }
  void add(std::int32_t slot, double delta) {
    if (!has(slot)) take(slot);
    weight_[place_[slot]] += delta;
  }
  void drop(std::int32_t slot) {
    if (!has(slot)) return;
    const std::int32_t place = place_[slot];
    weight_[place] = 0;  // its slot is still looked at
    free_.push_back(place);
    place_[slot] = none;
  }
  void scale(double factor) {
    for (double& weight : weight_) weight *= factor;
  }
  // The sum over the supports of weight * row[slot].
  double dot(const double* row) const;

  // All names start with `prefix`.
  void save(State& state, const std::string& prefix) const;
  // `weights` are those of all slots. Throws invalid_argument for arrays that do not go with them.
  void load(const State& state, const std::string& prefix, std::vector<double> weights);

 private:
  static constexpr std::int32_t none = -1;

  bool has(std::int32_t slot) const {
    return static_cast<std::size_t>(slot) < place_.size() && place_[slot] != none;
  }
  void take(std::int32_t slot);

  std::vector<double> weight_;       // by place
  std::vector<std::int32_t> slot_;   // by place
  std::vector<std::int32_t> place_;  // by slot
  std::vector<std::int32_t> free_;   // places, the one that was left last at the end
  bool in_order_ = true;             // places are slots
};

}  // namespace hedgerow::models
