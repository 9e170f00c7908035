// Projectron and Projectron++ (Orabona, Keshet, Caputo 2009), and the Forgetful Projectron (McKenna 2011).
//
// An example that almost lies in the span of the supports is projected onto it instead of being stored.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "models/cholesky.hpp"
#include "online/rule.hpp"

namespace hedgerow::online {
namespace {

// The projection of the current example onto the span of a function's supports: P k = sum_i d_i K(s_i, .).
class Projection {
 public:
  // Prepares the distance of the example from the span.
  void at(models::KernelFunction& f) { at(f.supports(), f.row(), f.self_kernel()); }
  // Likewise for any item, given its kernel values by slot.
  void at(std::span<const std::int32_t> supports, std::span<const double> row, double self_kernel);
  double squared_distance() const { return squared_distance_; }  // delta^2
  double squared_length() const { return squared_length_; }      // |P k|^2
  // Whether the example lies in the span as far as rounding can tell; it must not be stored then.
  bool dependent() const { return squared_distance_ <= 1e-10 * self_kernel_; }
  // The coefficients d.
  std::span<const double> combination();
  // The example is going to be a support.
  void append();
  // Support number `index` is going to leave.
  void remove(std::size_t index) { factor_.remove(index); }

  double condition() const { return factor_.condition(); }
  std::size_t growth() const { return 2 * sizeof(double) * (factor_.rows().capacity() + half_.capacity()); }
  void save(models::State& state, const std::string& prefix) const;
  void load(const models::State& state, const std::string& prefix, std::size_t supports);

 private:
  models::Cholesky factor_;  // of the Gram matrix of the supports, oldest first
  std::vector<double> half_, combination_;
  double self_kernel_ = 0, squared_distance_ = 0, squared_length_ = 0;
};

void Projection::at(std::span<const std::int32_t> supports, std::span<const double> row, double self_kernel) {
  half_.resize(supports.size());
  for (std::size_t i = 0; i < supports.size(); ++i) half_[i] = row[supports[i]];
  factor_.forward(half_);
  self_kernel_ = self_kernel;
  squared_length_ = 0;
  for (double value : half_) squared_length_ += value * value;
  squared_distance_ = std::max(0.0, self_kernel_ - squared_length_);
}

std::span<const double> Projection::combination() {
  combination_ = half_;
  factor_.backward(combination_);
  return combination_;
}

void Projection::append() { factor_.append(half_, std::sqrt(squared_distance_)); }

void Projection::save(models::State& state, const std::string& prefix) const {
  state.set(prefix + "factor", factor_.rows());
}

void Projection::load(const models::State& state, const std::string& prefix, std::size_t supports) {
  factor_.assign(models::numbers_in(models::finite, state, prefix + "factor", supports * (supports + 1) / 2),
                 supports);
}

// ---- Projectron and Projectron++

struct ProjectronOptions {
  double eta = 0.1;                    // how far from the span an example may be and still be projected
  std::optional<std::int64_t> budget;  // if given, eta follows from it, and at the budget all are projected
  bool margin_errors = false;          // Projectron++: learn from right predictions with a margin below 1 too
};

class Projectron final : public KernelRule {
 public:
  explicit Projectron(const ProjectronOptions& options);

  void learn(models::KernelFunction& f, double y, double weight) override;
  std::unique_ptr<KernelRule> fresh(std::int32_t) const override {
    return std::make_unique<Projectron>(options_);
  }
  double condition() const override { return projection_.condition(); }
  std::size_t growth() const override { return projection_.growth(); }
  void save_arrays(models::State& state, const std::string& prefix) const override {
    projection_.save(state, prefix);
  }
  void load_arrays(const models::State& state, const std::string& prefix,
                   const models::KernelFunction& f) override {
    projection_.load(state, prefix, f.supports().size());
  }

 private:
  void mistake(models::KernelFunction& f, double y);
  void margin_error(models::KernelFunction& f, double y);
  double threshold(double loss) const;
  bool full(const models::KernelFunction& f) const;

  ProjectronOptions options_;
  double radius_ = 0;  // U of the budget, or of the smallest for which the published threshold is of use
  Projection projection_;
};

Projectron::Projectron(const ProjectronOptions& options) : options_(options) {
  if (!options.budget) return;
  // With U of some 20 supports the threshold exceeds 1, the length of an example under a normalised kernel,
  // and everything would be projected onto the first support.
  constexpr std::int64_t fewest = 200;
  const auto n = static_cast<double>(std::max(*options.budget, fewest) + 1);
  radius_ = std::sqrt(n / std::log(n)) / 4;
}

void Projectron::learn(models::KernelFunction& f, double y, double) {
  const double margin = y * f.score();
  if (margin <= 0)
    mistake(f, y);
  else if (margin < 1 && options_.margin_errors)
    margin_error(f, y);
}

bool Projectron::full(const models::KernelFunction& f) const {
  return options_.budget && static_cast<std::int64_t>(f.supports().size()) >= *options_.budget;
}

double Projectron::threshold(double loss) const {
  if (!options_.budget) return options_.eta;
  return (2 * loss - projection_.squared_length() - 0.5) / (2 * radius_);
}

void Projectron::mistake(models::KernelFunction& f, double y) {
  projection_.at(f);
  const double loss = 1 - y * f.score();
  // There is nothing to project the first support onto, however large a budget's threshold may be.
  const bool close = !f.supports().empty() && std::sqrt(projection_.squared_distance()) <= threshold(loss);
  if (close || full(f) || projection_.dependent()) {
    // <f, P k> = f(x), since f lies in the span.
    f.add_combination(projection_.combination(), y, f.score(), projection_.squared_length());
    return;
  }
  f.begin();
  projection_.append();
  f.add(y);
}

void Projectron::margin_error(models::KernelFunction& f, double y) {
  projection_.at(f);
  const double length = projection_.squared_length();
  if (length <= 0) return;
  const double loss = 1 - y * f.score(), eta = threshold(loss);
  const double distance = projection_.dependent() ? 0 : std::sqrt(projection_.squared_distance());
  if (eta <= 0 && distance > 0) return;
  const double gain = distance > 0 ? loss - distance / eta : loss;
  if (gain < 0) return;
  const double step = std::min({loss / length, 2 * gain / length, 1.0});
  f.add_combination(projection_.combination(), y * step, f.score(), length);
}

// ---- Forgetful Projectron

// Stores every mistake; over budget the oldest support is projected onto the others.
class ForgetfulProjectron final : public KernelRule {
 public:
  explicit ForgetfulProjectron(std::int64_t budget) : budget_(budget) {}

  void learn(models::KernelFunction& f, double y, double weight) override;
  std::unique_ptr<KernelRule> fresh(std::int32_t) const override {
    return std::make_unique<ForgetfulProjectron>(budget_);
  }
  bool merges() const override { return false; }
  double condition() const override { return projection_.condition(); }
  std::size_t growth() const override { return projection_.growth(); }
  void save_arrays(models::State& state, const std::string& prefix) const override {
    projection_.save(state, prefix);
  }
  void load_arrays(const models::State& state, const std::string& prefix,
                   const models::KernelFunction& f) override {
    projection_.load(state, prefix, f.supports().size());
  }

 private:
  void drop_oldest(models::KernelFunction& f);

  std::int64_t budget_;
  Projection projection_;
  std::vector<double> row_;
};

void ForgetfulProjectron::learn(models::KernelFunction& f, double y, double) {
  if (y * f.score() > 0) return;
  projection_.at(f);
  if (projection_.dependent()) {
    f.add_combination(projection_.combination(), y, f.score(), projection_.squared_length());
    return;
  }
  f.begin();
  projection_.append();
  f.add(y);
  if (static_cast<std::int64_t>(f.supports().size()) > budget_) drop_oldest(f);
}

void ForgetfulProjectron::drop_oldest(models::KernelFunction& f) {
  const std::int32_t oldest = f.supports().front();
  const double beta = f.coefficient(oldest), self_kernel = f.support_self_kernel(oldest);
  row_.resize(f.slots());
  f.support_row(oldest, row_.data());
  const double value = f.value_at(oldest);
  f.remove(oldest, value);
  projection_.remove(0);
  projection_.at(f.supports(), row_, self_kernel);
  // What is left of f has <f, P k> = f(oldest) = value - beta K(oldest, oldest).
  f.add_combination(projection_.combination(), beta, value - beta * self_kernel,
                    projection_.squared_length());
}

// ----

NewRule make_projectron(Parameters& p) {
  return std::make_unique<Projectron>(
      ProjectronOptions{p.number("eta"), p.whole_or_none("budget"), p.flag("margin_errors")});
}
const KernelRules::Entry projectron{"projectron", make_projectron};

NewRule make_forgetful(Parameters& p) { return std::make_unique<ForgetfulProjectron>(p.whole("budget")); }
const KernelRules::Entry forgetful{"forgetful-projectron", make_forgetful};

}  // namespace
}  // namespace hedgerow::online
