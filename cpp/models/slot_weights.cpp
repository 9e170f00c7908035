#include "models/slot_weights.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "kernels/lanes.hpp"
#include "models/fields.hpp"
#include "parallel.hpp"

namespace hedgerow::models {

namespace {

using Four = kernels::Lanes<double>::Vector;

// The order of the sum depends on n only. read(i, x) sets x to the left factors from i on; at(i) is one of
// them.
template <class Read, class At>
HEDGEROW_INLINE double sum_of_products(const Read& read, const At& at, const double* b, std::int64_t n) {
  Four sum[4] = {};
  std::int64_t i = 0;
  for (; i + 16 <= n; i += 16)
    for (int k = 0; k < 4; ++k) {
      Four left, right;
      read(i + 4 * k, left);
      kernels::load(b + i + 4 * k, right);
      sum[k] += left * right;
    }
  const Four four = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  double total = (four[0] + four[1]) + (four[2] + four[3]);
  for (; i < n; ++i) total += at(i) * b[i];
  return total;
}

HEDGEROW_CLONES(double, plain_dot, (const double* a, const double* b, std::int64_t n), (a, b, n)) {
  return sum_of_products([=](std::int64_t i, Four& x) HEDGEROW_INLINE_BODY { kernels::load(a + i, x); },
                         [=](std::int64_t i) HEDGEROW_INLINE_BODY { return a[i]; }, b, n);
}

HEDGEROW_CLONES(double, gathered_dot,
                (const double* a, const std::int32_t* position, const double* b, std::int64_t n),
                (a, position, b, n)) {
  return sum_of_products([=](std::int64_t i, Four& x)
                             HEDGEROW_INLINE_BODY { kernels::gather(x, a, position + i); },
                         [=](std::int64_t i) HEDGEROW_INLINE_BODY { return a[position[i]]; }, b, n);
}

}  // namespace

double SlotWeights::dot(const double* row) const {
  const auto n = static_cast<std::int64_t>(weight_.size());
  return in_order_ ? plain_dot(row, weight_.data(), n) : gathered_dot(row, slot_.data(), weight_.data(), n);
}

void SlotWeights::take(std::int32_t slot) {
  if (static_cast<std::size_t>(slot) >= place_.size()) place_.resize(slot + 1, none);
  auto place = static_cast<std::int32_t>(weight_.size());
  if (!free_.empty()) {
    place = free_.back();
    free_.pop_back();
  } else {
    weight_.push_back(0);
    slot_.push_back(slot);
  }
  slot_[place] = slot;
  place_[slot] = place;
  in_order_ = in_order_ && place == slot;
}

void SlotWeights::save(State& state, const std::string& prefix) const {
  std::vector<std::int32_t> slots = slot_;
  for (const std::int32_t place : free_) slots[place] = none;
  state.set(prefix + "slots", std::move(slots));
  state.set(prefix + "free", free_);
}

void SlotWeights::load(const State& state, const std::string& prefix, std::vector<double> weights) {
  *this = {};
  const auto n = static_cast<std::int32_t>(weights.size());
  std::vector<std::int32_t> slots, free;
  if (state.has(prefix + "slots")) {
    slots = whole_numbers_in<std::int32_t>(none, n - 1, state, prefix + "slots");
    free = whole_numbers_in<std::int32_t>(0, static_cast<std::int32_t>(slots.size()) - 1, state,
                                          prefix + "free");
  } else {  // of an earlier version
    for (std::int32_t slot = 0; slot < n; ++slot)
      if (weights[slot] != 0) slots.push_back(slot);
  }
  for (const std::int32_t slot : slots) {
    if (slot != none && has(slot)) throw std::invalid_argument(prefix + "slots has a slot twice");
    if (slot != none) {
      take(slot);
      weight_.back() = weights[slot];
      continue;
    }
    weight_.push_back(0);
    slot_.push_back(0);
    in_order_ = false;
  }
  for (const std::int32_t place : free)
    if (std::exchange(slots[place], 0) != none)
      throw std::invalid_argument(prefix + "free has a place twice, or one in use");
  if (std::ranges::count(slots, none) > 0) throw std::invalid_argument(prefix + "free lacks a place");
  for (std::int32_t slot = 0; slot < n; ++slot)
    if (!has(slot) && weights[slot] != 0)
      throw std::invalid_argument(prefix + "slots lacks a slot that has a weight");
  free_ = std::move(free);
}

}  // namespace hedgerow::models
