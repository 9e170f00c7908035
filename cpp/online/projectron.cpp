#include "online/projectron.hpp"

#include <algorithm>
#include <cmath>

namespace hedgerow::online {

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
  factor_.assign(state.get<double>(prefix + "factor"), supports);
}

// ---- Projectron and Projectron++

Projectron::Projectron(const ProjectronOptions& options) : options_(options) {
  if (!options.budget) return;
  const auto n = static_cast<double>(*options.budget + 1);
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

void ForgetfulProjectron::learn(models::KernelFunction& f, double y, double) {
  if (y * f.score() > 0) return;
  projection_.at(f);
  if (projection_.dependent()) {
    f.add_combination(projection_.combination(), y, f.score(), projection_.squared_length());
    return;
  }
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

}  // namespace hedgerow::online
