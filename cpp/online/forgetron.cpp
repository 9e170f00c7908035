#include "online/forgetron.hpp"

#include <algorithm>
#include <cmath>

namespace hedgerow::online {
namespace {

constexpr double allowance = 15.0 / 32;  // of damage for each mistake

// The damage done by removing a support with coefficient sigma (times its label) and margin mu.
double psi(double sigma, double mu) { return sigma * sigma + 2 * sigma - 2 * sigma * mu; }

}  // namespace

Forgetron::Forgetron(std::int64_t budget, Shrinking shrinking) : budget_(budget), shrinking_(shrinking) {
  const auto n = static_cast<double>(budget + 1);
  factor_ = std::pow(n, -1 / (2 * n));
  radius_ = std::sqrt(n / std::log(n)) / 4;
}

void Forgetron::learn(models::KernelFunction& f, double y, double) {
  if (y * f.score() > 0) return;
  mistakes_ += 1;
  add(f, y);
  const bool over_budget = static_cast<std::int64_t>(f.supports().size()) > budget_;
  double factor = 1;
  std::size_t place = 0;
  double value = 0;  // of f at the support that leaves
  if (over_budget) {
    if (shrinking_ == Shrinking::greedy) place = choose(f);
    value = shrinking_ == Shrinking::greedy ? values_[place] : f.value_at(f.supports()[place]);
  }
  if (shrinking_ == Shrinking::basic) {
    factor = std::min(factor_, radius_ / std::sqrt(f.squared_norm()));
  } else if (over_budget) {
    // beta = sigma * label with sigma > 0
    const double beta = f.coefficient(f.supports()[place]);
    const double sigma = std::abs(beta), margin = beta > 0 ? value : -value;
    factor = gentlest_factor(sigma, margin);
    damage_ += psi(factor * sigma, factor * margin);
  }
  f.scale(factor);
  if (!over_budget) {
    for (double& known : values_) known *= factor;
    return;
  }
  const std::int32_t leaving = f.supports()[place];
  if (shrinking_ == Shrinking::greedy) {
    others_.resize(f.slots());
    f.support_row(leaving, others_.data());
    const double beta = f.coefficient(leaving);
    for (std::size_t i = 0; i < values_.size(); ++i)
      values_[i] = factor * values_[i] - beta * others_[f.supports()[i]];
    values_.erase(values_.begin() + static_cast<std::ptrdiff_t>(place));
  }
  f.remove(leaving, factor * value);
}

// f' = f + y K(x, .)
void Forgetron::add(models::KernelFunction& f, double y) {
  if (shrinking_ == Shrinking::greedy) {
    const std::vector<double>& row = f.row();
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] += y * row[f.supports()[i]];
    values_.push_back(f.score() + y * f.self_kernel());
  }
  f.add(y);
}

// The support that may leave without shrinking, else the oldest.
std::size_t Forgetron::choose(const models::KernelFunction& f) const {
  std::size_t best = 0;
  double least = INFINITY;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const double beta = f.coefficient(f.supports()[i]);
    const double harm = psi(std::abs(beta), beta > 0 ? values_[i] : -values_[i]);
    if (harm < least) least = harm, best = i;
  }
  return least <= allowance ? best : 0;
}

// The largest factor in (0, 1] with psi(factor * sigma, factor * margin) + Q <= 15/32 M.
double Forgetron::gentlest_factor(double sigma, double margin) const {
  const double a = sigma * sigma - 2 * sigma * margin, b = 2 * sigma, c = damage_ - allowance * mistakes_;
  if (a + b + c <= 0) return 1;
  if (a == 0) return -c / b;
  return (-b + std::sqrt(b * b - 4 * a * c)) / (2 * a);
}

void Forgetron::save(models::State& state, const std::string& prefix) const {
  state.set(prefix + "numbers", std::vector<double>{mistakes_, damage_});
  state.set(prefix + "values", values_);
}

void Forgetron::load(const models::State& state, const std::string& prefix, const models::KernelFunction& f) {
  const auto& numbers = state.get<double>(prefix + "numbers", 2);
  mistakes_ = numbers[0];
  damage_ = numbers[1];
  values_ = state.get<double>(prefix + "values", shrinking_ == Shrinking::greedy ? f.supports().size() : 0);
}

}  // namespace hedgerow::online
