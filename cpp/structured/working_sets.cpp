#include "structured/working_sets.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "online/random.hpp"
#include "parallel.hpp"
#include "structured/face_step.hpp"
#include "structured/simplex_ascent.hpp"

namespace hedgerow::structured {

namespace {

// A set is optimised to this share of the tolerance, so that small steps of others do not undo it at once.
constexpr double finer = 0.5;
// Slopes closer than this share of what they are made of differ by rounding only.
constexpr double rounding = 1e-12;
// A geometric margin below this share of the largest row counts as none.
constexpr double no_margin = 1e-4;
// Multipliers travel far in small steps when C is large: after so many optimisations of sets, or so many of
// each, they stay where they are.
constexpr std::int64_t most_optimisations = 50'000'000, most_of_each = 1'000;
// So many sweeps come before steps over all sets together, of which there are so many at once, unless there
// are more multipliers than that, or the products of their rows take more operations.
constexpr std::uint64_t sweeps_before_steps = 16;
constexpr int most_steps = 8;
constexpr std::size_t most_on_a_face = 800;
constexpr double most_operations = 1e8;

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
  if (formulation_.slack == Formulation::Slack::none) return highest;
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
  std::int64_t left = gave_up_ ? filled_ : std::max(most_optimisations, most_of_each * filled_);
  while (!order_.empty()) {
    left -= static_cast<std::int64_t>(order_.size());
    gave_up_ = gave_up_ || left < 0;
    if (left < 0) break;
    // Orders that change converge faster than any fixed one.
    for (std::size_t k = order_.size(); k > 1; --k) std::swap(order_[k - 1], order_[random.below(k)]);
    rest_.clear();
    for (const std::int64_t example : order_) {
      stop_if_asked();
      if (optimise(sets_[example], tolerance) > tolerance) rest_.push_back(example);
    }
    // Contradictions show in multipliers that grow sweep by sweep; a look at all of them is not for each
    // sweep.
    ++sweeps;
    if (formulation_.slack == Formulation::Slack::none && std::has_single_bit(sweeps)) check_separable();
    if (!rest_.empty() && sweeps % sweeps_before_steps == 0) {
      step_on_faces();
      everybody();
      rest_ = order_;
    }
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

void WorkingSets::step_on_faces() {
  for (int steps = 0; steps < most_steps; ++steps) {
    stop_if_asked();
    Face face;
    std::vector<Constraint*> constraints;
    std::vector<std::int64_t> owners;
    double nonzeros = 0;
    for (std::int64_t example = 0; example < examples(); ++example) {
      Set& set = sets_[example];
      slopes(set, gradient_);
      const std::size_t before = constraints.size();
      for (std::size_t k = 0; k < set.constraints.size(); ++k) {
        Constraint& constraint = set.constraints[k];
        if (!(constraint.multiplier > 0)) continue;
        constraints.push_back(&constraint);
        face.multipliers.push_back(constraint.multiplier);
        face.slopes.push_back(gradient_[k]);
        face.blocks.push_back(static_cast<std::int32_t>(face.rooms.size()));
        nonzeros += static_cast<double>(constraint.indices.size());
      }
      if (constraints.size() == before) continue;
      face.rooms.push_back(set.room);
      owners.push_back(example);
    }
    const std::size_t n = constraints.size();
    if (n == 0 || n > most_on_a_face || nonzeros * static_cast<double>(n) > most_operations) return;
    face.products.resize(n * n);
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t l = 0; l <= k; ++l)
        face.products[k * n + l] = face.products[l * n + k] =
            margins_->product(*constraints[k], *constraints[l]) +
            (face.blocks[k] == face.blocks[l] ? formulation_.ridge() : 0);
    bool ended = false;
    const std::vector<double> changes = face_step(face, ended);
    if (changes.empty()) return;
    for (std::size_t k = 0; k < n; ++k) {
      if (changes[k] == 0) continue;
      Constraint& constraint = *constraints[k];
      margins_->move(constraint, changes[k]);
      constraint.multiplier += changes[k];
    }
    for (std::size_t b = 0; b < owners.size(); ++b) {
      Set& set = sets_[owners[b]];
      if (std::isinf(set.room) || !(set.room > 0)) continue;
      double used = 0;
      for (const Constraint& constraint : set.constraints) used += constraint.multiplier;
      set.room = std::max(0.0, formulation_.bound() - used);
    }
    if (ended) return;
  }
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
