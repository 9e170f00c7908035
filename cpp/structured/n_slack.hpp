// Passes of the n-slack algorithm over the examples.
//
// Tsochantaridis, Hofmann, Joachims, Altun (2005); algorithms 2 and 3 of the thesis: constraints that are
// violated by more than tol over their example's slack join its working set.
//
// Outputs are searched for a chunk of examples at a time, by several threads, with weights that stay. A
// constraint joins only if it is still violated after what the chunk has added before it, and its example's
// set is optimised at once. So each addition raises the dual objective by what the thesis proves, and its
// bounds on their number hold, whatever the chunks.
#pragma once

#include "structured/working_sets.hpp"

namespace hedgerow::structured {

struct PassSettings {
  double tol = 0;
  double qp_tol = 0;       // of optimisations,
  double share = 0;        // or this share of the largest violation so far, if that is more
  std::int64_t chunk = 1;  // examples searched at once
  bool full = true;        // whether all sets are optimised after each chunk: variant (a), else (b)
  int threads = 1;
};

struct Pass {
  std::vector<std::int64_t> busy;  // examples that got a constraint
  double violation = 0;            // the largest over a slack
  double slack_cost = 0;           // of the examples; with nothing added, the slacks' part of the objective
  double argmax_seconds = 0;
  double qp_seconds = 0;
};

// Visits some examples, or all. What was added is kept, and weights are of use, when the user interrupts it.
Pass n_slack_pass(const Oracle& oracle, WorkingSets& sets, std::span<const std::int64_t> examples,
                  const PassSettings& settings);

}  // namespace hedgerow::structured
