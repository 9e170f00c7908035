#include "linear/vote_loops.hpp"

#include "kernels/lanes.hpp"
#include "parallel.hpp"

namespace hedgerow::linear {
namespace {

using Vector = kernels::Lanes<double>::Vector;
using Mask = VectorOf<std::int64_t, 32>;
constexpr std::size_t width = kernels::Lanes<double>::width, vectors = voters / width;

}  // namespace

HEDGEROW_CLONES(void, add_votes,
                (const double* table, const Voters& group, std::span<const VoteEntry> entries,
                 std::span<const std::size_t> ends, double* votes),
                (table, group, entries, ends, votes)) {
  const VoteEntry* entry = entries.data();
  for (std::size_t row = 0; row < ends.size(); ++row) {
    Vector sums[vectors];
    HEDGEROW_UNROLL_8
    for (std::size_t i = 0; i < vectors; ++i) sums[i] = Vector{};
    for (const VoteEntry* end = entries.data() + ends[row]; entry != end; ++entry) {
      const double* weights = table + entry->place;
      HEDGEROW_UNROLL_8
      for (std::size_t i = 0; i < vectors; ++i) {
        Vector some;
        kernels::load(weights + i * width, some);
        sums[i] += entry->value * some;
      }
    }
    // Without branches, since votes are hard to foresee. Counts are whole numbers, whose sum does not depend
    // on the order.
    Vector counted{};
    HEDGEROW_UNROLL_8
    for (std::size_t i = 0; i < vectors; ++i) {
      Vector factors, constants;
      Mask counts;
      kernels::load(group.factors + i * width, factors);
      kernels::load(group.constants + i * width, constants);
      kernels::load(group.counts + i * width, counts);
      const Vector scores = factors * sums[i] + constants;
      counted += (Vector)((Mask)(scores > 0.0) & counts) - (Vector)((Mask)(scores < 0.0) & counts);
    }
    for (std::size_t lane = 0; lane < width; ++lane) votes[row] += counted[lane];
  }
}

}  // namespace hedgerow::linear
