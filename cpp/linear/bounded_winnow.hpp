// BoundedWinnow: a Winnow that predicts with a bounded number of features, k, however many there are.
//
// Whether a feature matters shows only after it has come several times, so there must be candidates: up to 16
// for each of the k. All of them have weights that learn. Predictions look at k of them, which Extremal
// Feature Selection chooses by the weights as they are. When there are more candidates than that, half of
// them stay, selected in the same way, but frequent features come first at both ends: by the largest weights
// times the number of examples that had the feature, lest words that came once, and moved as far as one step
// goes, crowd out those that have come again and again; and by the smallest weights over that number, since
// small weights matter as those of common words. The others are forgotten, as if they had never come. So a
// feature costs a constant time on average.
//
// The Winnow inside knows features by slots; slot 0 belongs to none, and so stands for all those that are not
// in the model.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "lazy.hpp"
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
  double predict(const Entries& x) const override {
    const std::vector<std::uint8_t>& chosen = this->chosen();
    return winnow_.predict(in_slots(x, [&](std::int32_t feature) {
      const std::int32_t slot = slots_.find(feature);
      return chosen[slot] ? slot : FeatureSlots::none;
    }));
  }
  double predict_last(const Entries& x, double) const override { return predict(x); }  // without an average
  Averaging averaging() const override { return averaging_; }
  void survive(double count) override {
    winnow_.survive(count);
    chosen_.reset();
  }
  void scale_counts(double factor) override { winnow_.scale_counts(factor); }
  bool learn(const Entries& x, double score, double y, double weight) override {
    const Entries entries = in_slots(x, [&](std::int32_t feature) { return slots_.add(feature); });
    winnow_.grow(slots_.size() + 1);
    examples_.resize(slots_.size() + 1);
    for (const std::int32_t slot : entries.feature) examples_[slot] += 1;
    const bool is_new = winnow_.learn(entries, score, y, weight);
    if (slots_.size() > candidates * max_features_) make_room();
    chosen_.reset();
    return is_new;
  }

  void nonzeros(std::vector<std::int32_t>& features, std::vector<double>& weights) const override {
    for (const std::int32_t slot : chosen_by_feature())
      if (const double weight = winnow_.final_value(winnow_.cell(slot)); weight != 0) {
        features.push_back(feature_of(slot));
        weights.push_back(weight);
      }
  }
  std::int64_t nonzero_count() const override {
    return std::ranges::count_if(
        chosen_by_feature(), [&](std::int32_t slot) { return winnow_.final_value(winnow_.cell(slot)) != 0; });
  }
  double intercept() const override { return winnow_.intercept(); }
  void in_model(std::vector<std::int32_t>& features, std::vector<double>& weights) const override {
    for (const std::int32_t slot : chosen_by_feature()) {
      features.push_back(feature_of(slot));
      weights.push_back(winnow_.final_value(winnow_.cell(slot)));
    }
  }
  void keep_only(std::span<const std::int32_t> features) override {
    keep([&](std::int32_t slot) { return std::ranges::binary_search(features, feature_of(slot)); });
  }
  void weights(std::vector<std::int32_t>& features, std::vector<double>& up,
               std::vector<double>& down) const override {
    for (const std::int32_t slot : chosen_by_feature()) {
      features.push_back(feature_of(slot));
      up.push_back(winnow_.cell(slot).up());
      down.push_back(winnow_.cell(slot).down());
    }
  }

  void save(State& state, const std::string& prefix) const override {
    winnow_.save(state, prefix);
    state.set(prefix + "slots", slots_.features());
    state.set(prefix + "examples", std::vector<double>(examples_.begin() + 1, examples_.end()));
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
    examples_.assign(features.size() + 1, 1);
    chosen_.reset();
    if (state.has(prefix + "examples"))
      std::ranges::copy(models::numbers_in(counted, state, prefix + "examples", features.size()),
                        examples_.begin() + 1);
    else  // a file of an earlier version, whose predictions looked at all features until it goes on learning
      chosen_.get([&] { return std::vector<std::uint8_t>(features.size() + 1, 1); });
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

  // By slot, whether predictions look at its feature.
  const std::vector<std::uint8_t>& chosen() const {
    return chosen_.get([&] {
      std::vector<std::uint8_t> found(slots_.size() + 1, 0);
      add_extremal(found, max_features_, top_, [&](std::int32_t slot) { return size(slot); });
      return found;
    });
  }
  std::vector<std::int32_t> chosen_by_feature() const {
    std::vector<std::int32_t> slots;
    for (std::int32_t slot = 1; slot <= slots_.size(); ++slot)
      if (chosen()[slot]) slots.push_back(slot);
    std::ranges::sort(slots, {}, [&](std::int32_t slot) { return feature_of(slot); });
    return slots;
  }

  double size(std::int32_t slot) const { return std::abs(winnow_.final_value(winnow_.cell(slot))); }

  // Marks k of the slots that are not marked yet, chosen by Extremal Feature Selection.
  template <class Score>
  void add_extremal(std::vector<std::uint8_t>& marked, std::int64_t k, double top, Score&& score) const {
    std::vector<std::int32_t> slots, features;
    std::vector<double> scores;
    for (std::int32_t slot = 1; slot <= slots_.size(); ++slot) {
      if (marked[slot]) continue;
      slots.push_back(slot);
      features.push_back(feature_of(slot));
      scores.push_back(score(slot));
    }
    for (const std::int32_t place : extremal_features(features, scores, k, top)) marked[slots[place]] = 1;
  }

  void make_room() {
    const std::int64_t k = candidates / 2 * max_features_, from_top = count_from_top(k, top_);
    std::vector<std::uint8_t> stays(slots_.size() + 1, 0);
    add_extremal(stays, from_top, 1, [&](std::int32_t slot) { return size(slot) * examples_[slot]; });
    add_extremal(stays, k - from_top, 0, [&](std::int32_t slot) { return size(slot) / examples_[slot]; });
    keep([&](std::int32_t slot) { return stays[slot] != 0; });
  }

  template <class Stays>
  void keep(Stays&& stays) {
    const std::int32_t before = slots_.size();
    std::vector<std::int32_t> kept;
    for (std::int32_t slot = 1; slot <= before; ++slot) {
      if (!stays(slot)) continue;
      kept.push_back(feature_of(slot));
      const auto to = static_cast<std::int32_t>(kept.size());
      winnow_.move(slot, to);
      examples_[to] = examples_[slot];
    }
    slots_.assign(std::move(kept));
    for (std::int32_t slot = slots_.size() + 1; slot <= before; ++slot) winnow_.forget(slot);
    examples_.resize(slots_.size() + 1);
    chosen_.reset();
  }

  static constexpr models::Range counted{1, models::largest, "finite and at least 1"};
  static constexpr std::int64_t candidates = 16;  // for each feature that predictions look at

  const WinnowParameters parameters_;
  const Averaging averaging_;
  const std::int64_t max_features_;
  const double top_;
  FeatureSlots slots_;
  Inner winnow_;
  std::vector<double> examples_ = {0};  // by slot: how many had the feature since it came
  Lazy<std::vector<std::uint8_t>> chosen_;
};

}  // namespace hedgerow::linear
