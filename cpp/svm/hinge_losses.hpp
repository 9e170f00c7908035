// Hinge losses of many examples: their sum at a point, and the best point on a line.
//
// A function is known by its values at the examples. All of this is bound by memory, and soon over: several
// threads would take longer to meet.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace hedgerow::svm {

// The losses costs_i max(0, 1 - y_i f(x_i)), where y_i is 1 or -1.
class HingeLosses {
 public:
  // `owner` keeps the memory.
  HingeLosses(std::span<const double> y, std::span<const double> costs, std::shared_ptr<const void> owner)
      : y_(y), costs_(costs), owner_(std::move(owner)) {}
  std::int64_t size() const { return static_cast<std::int64_t>(y_.size()); }

  double sum(const double* values) const;
  // Sets members[i] to whether example i costs something and y_i f(x_i) <= 1.
  void within_margin(const double* values, bool* members) const;
  // The sum of costs_i (1 - y_i f(x_i)) over the members.
  double sum_over(const bool* members, const double* values) const;
  // The step s >= 0 with the least 1/2 curvature s^2 + slope s + sum of losses of from + s (to - from).
  double best_step(double curvature, double slope, const double* from, const double* to) const;

 private:
  template <class Body>
  double add_up(Body&& body) const;

  std::span<const double> y_, costs_;
  std::shared_ptr<const void> owner_;
};

// Sets out to the sum of the functions, all known at n examples, times their multipliers.
void combine(std::span<const double* const> functions, std::span<const double> multipliers, std::int64_t n,
             double* out);

}  // namespace hedgerow::svm
