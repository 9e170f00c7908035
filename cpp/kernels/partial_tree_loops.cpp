#include "kernels/partial_tree_loops.hpp"

#include <algorithm>

#include "kernels/lanes.hpp"
#include "parallel.hpp"

namespace hedgerow::kernels {
namespace {

// The same for single numbers as for short vectors of them, so that loops can be written once for both.
using kernels::gather;
using kernels::select_equal;
template <class Number>
HEDGEROW_INLINE void gather(Number& to, const Number* values, const std::int32_t* position) {
  to = values[*position];
}
template <class Number>
HEDGEROW_INLINE void select_equal(Number& to, const std::int32_t* position, std::int32_t wanted,
                                  const Number& special, const Number& common) {
  to = *position == wanted ? special : common;
}

// D of a matching pair of children, for subtrees s and following.
template <class Vector, class Real>
HEDGEROW_INLINE void read(const CellSource<Real>& cell, std::int32_t s, Vector& d) {
  if (cell.vector)
    gather(d, cell.vector, cell.position + s);
  else
    select_equal(d, cell.position + s, cell.exception_position, cell.exception, cell.common);
}

template <class Vector, class Real>
HEDGEROW_INLINE void write(const Vector& beyond, std::int32_t s, std::int32_t size,
                           const Targets<Real>& targets) {
  constexpr std::int32_t width = lanes_of<Vector, Real>;
  if (targets.place) {
    Real values[width];
    store(beyond, values);
    const std::int32_t n = std::min(width, size - s);
    for (std::int32_t w = 0; w < n; ++w) {
      const std::int32_t place = targets.place[s + w];
      targets.d[place] = targets.base + values[w];
      targets.sum[place] += values[w];
    }
    return;
  }
  Vector total;
  load(targets.sum + s, total);
  total += beyond;
  const Vector d = targets.base + beyond;
  store(d, targets.d + s);
  store(total, targets.sum + s);
}

// Vector: as many numbers as are computed at once.
template <class Vector, class Real>
HEDGEROW_INLINE void evaluate_all(const CellSource<Real>* cells, std::int32_t n_cells,
                                  const EarlierCell<Real>* earlier, std::int32_t size, const Real& vertical,
                                  const Targets<Real> targets) {
  constexpr std::int32_t width = lanes_of<Vector, Real>;
  if (n_cells == 1) {  // half of all
    const CellSource<Real> cell = cells[0];
    for (std::int32_t s = 0; s < size; s += width) {
      Vector d;
      read(cell, s, d);
      d *= vertical;
      write(d, s, size, targets);
    }
    return;
  }
  Vector value[most_cells];
  for (std::int32_t s = 0; s < size; s += width) {
    Vector sum{};
    for (std::int32_t c = 0; c < n_cells; ++c) {
      const CellSource<Real>& cell = cells[c];
      Vector d;
      read(cell, s, d);
      if (cell.n_earlier > 0) {
        Vector chain = Vector{} + Real(1);
        for (std::int32_t e = cell.first_earlier; e < cell.first_earlier + cell.n_earlier; ++e)
          chain += earlier[e].factor * value[earlier[e].cell];
        d *= chain;
      }
      value[c] = d;
      sum += d;
    }
    sum *= vertical;
    write(sum, s, size, targets);
  }
}

template <class Real>
HEDGEROW_INLINE void evaluate_in_lanes(const CellSource<Real>* cells, std::int32_t n_cells,
                                       const EarlierCell<Real>* earlier, std::int32_t size, Real vertical,
                                       const Targets<Real>& targets) {
  if (size < 3)
    evaluate_all<Real>(cells, n_cells, earlier, size, vertical, targets);
  else
    evaluate_all<typename Lanes<Real>::Vector>(cells, n_cells, earlier, size, vertical, targets);
}

}  // namespace

HEDGEROW_CLONES(void, evaluate,
                (const CellSource<float>* cells, std::int32_t n_cells, const EarlierCell<float>* earlier,
                 std::int32_t size, float vertical, const Targets<float>& targets),
                (cells, n_cells, earlier, size, vertical, targets)) {
  evaluate_in_lanes(cells, n_cells, earlier, size, vertical, targets);
}

HEDGEROW_CLONES(void, evaluate,
                (const CellSource<double>* cells, std::int32_t n_cells, const EarlierCell<double>* earlier,
                 std::int32_t size, double vertical, const Targets<double>& targets),
                (cells, n_cells, earlier, size, vertical, targets)) {
  evaluate_in_lanes(cells, n_cells, earlier, size, vertical, targets);
}

void evaluate(const CellSource<Wide>* cells, std::int32_t n_cells, const EarlierCell<Wide>* earlier,
              std::int32_t size, const Wide& vertical, const Targets<Wide>& targets) {
  evaluate_all<Wide>(cells, n_cells, earlier, size, vertical, targets);
}

}  // namespace hedgerow::kernels
