// Learner: passes over examples, in which every function's rule learns from each of them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "models/expansion.hpp"
#include "online/codes.hpp"
#include "online/rule.hpp"
#include "online/trace.hpp"

namespace hedgerow {

class Learner {
 public:
  // rule: one of its kind is made for every function.
  Learner(const KernelModel& kernel, const KernelRule& rule, Codes codes, Averaging averaging,
          std::int64_t trace_every);

  void open(std::shared_ptr<const Items> batch);
  void close();
  // One pass over items of the open batch, in this order. `label` and `weight` (empty: all 1) go by item.
  // When it is interrupted, it has learned from all examples before that moment, and nothing is half done.
  void pass(std::span<const std::int64_t> order, std::span<const std::int32_t> label,
            std::span<const double> weight, std::int64_t first_number);

  const Codes& codes() const { return codes_; }
  const Expansion& expansion() const { return expansion_; }
  Expansion& expansion() { return expansion_; }
  const Trace& trace() const { return trace_; }
  std::int64_t seen() const { return seen_; }          // examples, those of weight 0 included
  std::int64_t mistakes() const { return mistakes_; }  // of the predictor at the time, the last one
  double condition() const;                            // the worst of the rules'
  // Scores of classes (of the second class, if there are two) at all items, row-major.
  void decisions(const Items& batch, int threads, bool single, double* out) const;

  void save(State& state) const;
  void load(const State& state);

 private:
  void learn(std::int64_t item, std::int64_t number, std::int32_t label, double weight);
  void record(std::int32_t label);

  Expansion expansion_;
  Codes codes_;
  std::vector<std::unique_ptr<KernelRule>> rules_;  // one a function
  std::vector<std::int32_t> slot_of_item_;          // of the open batch, when examples that come again merge
  std::int64_t seen_ = 0, mistakes_ = 0;
  double seconds_ = 0;
  Trace trace_;
  std::vector<double> decoded_, predictions_;
};

}  // namespace hedgerow
