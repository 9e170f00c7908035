// Ahpatron (Liao, Li, Liao, Hu, Dang, AAAI 2024): an aggressive perceptron whose budget, once reached, is
// halved by projecting the supports with the smaller coefficients onto the others. Needs K(x, x) <= 1.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "models/cholesky.hpp"
#include "online/rule.hpp"

namespace hedgerow::online {
namespace {

struct AhpatronOptions {
  std::int64_t budget;
  double margin;  // examples with a margin below this one are learned from
  double radius;  // U: the norm of f stays within it
  double ridge;   // added to the Gram matrix of the supports that stay
};

class Ahpatron final : public KernelRule {
 public:
  explicit Ahpatron(const AhpatronOptions& options);

  void learn(models::KernelFunction& f, double y, double weight) override;
  std::unique_ptr<KernelRule> fresh(std::int32_t) const override {
    return std::make_unique<Ahpatron>(options_);
  }
  bool merges() const override { return false; }
  std::size_t growth() const override { return 8 * sizeof(double) * supports_ * supports_ / 4; }

 private:
  void halve(models::KernelFunction& f);

  AhpatronOptions options_;
  double step_;
  std::size_t supports_ = 0;  // when it learned last
};

Ahpatron::Ahpatron(const AhpatronOptions& options)
    : options_(options), step_(options.radius / (2 * std::sqrt(static_cast<double>(options.budget)))) {}

void Ahpatron::learn(models::KernelFunction& f, double y, double) {
  supports_ = f.supports().size();
  if (y * f.score() >= options_.margin) return;
  if (static_cast<std::int64_t>(f.supports().size()) >= options_.budget) {
    halve(f);
    f.rescore();
  }
  f.add(y * step_);
  const double norm = std::sqrt(f.squared_norm());
  if (norm > options_.radius) f.scale(options_.radius / norm);
}

void Ahpatron::halve(models::KernelFunction& f) {
  // The larger coefficients stay, in order of age; of equal ones the older.
  const std::vector<std::int32_t> all = f.supports();
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(f.coefficient(all[a])) > std::abs(f.coefficient(all[b]));
  });
  const std::size_t kept = all.size() / 2;
  std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept));

  // Solve (K11 + ridge) theta = K12 beta2, where 1 stays and 2 goes.
  models::Cholesky factor;
  std::vector<double> row(f.slots()), half(kept), theta(kept), stay(kept * kept);
  for (std::size_t i = 0; i < kept; ++i) {
    f.support_row(all[order[i]], row.data());
    for (std::size_t j = 0; j < kept; ++j) stay[i * kept + j] = row[all[order[j]]];
    theta[i] = 0;
    for (std::size_t j = kept; j < all.size(); ++j)
      theta[i] += row[all[order[j]]] * f.coefficient(all[order[j]]);
    const std::span<double> head(half.data(), i);
    std::copy_n(stay.begin() + static_cast<std::ptrdiff_t>(i * kept), i, head.begin());
    factor.forward(head);
    double rest = stay[i * kept + i] + options_.ridge;
    for (double value : head) rest -= value * value;
    factor.append(head, std::sqrt(std::max(rest, options_.ridge)));
  }
  factor.forward(theta);
  factor.backward(theta);

  const double norm = std::sqrt(f.squared_norm());
  for (std::size_t j = kept; j < all.size(); ++j) {
    const std::int32_t slot = all[order[j]];
    f.remove(slot, f.value_at(slot));
  }
  // f1 += theta: <f1, g> and |g|^2 from the Gram matrix of those that stay.
  double inner = 0, squared = 0;
  for (std::size_t i = 0; i < kept; ++i) {
    double product = 0;
    for (std::size_t j = 0; j < kept; ++j) product += stay[i * kept + j] * theta[j];
    inner += f.coefficient(all[order[i]]) * product;
    squared += theta[i] * product;
  }
  f.add_combination(theta, 1, inner, squared);
  const double now = std::sqrt(f.squared_norm());
  if (now > 0) f.scale(norm / now);
}

NewRule make(Parameters& p) {
  return std::make_unique<Ahpatron>(
      AhpatronOptions{p.whole("budget"), p.number("margin"), p.number("radius"), p.number("ridge")});
}
const KernelRules::Entry entry{"ahpatron", make};

}  // namespace
}  // namespace hedgerow::online
