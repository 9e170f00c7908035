// How a learner does while it learns: predictions made before each example was learned from.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "models/fields.hpp"

namespace hedgerow::online {

class Trace {
 public:
  // every: the number of examples between two samples; 0: no trace. Two classes: F1 is that of the second;
  // more: the mean over the classes.
  Trace(std::int64_t every, std::int32_t classes)
      : every_(every), counts_(3 * classes, 0), classes_(classes) {}

  bool wanted() const { return every_ > 0; }
  void predicted(std::int32_t predicted, bool right, std::int32_t truth) {
    models::count_up(errors_, right ? 0 : 1);
    if (predicted == truth) {
      models::count_up(counts_[3 * truth]);
    } else {
      models::count_up(counts_[3 * predicted + 1]);
      models::count_up(counts_[3 * truth + 2]);
    }
    models::count_up(seen_);
  }
  bool due() const { return seen_ % every_ == 0; }
  // How far a learner has come: mistakes of the last predictors and changes of functions; supports or
  // weights, and the sum of their sizes; time.
  struct Sample {
    std::int64_t mistakes, updates, support;
    double l1_norm, seconds;
  };
  void sample(const Sample& now) {
    examples.push_back(seen_);
    mistakes.push_back(now.mistakes);
    errors.push_back(errors_);
    updates.push_back(now.updates);
    support.push_back(now.support);
    l1_norm.push_back(now.l1_norm);
    f1.push_back(current_f1());
    seconds.push_back(now.seconds);
  }
  // Class k is what class from[k] was; -1: a new one.
  void rearrange(std::span<const std::int32_t> from) {
    std::vector<std::int64_t> counts(3 * from.size(), 0);
    for (std::size_t k = 0; k < from.size(); ++k)
      if (from[k] >= 0)
        std::copy_n(counts_.begin() + 3 * from[k], 3, counts.begin() + 3 * static_cast<std::ptrdiff_t>(k));
    counts_ = std::move(counts);
    classes_ = static_cast<std::int32_t>(from.size());
  }

  void save(models::State& state, const std::string& prefix) const {
    state.set(prefix + "examples", examples);
    state.set(prefix + "mistakes", mistakes);
    state.set(prefix + "errors", errors);
    state.set(prefix + "updates", updates);
    state.set(prefix + "support", support);
    state.set(prefix + "l1_norm", l1_norm);
    state.set(prefix + "f1", f1);
    state.set(prefix + "seconds", seconds);
    std::vector<std::int64_t> counts = counts_;
    counts.push_back(seen_);
    counts.push_back(errors_);
    state.set(prefix + "counts", counts);
  }
  void load(const models::State& state, const std::string& prefix) {
    examples = state.get<std::int64_t>(prefix + "examples");
    mistakes = models::counts_in(state, prefix + "mistakes", examples.size());
    // Earlier versions kept errors under the name of mistakes, and neither updates nor norms.
    const bool is_new = state.has(prefix + "errors");
    errors = is_new ? models::counts_in(state, prefix + "errors", examples.size()) : mistakes;
    updates = is_new ? models::counts_in(state, prefix + "updates", examples.size())
                     : std::vector<std::int64_t>(examples.size(), 0);
    l1_norm = is_new ? models::numbers_in(models::at_least_0, state, prefix + "l1_norm", examples.size())
                     : std::vector<double>(examples.size(), 0.0);
    support = models::counts_in(state, prefix + "support", examples.size());
    f1 = models::numbers_in(models::at_least_0, state, prefix + "f1", examples.size());
    seconds = models::numbers_in(models::at_least_0, state, prefix + "seconds", examples.size());
    counts_ = models::counts_in(state, prefix + "counts", counts_.size() + 2);
    errors_ = counts_.back();
    counts_.pop_back();
    seen_ = counts_.back();
    counts_.pop_back();
  }

  std::vector<std::int64_t> examples, mistakes, errors, updates, support;
  std::vector<double> l1_norm, f1, seconds;

 private:
  double current_f1() const {
    const std::int32_t first = classes_ == 2 ? 1 : 0;
    double sum = 0;
    for (std::int32_t k = first; k < classes_; ++k) {
      const auto hits = static_cast<double>(counts_[3 * k]);
      const auto wrong = static_cast<double>(counts_[3 * k + 1]) + static_cast<double>(counts_[3 * k + 2]);
      sum += hits > 0 ? 2 * hits / (2 * hits + wrong) : 0;
    }
    return sum / (classes_ - first);
  }

  std::int64_t every_, seen_ = 0, errors_ = 0;  // errors: of what predicts
  std::vector<std::int64_t> counts_;  // for each class: rightly predicted, wrongly predicted, missed
  std::int32_t classes_;
};

}  // namespace hedgerow::online
