// FTRL-proximal (McMahan and others 2013): follow the leader of linearised losses, regularised towards the
// weights of the past, with steps of its own for every feature.
#include <algorithm>
#include <cmath>

#include "linear/losses.hpp"
#include "linear/shrinkage_sums.hpp"
#include "linear/steady_rule.hpp"

namespace hedgerow::linear {
namespace {

struct FtrlOptions {
  Loss loss;
  double learning_rate, beta, l1, l2;
};

template <bool averages>
struct FtrlCell : SteadyCell<averages> {
  double z;     // sum of gradients, less the steps that the proximal terms make
  double root;  // of the sum of squared gradients

  template <class Self, class Each>
  static void fields(Self& self, Each&& each) {
    SteadyCell<averages>::fields(self, each);
    each(Field{"z"}, self.z);
    each(Field{"root", models::at_least_0}, self.root);
  }
};

template <bool averages>
class Ftrl final : public SteadyRule<Ftrl<averages>, FtrlCell<averages>> {
  using Steady = SteadyRule<Ftrl, FtrlCell<averages>>;

 public:
  using typename Steady::Cell;

  Ftrl(Averaging averaging, FtrlOptions options, bool bias) : Steady(averaging, bias), options_(options) {}

  std::unique_ptr<LinearRule> fresh() const override {
    return std::make_unique<Ftrl>(this->averaging_, options_, this->has_bias_);
  }

  bool update(const Entries& x, double score, double y, double weight) {
    const double scale = weight * y * slope(options_.loss, y * score);
    if (scale == 0) return false;
    for (const double value : x.value)
      if (!(std::abs(scale * value) < 1e150)) return false;  // its square would overflow
    const double per_rate = 1 / options_.learning_rate, l1 = options_.l1;
    const double curvature = options_.beta * per_rate + options_.l2, steps = this->clock_.steps;
    this->each(x, [=](Cell& cell, double value) HEDGEROW_INLINE_BODY {
      const double gradient = scale * value;
      const double root = std::sqrt(cell.root * cell.root + gradient * gradient);
      const double z = cell.z + gradient - (root - cell.root) * per_rate * cell.weight;
      const double step = std::max(std::abs(z) - l1, 0.0) / std::max(curvature + root * per_rate, smallest);
      cell.z = z;
      cell.root = root;
      Steady::shift(cell, -std::copysign(step, z) - cell.weight, steps);
    });
    return true;
  }

  // Shards mix squared gradients, from which step sizes follow, and z, a sum of gradients less the pull of
  // the weights of the past. That pull is taken out first, and that of the start's weight put back with the
  // new step size, so that z and step sizes belong together: without l1, weights have their mean but for step
  // sizes.
  struct Coordinates {
    double squares, z;

    template <class Self, class Each>
    static void fields(Self& self, Each&& each) {
      each(Field{"squares", models::at_least_0, Mix::mean}, self.squares);
      each(Field{"z", models::finite, Mix::mean}, self.z);
    }
  };
  Coordinates change(const Ftrl&, const Cell& before, const Cell& now) const {
    return {now.root * now.root - before.root * before.root,
            now.z - before.z + (now.root - before.root) / options_.learning_rate * before.weight};
  }
  Cell changed(const Ftrl&, const Cell& before, const Coordinates& added) const {
    Cell cell{};
    cell.root = std::sqrt(std::max(before.root * before.root + added.squares, 0.0));
    cell.z = before.z + added.z - (cell.root - before.root) / options_.learning_rate * before.weight;
    const double curvature = (options_.beta + cell.root) / options_.learning_rate + options_.l2;
    cell.weight = -shrink(cell.z, options_.l1) / std::max(curvature, smallest);
    return cell;
  }

 private:
  static constexpr double smallest = 1e-300;  // of divisors: there may be no regularisation and no gradient

  FtrlOptions options_;
};

NewRule make(Parameters& p, Averaging averaging) {
  const FtrlOptions options{loss_of(p), p.number("learning_rate"), p.number("beta"), p.number("l1"),
                            p.number("l2")};
  return make_steady_rule<Ftrl>(averaging, options, p.flag("bias"));
}
const LinearRules::Entry entry{"ftrl", make};

}  // namespace
}  // namespace hedgerow::linear
