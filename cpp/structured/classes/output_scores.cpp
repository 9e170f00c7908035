#include "structured/classes/output_scores.hpp"

#include "kernels/lanes.hpp"

namespace hedgerow::structured::classes {

namespace {

// The scores of n vectors of output features, which stay in registers.
template <class Vector, int n>
HEDGEROW_INLINE void add_up(const SparseRow& row, const double* weights, std::int64_t p, double* out) {
  constexpr std::size_t lanes = lanes_of<Vector, double>;
  Vector sums[n] = {};
  for (std::size_t k = 0; k < row.index.size(); ++k) {
    const double* from = weights + row.index[k] * p;
    for (int v = 0; v < n; ++v) {
      Vector weight;
      kernels::load(from + v * lanes, weight);
      sums[v] += row.value[k] * weight;
    }
  }
  for (int v = 0; v < n; ++v) kernels::store(sums[v], out + v * lanes);
}

HEDGEROW_CLONES(void, output_scores_of,
                (const SparseRow& row, const double* weights, std::int64_t p, double* out),
                (row, weights, p, out)) {
  using Vector = kernels::Lanes<double>::Vector;
  constexpr std::int64_t lanes = kernels::Lanes<double>::width;
  std::int64_t r = 0;
  for (; r + 5 * lanes <= p; r += 5 * lanes) add_up<Vector, 5>(row, weights + r, p, out + r);
  for (; r + lanes <= p; r += lanes) add_up<Vector, 1>(row, weights + r, p, out + r);
  for (; r < p; ++r) add_up<double, 1>(row, weights + r, p, out + r);
}

}  // namespace

void output_scores(const SparseRow& row, const double* weights, std::int64_t p, double* out) {
  output_scores_of(row, weights, p, out);
}

}  // namespace hedgerow::structured::classes
