#include "structured/working_sets.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "awake.hpp"
#include "online/random.hpp"
#include "parallel.hpp"
#include "structured/face_step.hpp"

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
// Steps of several sets are found at a time: so many that about this number of them move, but no more than
// this part of all.
constexpr std::size_t most_moving = 8, batches = 32, largest_batch = 64;

void ascend_to(const SimplexBlock& block, double tolerance) {
  if (!ascend(block, tolerance)) throw NotSeparable();
}

double sum_of_multipliers(std::span<const Constraint> constraints) {
  double sum = 0;
  for (const Constraint& constraint : constraints) sum += constraint.multiplier;
  return sum;
}

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

  optimise_some({&example, 1}, tolerance, 1);
  return true;
}

double WorkingSets::slope(const Constraint& constraint, double sum) const {
  return constraint.offset - margins_->margin(constraint) - formulation_.ridge() * sum;
}

void WorkingSets::find_slopes(const Set& set, std::vector<double>& slopes) const {
  const double sum = sum_of_multipliers(set.constraints);
  slopes.clear();
  for (const Constraint& constraint : set.constraints) slopes.push_back(slope(constraint, sum));
}

void WorkingSets::find_step(const Set& set, double tolerance, Step& step) const {
  find_slopes(set, step.before);
  const SimplexBlock block = begin_step(step, set.constraints, set.room, set.products);
  step.gap = slope_gap(block);
  if (step.gap > tolerance) ascend_to(block, finer * tolerance);
}

void WorkingSets::take_step(Set& set, double tolerance, Step& step) {
  const double sum = sum_of_multipliers(set.constraints);
  renew(
      step, set.constraints, set.room, set.products,
      [&](std::size_t k) { return slope(set.constraints[k], sum); },
      [&](const SimplexBlock& block) { ascend_to(block, finer * tolerance); });
  take(step, set.constraints, set.room,
       [&](std::size_t k, double by) { margins_->move(set.constraints[k], by); });
}

std::size_t WorkingSets::optimise_some(std::span<const std::int64_t> examples, double tolerance,
                                       int threads) {
  if (steps_.size() < examples.size()) steps_.resize(examples.size());
  parallel_rows(0, std::ssize(examples), threads,
                [&](std::int64_t k, int) { find_step(sets_[examples[k]], tolerance, steps_[k]); });
  std::size_t moved = 0;
  for (std::size_t k = 0; k < examples.size(); ++k) {
    if (steps_[k].gap <= tolerance) continue;
    take_step(sets_[examples[k]], tolerance, steps_[k]);
    ++moved;
  }
  return moved;
}

bool WorkingSets::optimise(double tolerance, bool verify, int threads) {
  // The dual never falls below 0, so |w|^2 <= 2 sum m h.
  const double longest = std::sqrt(2 * mass());
  tolerance = std::max(tolerance, rounding * (largest_offset_ + std::sqrt(largest_norm_) * longest));
  const StayAwake awake(threads);
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
    std::span<const std::int64_t> ahead = order_;
    std::size_t batch = 1;
    while (!ahead.empty()) {
      const auto some = ahead.first(std::min(batch, ahead.size()));
      ahead = ahead.subspan(some.size());
      const std::size_t moving = optimise_some(some, tolerance, threads);
      for (std::size_t k = 0; k < some.size(); ++k)
        if (steps_[k].gap > tolerance) rest_.push_back(some[k]);
      // The more sets move at a time, the less do they know of each other; those that stay do no harm.
      const std::size_t most = std::clamp<std::size_t>(order_.size() / batches, 1, most_moving);
      batch = std::clamp<std::size_t>(some.size() * most / std::max<std::size_t>(moving, 1), most,
                                      std::min(2 * batch, largest_batch));
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
    std::size_t moving = 0;
    for (const Set& set : sets_)
      moving += static_cast<std::size_t>(std::ranges::count_if(
          set.constraints, [](const Constraint& constraint) { return constraint.multiplier > 0; }));
    if (moving == 0 || moving > most_on_a_face) return;
    Face face;
    std::vector<double> slopes;
    std::vector<Constraint*> constraints;
    std::vector<std::int64_t> owners;
    double nonzeros = 0;
    for (std::int64_t example = 0; example < examples(); ++example) {
      Set& set = sets_[example];
      find_slopes(set, slopes);
      const std::size_t before = constraints.size();
      for (std::size_t k = 0; k < set.constraints.size(); ++k) {
        Constraint& constraint = set.constraints[k];
        if (!(constraint.multiplier > 0)) continue;
        constraints.push_back(&constraint);
        face.multipliers.push_back(constraint.multiplier);
        face.slopes.push_back(slopes[k]);
        face.blocks.push_back(static_cast<std::int32_t>(face.rooms.size()));
        nonzeros += static_cast<double>(constraint.indices.size());
      }
      if (constraints.size() == before) continue;
      face.rooms.push_back(set.room);
      owners.push_back(example);
    }
    const std::size_t n = constraints.size();
    if (nonzeros * static_cast<double>(n) > most_operations) return;
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
  if (std::sqrt(squared_norm() / largest_norm_) < no_margin * mass()) throw NotSeparable();
}

double WorkingSets::mass() const {
  double sum = 0;
  for (const Set& set : sets_)
    for (const Constraint& constraint : set.constraints) sum += constraint.multiplier * constraint.offset;
  return sum;
}

}  // namespace hedgerow::structured
