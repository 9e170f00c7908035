// BoundedWinnow: a Winnow whose model holds a bounded number of features, however many there are.
//
// When there are more than twice as many as wanted, Extremal Feature Selection says which of them stay; the
// others are forgotten, as if they had never come. So a feature costs a constant time on average. The Winnow
// inside knows features by slots; slot 0 belongs to none, and so stands for all those that are not in the
// model.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "linear/extremal_features.hpp"
#include "linear/feature_slots.hpp"
#include "linear/winnow.hpp"

namespace hedgerow::linear {

template <class Inner>
class BoundedWinnow final : public LinearRule, public WinnowRule {
 public:
  BoundedWinnow(const WinnowParameters& parameters, Averaging averaging, std::int64_t max_features,
                double top)
      : parameters_(parameters),
        averaging_(averaging),
        max_features_(max_features),
        top_(top),
        winnow_(parameters, averaging) {
    if (averaging == Averaging::vote)
      throw std::invalid_argument("votes need all predictors, which a bounded model forgets");
    winnow_.grow(1);
  }

  std::unique_ptr<LinearRule> fresh() const override {
    return std::make_unique<BoundedWinnow>(parameters_, averaging_, max_features_, top_);
  }
  void grow(std::int64_t) override {}

  double score(const Entries& x) const override { return winnow_.score(known_slots(x)); }
  double predict(const Entries& x) const override { return winnow_.predict(known_slots(x)); }
  void learn(const Entries& x, double score, double y, double weight) override {
    const Entries entries = in_slots(x, [&](std::int32_t feature) { return slots_.add(feature); });
    winnow_.grow(slots_.size() + 1);
    winnow_.learn(entries, score, y, weight);
    if (slots_.size() > 2 * max_features_) select();
  }

  void nonzeros(std::vector<std::int32_t>& features, std::vector<double>& weights) const override {
    std::vector<std::int32_t> slots;
    std::vector<double> values;
    winnow_.nonzeros(slots, values);
    for (const std::int32_t i : by_feature(slots)) {
      features.push_back(feature_of(slots[i]));
      weights.push_back(values[i]);
    }
  }
  std::int64_t nonzero_count() const override { return winnow_.nonzero_count(); }
  double intercept() const override { return winnow_.intercept(); }
  void weights(std::vector<std::int32_t>& features, std::vector<double>& up,
               std::vector<double>& down) const override {
    std::vector<std::int32_t> slots;
    std::vector<double> inner_up, inner_down;
    winnow_.weights(slots, inner_up, inner_down);
    for (const std::int32_t i : by_feature(slots)) {
      features.push_back(feature_of(slots[i]));
      up.push_back(inner_up[i]);
      down.push_back(inner_down[i]);
    }
  }

  void save(State& state, const std::string& prefix) const override {
    winnow_.save(state, prefix);
    state.set(prefix + "slots", slots_.features());
  }
  void load(const State& state, const std::string& prefix, std::int64_t width) override {
    const auto last = static_cast<std::int32_t>(std::min<std::int64_t>(width - 1, INT32_MAX));
    const auto& features = models::whole_numbers_in<std::int32_t>(0, last, state, prefix + "slots");
    std::vector<std::int32_t> sorted = features;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end())
      throw std::invalid_argument(prefix + "slots must be distinct features");
    slots_.assign(features);
    winnow_.load(state, prefix, slots_.size() + 1);
    winnow_.grow(slots_.size() + 1);
    if (winnow_.cell(0).known()) throw std::invalid_argument(prefix + "features must be those of slots");
  }

 private:
  std::int32_t feature_of(std::int32_t slot) const { return slots_.features()[slot - 1]; }

  // The entries of x, in their order, with slots for features; valid until the next call in this thread.
  template <class SlotOf>
  static Entries in_slots(const Entries& x, SlotOf&& slot_of) {
    static thread_local std::vector<std::int32_t> slots;
    slots.resize(x.feature.size());
    std::transform(x.feature.begin(), x.feature.end(), slots.begin(), slot_of);
    return {slots, x.value};
  }
  Entries known_slots(const Entries& x) const {
    return in_slots(x, [&](std::int32_t feature) { return slots_.find(feature); });
  }

  std::vector<std::int32_t> by_feature(const std::vector<std::int32_t>& slots) const {
    std::vector<std::int32_t> order(slots.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](auto a, auto b) { return feature_of(slots[a]) < feature_of(slots[b]); });
    return order;
  }

  void select() {
    std::vector<double> scores;
    for (std::int32_t slot = 1; slot <= slots_.size(); ++slot)
      scores.push_back(std::abs(winnow_.cell(slot).value()));
    const std::int32_t before = slots_.size();
    std::vector<std::int32_t> kept;
    for (const std::int32_t place : extremal_features(slots_.features(), scores, max_features_, top_)) {
      kept.push_back(slots_.features()[place]);
      winnow_.move(place + 1, static_cast<std::int32_t>(kept.size()));
    }
    slots_.assign(std::move(kept));
    for (std::int32_t slot = slots_.size() + 1; slot <= before; ++slot) winnow_.forget(slot);
  }

  const WinnowParameters parameters_;
  const Averaging averaging_;
  const std::int64_t max_features_;
  const double top_;
  FeatureSlots slots_;
  Inner winnow_;
};

}  // namespace hedgerow::linear
