#include "svm/svm_dual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "parallel.hpp"

namespace hedgerow::svm {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Coefficients of one sign are scaled down until the sum is 0. Sums that are rounding errors stay, so that
// coefficients at their bounds do.
void balance(std::vector<double>& beta) {
  double positive = 0, negative = 0;
  for (double value : beta) (value > 0 ? positive : negative) += std::abs(value);
  if (std::abs(positive - negative) <= 1e-12 * (positive + negative)) return;
  const double factor = std::min(positive, negative) / std::max(positive, negative);
  for (double& value : beta)
    if ((value > 0) == (positive > negative)) value *= factor;
}

}  // namespace

template <class Real>
double SvmDual<Real>::Active::move(std::int64_t p, double value) {
  const double change = value - beta[p];
  beta[p] = value;
  g[p] -= ridge[p] * change;
  rise[p] = value < upper[p] ? 0.0 : -infinity;
  fall[p] = value > lower[p] ? 0.0 : infinity;
  return change;
}

template <class Real>
SvmDual<Real>::SvmDual(KernelRows<Real>& rows, const SvmProblem& problem, int threads)
    : rows_(rows),
      problem_(problem),
      threads_(threads),
      lower_(rows.size()),
      upper_(rows.size()),
      ridge_(rows.size()),
      beta_(rows.size()),
      gradient_(problem.y.begin(), problem.y.end()) {
  const double total = std::accumulate(problem.cost.begin(), problem.cost.end(), 0.0);
  for (std::int32_t i = 0; i < rows.size(); ++i) {
    const double cost = problem.cost[i];
    if (cost == 0) continue;
    present_.push_back(i);
    // With squared slack no solution goes beyond half of this, as its primal value is at most that of f = 0.
    // Only kernels that are not positive definite would go on for ever.
    const double bound = problem.squared ? 4 * std::sqrt(cost) * std::sqrt(total) : cost;
    (problem.y[i] > 0 ? upper_ : lower_)[i] = problem.y[i] * bound;
    if (problem.squared) ridge_[i] = 1 / (2 * cost);
  }
  widen();
}

template <class Real>
void SvmDual<Real>::begin_with(std::span<const double> start) {
  std::vector<double> beta(beta_.size());
  for (std::int32_t i : present_) beta[i] = std::clamp(start[i], lower_[i], upper_[i]);
  if (problem_.bias) balance(beta);
  gradient_ = gradient_of(beta);
  beta_ = std::move(beta);
  activate(present_);
}

template <class Real>
std::vector<double> SvmDual<Real>::gradient_of(const std::vector<double>& beta) {
  std::vector<std::int32_t> items;
  std::vector<double> coefficients;
  for (std::int32_t i : present_) {
    if (beta[i] == 0) continue;
    items.push_back(i);
    coefficients.push_back(beta[i]);
  }
  std::vector<double> products(present_.size());
  if (!items.empty()) rows_.products(items, coefficients, present_, threads_, products.data());
  std::vector<double> gradient(beta.size());
  for (std::size_t k = 0; k < present_.size(); ++k) {
    const std::int32_t i = present_[k];
    gradient[i] = problem_.y[i] - products[k] - ridge_[i] * beta[i];
  }
  return gradient;
}

template <class Real>
void SvmDual<Real>::activate(std::span<const std::int32_t> items) {
  const auto take = [&](const std::vector<double>& from, std::vector<double>& to) {
    to.resize(items.size());
    for (std::size_t p = 0; p < items.size(); ++p) to[p] = from[items[p]];
  };
  take(beta_, active_.beta);
  take(gradient_, active_.g);
  take(lower_, active_.lower);
  take(upper_, active_.upper);
  take(ridge_, active_.ridge);
  active_.item.assign(items.begin(), items.end());
  active_.curvature.resize(items.size());
  active_.rise.resize(items.size());
  active_.fall.resize(items.size());
  for (std::size_t p = 0; p < items.size(); ++p) {
    active_.curvature[p] = rows_.diagonal()[items[p]] + ridge_[items[p]];
    if (!problem_.bias) active_.curvature[p] = std::max(active_.curvature[p], least_curvature);
    active_.move(static_cast<std::int64_t>(p), active_.beta[p]);
  }
}

template <class Real>
void SvmDual<Real>::store() {
  for (std::size_t p = 0; p < active_.item.size(); ++p) {
    beta_[active_.item[p]] = active_.beta[p];
    gradient_[active_.item[p]] = active_.g[p];
  }
}

template <class Real>
void SvmDual<Real>::narrow(std::span<const std::int32_t> kept) {
  Layer layer;
  std::size_t next = 0;
  for (std::int32_t p = 0; p < active_.size(); ++p) {
    const bool stays = next < kept.size() && kept[next] == p;
    (stays ? layer.items : layer.dropped).push_back(active_.item[p]);
    if (stays) layer.beta.push_back(active_.beta[p]);
    next += stays;
  }
  rows_.narrow(layer.items);
  store();
  layers_.push_back(std::move(layer));
  activate(layers_.back().items);
}

template <class Real>
void SvmDual<Real>::widen() {
  complete();
  rows_.widen();
  if (!present_.empty() && static_cast<std::int32_t>(present_.size()) < rows_.size()) rows_.narrow(present_);
  activate(present_);
}

template <class Real>
void SvmDual<Real>::changes(const Layer& layer, std::vector<std::int32_t>& items,
                            std::vector<double>& by) const {
  items.clear();
  by.clear();
  for (std::size_t k = 0; k < layer.items.size(); ++k) {
    const std::int32_t item = layer.items[k];
    if (beta_[item] == layer.beta[k]) continue;
    items.push_back(item);
    by.push_back(beta_[item] - layer.beta[k]);
  }
}

template <class Real>
void SvmDual<Real>::complete() {
  store();
  std::vector<std::int32_t> items;
  std::vector<double> by;
  std::vector<std::vector<double>> products;  // all of them first: an interrupt may come before the last
  for (const Layer& layer : layers_) {
    changes(layer, items, by);
    products.emplace_back(layer.dropped.size());
    if (!items.empty()) rows_.products(items, by, layer.dropped, threads_, products.back().data());
  }
  for (std::size_t e = 0; e < layers_.size(); ++e)
    for (std::size_t t = 0; t < products[e].size(); ++t) gradient_[layers_[e].dropped[t]] -= products[e][t];
  layers_.clear();
}

template <class Real>
double SvmDual<Real>::seconds_to_complete() const {
  double seconds = 0;
  for (const Layer& layer : layers_)
    seconds += rows_.seconds_for_products(static_cast<std::int64_t>(layer.items.size()),
                                          static_cast<std::int64_t>(layer.dropped.size()));
  return seconds;
}

template <class Real>
void SvmDual<Real>::refresh() {
  store();
  gradient_ = gradient_of(beta_);
  activate(present_);
}

template <class Real>
double SvmDual<Real>::objective() {
  store();
  double sum = 0;
  for (std::int32_t i : present_) sum += beta_[i] * (problem_.y[i] + gradient_[i]);
  return sum / 2;
}

template <class Real>
SvmSolution SvmDual<Real>::solution() {
  SvmSolution found;
  found.dual = objective();

  double highest = -infinity, lowest = infinity, free_sum = 0;
  std::int64_t free = 0;
  for (std::int32_t i : present_) {
    const bool may_grow = beta_[i]<upper_[i], may_shrink = beta_[i]> lower_[i];
    if (may_grow) highest = std::max(highest, gradient_[i]);
    if (may_shrink) lowest = std::min(lowest, gradient_[i]);
    if (may_grow && may_shrink) {
      free_sum += gradient_[i];
      ++free;
    }
  }
  if (problem_.bias) {
    if (std::isfinite(highest) && std::isfinite(lowest)) found.violation = std::max(highest - lowest, 0.0);
    if (free > 0)
      found.bias = free_sum / static_cast<double>(free);
    else if (std::isfinite(highest) && std::isfinite(lowest))
      found.bias = (highest + lowest) / 2;
    else if (!present_.empty())
      found.bias = std::isfinite(highest) ? highest : lowest;
  } else {
    found.violation = std::max({highest, -lowest, 0.0});
  }

  double norm = 0, loss = 0;
  for (std::int32_t i : present_) {
    const double residual = gradient_[i] + ridge_[i] * beta_[i];  // y_i - (K beta)_i
    const double slack = std::max(0.0, problem_.y[i] * (residual - found.bias));
    norm += beta_[i] * (problem_.y[i] - residual);
    loss += problem_.cost[i] * (problem_.squared ? slack * slack : slack);
  }
  found.primal = norm / 2 + loss;
  found.coefficients = beta_;
  return found;
}

template class SvmDual<float>;
template class SvmDual<double>;

}  // namespace hedgerow::svm
