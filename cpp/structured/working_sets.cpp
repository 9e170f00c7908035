#include "structured/working_sets.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "online/random.hpp"
#include "parallel.hpp"
#include "structured/simplex_ascent.hpp"

namespace hedgerow::structured {

namespace {

// A set is optimised to this share of the tolerance, so that small steps of others do not undo it at once.
constexpr double finer = 0.5;
// Slopes closer than this share of what they are made of differ by rounding only.
constexpr double rounding = 1e-12;
// A geometric margin below this share of the largest row counts as none.
constexpr double no_margin = 1e-4;

}  // namespace

WorkingSets::WorkingSets(Formulation formulation, std::int64_t examples, Weights weights)
    : formulation_(formulation), weights_(std::move(weights)), sets_(examples) {
  if (weights_.space().plain())
    margins_ = std::make_unique<PlainMargins>(weights_);
  else
    margins_ = std::make_unique<GramMargins>(weights_);
  for (Set& set : sets_) set.room = formulation_.bound();
}

double WorkingSets::slack(std::int64_t example) const {
  double highest = 0;
  for (const Constraint& constraint : sets_[example].constraints)
    highest = std::max(highest, constraint.offset - margins_->margin(constraint));
  return highest;
}

bool WorkingSets::add(std::int64_t example, Constraint newcomer, double tolerance) {
  Set& set = sets_[example];
  for (const Constraint& known : set.constraints)
    if (known.same_as(newcomer)) return false;

  margins_->add(newcomer);
  const std::size_t old = set.constraints.size(), size = old + 1;
  std::vector<double> products(size * size);
  for (std::size_t k = 0; k < old; ++k)
    std::copy_n(set.products.data() + k * old, old, products.data() + k * size);
  set.constraints.push_back(std::move(newcomer));
  for (std::size_t k = 0; k < size; ++k)
    products[old * size + k] = products[k * size + old] =
        margins_->product(set.constraints[k], set.constraints[old]) + formulation_.ridge();
  largest_norm_ = std::max(largest_norm_, products.back() - formulation_.ridge());
  largest_offset_ = std::max(largest_offset_, set.constraints.back().offset);
  set.products = std::move(products);
  ++constraints_;
  filled_ += old == 0;

  optimise(set, tolerance);
  return true;
}

void WorkingSets::slopes(const Set& set, std::vector<double>& out) const {
  double sum = 0;
  for (const Constraint& constraint : set.constraints) sum += constraint.multiplier;
  out.clear();
  for (const Constraint& constraint : set.constraints)
    out.push_back(constraint.offset - margins_->margin(constraint) - formulation_.ridge() * sum);
}

double WorkingSets::optimise(Set& set, double tolerance) {
  slopes(set, gradient_);
  multipliers_.clear();
  for (const Constraint& constraint : set.constraints) multipliers_.push_back(constraint.multiplier);
  const SimplexBlock block{multipliers_, set.room, gradient_, set.products};
  const double gap = slope_gap(block);
  if (gap <= tolerance) return gap;
  if (!ascend(block, finer * tolerance)) throw NotSeparable();
  for (std::size_t k = 0; k < set.constraints.size(); ++k) {
    Constraint& constraint = set.constraints[k];
    if (multipliers_[k] == constraint.multiplier) continue;
    margins_->move(constraint, multipliers_[k] - constraint.multiplier);
    constraint.multiplier = multipliers_[k];
  }
  return gap;
}

bool WorkingSets::optimise(double tolerance, bool verify) {
  tolerance = std::max(tolerance, rounding * (largest_offset_ + std::sqrt(largest_norm_ * squared_norm())));
  const auto everybody = [this] {
    order_.clear();
    for (std::int64_t example = 0; example < examples(); ++example)
      if (!sets_[example].constraints.empty()) order_.push_back(example);
  };
  online::Random random(0);
  everybody();
  bool moved = false;
  std::uint64_t sweeps = 0;
  while (!order_.empty()) {
    // Orders that change converge faster than any fixed one.
    for (std::size_t k = order_.size(); k > 1; --k) std::swap(order_[k - 1], order_[random.below(k)]);
    rest_.clear();
    for (const std::int64_t example : order_) {
      stop_if_asked();
      if (optimise(sets_[example], tolerance) > tolerance) rest_.push_back(example);
    }
    // Contradictions show in multipliers that grow sweep by sweep; a look at all of them is not for each
    // sweep.
    if (formulation_.slack == Formulation::Slack::none && std::has_single_bit(++sweeps)) check_separable();
    moved = moved || !rest_.empty();
    // Sets that are optimal now are looked at again when all others are.
    const bool all = static_cast<std::int64_t>(order_.size()) == filled_;
    if (!rest_.empty())
      order_.swap(rest_);
    else if (verify && !all)
      everybody();
    else
      break;
  }
  for (Set& set : sets_)
    for (Constraint& constraint : set.constraints)
      constraint.idle = constraint.multiplier > 0 ? 0 : constraint.idle + 1;
  return moved;
}

void WorkingSets::forget(std::int32_t idle) {
  std::vector<std::int32_t> gone;
  for (Set& set : sets_) {
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < set.constraints.size(); ++k)
      if (set.constraints[k].idle < idle)
        kept.push_back(k);
      else
        gone.push_back(set.constraints[k].number);
    if (kept.size() == set.constraints.size()) continue;
    const std::size_t old = set.constraints.size();
    constraints_ -= static_cast<std::int64_t>(old - kept.size());
    std::vector<double> products;
    std::vector<Constraint> constraints;
    for (const std::size_t k : kept) {
      for (const std::size_t l : kept) products.push_back(set.products[k * old + l]);
      constraints.push_back(std::move(set.constraints[k]));
    }
    set.products = std::move(products);
    set.constraints = std::move(constraints);
    filled_ -= kept.empty();
  }
  if (gone.empty()) return;
  std::ranges::sort(gone);
  margins_->remove(gone);
  for (Set& set : sets_)
    for (Constraint& constraint : set.constraints)
      constraint.number -=
          static_cast<std::int32_t>(std::ranges::lower_bound(gone, constraint.number) - gone.begin());
}

std::vector<double> WorkingSets::coordinates() const {
  std::vector<double> sum(weights_.size());
  for (const Set& set : sets_)
    for (const Constraint& constraint : set.constraints)
      if (constraint.multiplier > 0)
        for (std::size_t k = 0; k < constraint.indices.size(); ++k)
          sum[constraint.indices[k]] += constraint.multiplier * constraint.values[k];
  return sum;
}

double WorkingSets::dual_objective() const {
  double linear = 0, ridge = 0;
  for (const Set& set : sets_) {
    double sum = 0;
    for (const Constraint& constraint : set.constraints) {
      sum += constraint.multiplier;
      linear += constraint.multiplier * constraint.offset;
    }
    ridge += formulation_.ridge() * sum * sum;
  }
  return linear - squared_norm() / 2 - ridge / 2;
}

double WorkingSets::squared_norm() const {
  double norm = 0;
  for (const Set& set : sets_)
    for (const Constraint& constraint : set.constraints)
      if (constraint.multiplier > 0) norm += constraint.multiplier * margins_->margin(constraint);
  return std::max(0.0, norm);
}

// Weights v that satisfy all constraints without slack have |v| |w| >= v.w = sum m v.a >= sum m h, which
// bounds the margin 1 / |v| by |w| / sum m h.
void WorkingSets::check_separable() const {
  double mass = 0;
  for (const Set& set : sets_)
    for (const Constraint& constraint : set.constraints) mass += constraint.multiplier * constraint.offset;
  if (std::sqrt(squared_norm() / largest_norm_) < no_margin * mass) throw NotSeparable();
}

}  // namespace hedgerow::structured
