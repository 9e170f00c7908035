#include "svm/hinge_losses.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "parallel.hpp"

namespace hedgerow::svm {
namespace {

constexpr double far_away = 1 << 30;  // no step is longer

HEDGEROW_CLONES(void, add_multiple, (double* out, const double* values, double multiplier, std::int64_t n),
                (out, values, multiplier, n)) {
  for (std::int64_t i = 0; i < n; ++i) out[i] += multiplier * values[i];
}

// The loss of one example along a line: cost * max(0, gap + step * change).
struct Hinge {
  double gap, change, cost;

  // Whether it grows or falls from there on.
  bool moves_at(double step) const {
    const double ahead = gap + step * change;
    return (ahead > 0) | ((ahead == 0) & (change > 0));
  }
  double slope() const { return cost * change; }
};

// Where the slope of the losses jumps, and by how much.
struct Jump {
  double place, height;
};

// The step where curvature * step + the slope is no longer negative; the slope at the start is known, and all
// jumps from there to the stop. They are put in order as far as needed only, as quickselect does.
double where_derivative_vanishes(double curvature, double slope, double start, double stop,
                                 std::span<Jump> jumps) {
  while (!jumps.empty()) {
    const double pivot = jumps[jumps.size() / 2].place;
    const auto not_before =
        std::ranges::partition(jumps, [&](const Jump& jump) { return jump.place < pivot; });
    const std::span<Jump> before(jumps.begin(), not_before.begin());
    double slope_at_pivot = slope;  // before it jumps there
    for (const Jump& jump : before) slope_at_pivot += jump.height;
    if (slope_at_pivot + curvature * pivot >= 0) {
      stop = pivot;
      jumps = before;
      continue;
    }
    const auto after =
        std::ranges::partition(not_before, [&](const Jump& jump) { return jump.place <= pivot; });
    for (const Jump& jump : std::span(not_before.begin(), after.begin())) slope_at_pivot += jump.height;
    slope = slope_at_pivot;
    if (slope + curvature * pivot >= 0) return pivot;
    start = pivot;
    jumps = std::span<Jump>(after.begin(), after.end());
  }
  return std::clamp(-slope / curvature, start, stop);
}

}  // namespace

template <class Body>
double HingeLosses::add_up(Body&& body) const {
  double sum = 0;
  for (std::int64_t i = 0; i < size(); ++i) sum += body(i);
  return sum;
}

double HingeLosses::sum(const double* values) const {
  return add_up([&](std::int64_t i) { return costs_[i] * std::max(0.0, 1 - y_[i] * values[i]); });
}

void HingeLosses::within_margin(const double* values, bool* members) const {
  for (std::int64_t i = 0; i < size(); ++i) members[i] = y_[i] * values[i] <= 1 && costs_[i] > 0;
}

double HingeLosses::sum_over(const bool* members, const double* values) const {
  return add_up([&](std::int64_t i) { return members[i] ? costs_[i] * (1 - y_[i] * values[i]) : 0.0; });
}

// The derivative only grows: steadily, and by jumps where an example enters or leaves its margin. Strides
// that double find where it is no longer negative; only the few examples that jump on the last one have to be
// put in order.
double HingeLosses::best_step(double curvature, double slope, const double* from, const double* to) const {
  const auto hinge = [&](std::int64_t i) {
    return Hinge{1 - y_[i] * from[i], -y_[i] * (to[i] - from[i]), costs_[i]};
  };
  // The derivative without that of the parabola's square.
  const auto slope_at = [&](double step) {
    return slope + add_up([&](std::int64_t i) {
             const Hinge loss = hinge(i);
             return loss.moves_at(step) ? loss.slope() : 0.0;
           });
  };
  double start = 0, stop = 1, slope_at_start = slope_at(start);
  if (slope_at_start >= 0) return 0;
  for (double ahead; (ahead = slope_at(stop)) + curvature * stop < 0; stop *= 2) {
    if (stop >= far_away) return stop;  // falls for ever: cannot be, but for rounding
    start = stop;
    slope_at_start = ahead;
  }

  std::vector<Jump> jumps;
  for (std::int64_t i = 0; i < size(); ++i) {
    const Hinge loss = hinge(i);
    if (loss.moves_at(start) != loss.moves_at(stop))
      jumps.push_back({std::clamp(-loss.gap / loss.change, start, stop), std::abs(loss.slope())});
  }
  return where_derivative_vanishes(curvature, slope_at_start, start, stop, jumps);
}

void combine(std::span<const double* const> functions, std::span<const double> multipliers, std::int64_t n,
             double* out) {
  constexpr std::int64_t block = 1 << 12;  // of examples: its sums stay in the cache
  for (std::int64_t begin = 0; begin < n; begin += block) {
    const std::int64_t size = std::min(block, n - begin);
    std::fill_n(out + begin, size, 0.0);
    for (std::size_t f = 0; f < functions.size(); ++f)
      add_multiple(out + begin, functions[f] + begin, multipliers[f], size);
  }
}

}  // namespace hedgerow::svm
