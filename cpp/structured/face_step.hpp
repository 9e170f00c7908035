// A Newton step over the multipliers that are not 0, for duals that sweeps over examples ascend in small
// steps.
//
// maximise g.d - 1/2 d'Gd over the multipliers m > 0 (the face that m lies on), where those of an example
// that has used up its bound keep their sum. The step ends where a multiplier becomes 0, or a bound is
// reached.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hedgerow::structured {

struct Face {
  std::vector<double> multipliers;   // m, all above 0
  std::vector<double> slopes;        // g
  std::vector<double> products;      // G, row by row
  std::vector<std::int32_t> blocks;  // the example of each multiplier, in increasing order
  std::vector<double> rooms;         // what is left of the bound of each block; infinite when there is none
};

// By how much each multiplier grows; empty when there is nothing to gain. `ended` says whether the optimum of
// the face was reached, not a border.
std::vector<double> face_step(const Face& face, bool& ended);

}  // namespace hedgerow::structured
