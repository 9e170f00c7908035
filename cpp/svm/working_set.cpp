#include "svm/working_set.hpp"

#include <cstddef>
#include <limits>
#include <type_traits>

#include "kernels/lanes.hpp"
#include "parallel.hpp"

namespace hedgerow::svm {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int width = kernels::Lanes<double>::width;

using Four = kernels::Lanes<double>::Vector;
using FourIndex = VectorOf<std::int64_t, 32>;

HEDGEROW_INLINE void load_row(const double* from, Four& to) { kernels::load(from, to); }
HEDGEROW_INLINE void load_row(const float* from, Four& to) {
  VectorOf<float, 16> values;
  kernels::load(from, values);
  convert_each(values, to);
}

// The largest value so far in each lane, and where it was.
struct Best {
  Four value = -infinity - Four{};
  FourIndex at = {-1, -1, -1, -1};

  HEDGEROW_INLINE void offer(const Four& candidate, const FourIndex& index) {
    const auto better = candidate > value;
    value = better ? candidate : value;
    at = better ? index : at;
  }
};

struct Place {
  double value;
  std::int64_t at;

  HEDGEROW_INLINE void offer(double candidate, std::int64_t index) {
    if (candidate > value) *this = {candidate, index};
  }
};

HEDGEROW_INLINE Place first_of(const Best& best) {
  Place place{-infinity, -1};
  for (int w = 0; w < width; ++w)
    if (best.at[w] >= 0 && (place.at < 0 || best.value[w] > place.value ||
                            (best.value[w] == place.value && best.at[w] < place.at)))
      place = {best.value[w], best.at[w]};
  return place;
}

// A null pointer for both rows: g stays as it is.
template <class Row>
HEDGEROW_INLINE Extremes pass_extremes(double a, Row row_a, double b, Row row_b, Direction may,
                                       std::int64_t n, double* g) {
  constexpr bool updates = !std::is_same_v<Row, std::nullptr_t>;
  Best best;
  Four low = infinity - Four{};
  FourIndex index = {0, 1, 2, 3};
  std::int64_t p = 0;
  for (; p + width <= n; p += width, index += width) {
    Four value, rise, fall;
    kernels::load(g + p, value);
    if constexpr (updates) {
      Four first, second;
      load_row(row_a + p, first);
      load_row(row_b + p, second);
      value -= a * first + b * second;
      kernels::store(value, g + p);
    }
    kernels::load(may.rise + p, rise);
    kernels::load(may.fall + p, fall);
    best.offer(value + rise, index);
    fall += value;
    low = fall < low ? fall : low;
  }
  Place top = first_of(best);
  double lowest = infinity;
  for (int w = 0; w < width; ++w) lowest = low[w] < lowest ? low[w] : lowest;
  for (; p < n; ++p) {
    if constexpr (updates) g[p] -= a * static_cast<double>(row_a[p]) + b * static_cast<double>(row_b[p]);
    top.offer(g[p] + may.rise[p], p);
    lowest = g[p] + may.fall[p] < lowest ? g[p] + may.fall[p] : lowest;
  }
  return {top.value, lowest, static_cast<std::int32_t>(top.at)};
}

template <class Real>
HEDGEROW_INLINE std::int32_t pass_partner(double g_i, double k_ii, const Real* row, const double* diagonal,
                                          const double* g, const double* fall, std::int64_t n) {
  Best best;
  FourIndex index = {0, 1, 2, 3};
  std::int64_t p = 0;
  const Four none = -infinity - Four{}, least = least_curvature - Four{};
  for (; p + width <= n; p += width, index += width) {
    Four value, barrier, curvature, kernel;
    kernels::load(g + p, value);
    kernels::load(fall + p, barrier);
    kernels::load(diagonal + p, curvature);
    load_row(row + p, kernel);
    const Four difference = g_i - (value + barrier);
    curvature = (k_ii + curvature) - 2 * kernel;
    curvature = curvature > least ? curvature : least;
    const Four gain = difference * difference / curvature;
    best.offer(difference > 0 ? gain : none, index);
  }
  Place found = first_of(best);
  for (; p < n; ++p) {
    const double difference = g_i - (g[p] + fall[p]);
    double curvature = (k_ii + diagonal[p]) - 2 * static_cast<double>(row[p]);
    curvature = curvature > least_curvature ? curvature : least_curvature;
    if (difference > 0) found.offer(difference * difference / curvature, p);
  }
  return static_cast<std::int32_t>(found.at);
}

template <class Row>
HEDGEROW_INLINE Steepest pass_steepest(double a, Row row, const double* curvature, Direction may,
                                       std::int64_t n, double* g) {
  constexpr bool updates = !std::is_same_v<Row, std::nullptr_t>;
  Best best;
  Four most = Four{};
  FourIndex index = {0, 1, 2, 3};
  std::int64_t p = 0;
  const Four none = -infinity - Four{};
  for (; p + width <= n; p += width, index += width) {
    Four value, up, down, bend;
    kernels::load(g + p, value);
    if constexpr (updates) {
      Four kernel;
      load_row(row + p, kernel);
      value -= a * kernel;
      kernels::store(value, g + p);
    }
    kernels::load(may.rise + p, up);
    kernels::load(may.fall + p, down);
    kernels::load(curvature + p, bend);
    up += value;
    down = -(value + down);
    const Four slope = up > down ? up : down;
    most = slope > most ? slope : most;
    best.offer(slope > 0 ? slope * slope / bend : none, index);
  }
  Place found = first_of(best);
  double violation = 0;
  for (int w = 0; w < width; ++w) violation = most[w] > violation ? most[w] : violation;
  for (; p < n; ++p) {
    if constexpr (updates) g[p] -= a * static_cast<double>(row[p]);
    const double up = g[p] + may.rise[p], down = -(g[p] + may.fall[p]);
    const double slope = up > down ? up : down;
    violation = slope > violation ? slope : violation;
    if (slope > 0) found.offer(slope * slope / curvature[p], p);
  }
  return {violation, static_cast<std::int32_t>(found.at)};
}

}  // namespace

HEDGEROW_CLONES(Extremes, update_pair,
                (double a, const float* row_a, double b, const float* row_b, Direction may, std::int64_t n,
                 double* g),
                (a, row_a, b, row_b, may, n, g)) {
  return pass_extremes(a, row_a, b, row_b, may, n, g);
}
HEDGEROW_CLONES(Extremes, update_pair,
                (double a, const double* row_a, double b, const double* row_b, Direction may, std::int64_t n,
                 double* g),
                (a, row_a, b, row_b, may, n, g)) {
  return pass_extremes(a, row_a, b, row_b, may, n, g);
}
Extremes find_extremes(const double* g, Direction may, std::int64_t n) {
  return pass_extremes(0, nullptr, 0, nullptr, may, n, const_cast<double*>(g));
}

HEDGEROW_CLONES(std::int32_t, best_partner,
                (double g_i, double k_ii, const float* row, const double* diagonal, const double* g,
                 const double* fall, std::int64_t n),
                (g_i, k_ii, row, diagonal, g, fall, n)) {
  return pass_partner(g_i, k_ii, row, diagonal, g, fall, n);
}
HEDGEROW_CLONES(std::int32_t, best_partner,
                (double g_i, double k_ii, const double* row, const double* diagonal, const double* g,
                 const double* fall, std::int64_t n),
                (g_i, k_ii, row, diagonal, g, fall, n)) {
  return pass_partner(g_i, k_ii, row, diagonal, g, fall, n);
}

HEDGEROW_CLONES(Steepest, update_one,
                (double a, const float* row, const double* curvature, Direction may, std::int64_t n,
                 double* g),
                (a, row, curvature, may, n, g)) {
  return pass_steepest(a, row, curvature, may, n, g);
}
HEDGEROW_CLONES(Steepest, update_one,
                (double a, const double* row, const double* curvature, Direction may, std::int64_t n,
                 double* g),
                (a, row, curvature, may, n, g)) {
  return pass_steepest(a, row, curvature, may, n, g);
}
Steepest find_steepest(const double* g, const double* curvature, Direction may, std::int64_t n) {
  return pass_steepest(0, nullptr, curvature, may, n, const_cast<double*>(g));
}

}  // namespace hedgerow::svm
