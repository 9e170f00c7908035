// How a learner does while it learns: predictions made before each example was learned from.
#pragma once

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
    mistakes_ += right ? 0 : 1;
    if (predicted == truth) {
      ++counts_[3 * truth];
    } else {
      ++counts_[3 * predicted + 1];
      ++counts_[3 * truth + 2];
    }
    ++seen_;
  }
  bool due() const { return seen_ % every_ == 0; }
  void sample(std::int64_t supports, double elapsed) {
    examples.push_back(seen_);
    mistakes.push_back(mistakes_);
    support.push_back(supports);
    f1.push_back(current_f1());
    seconds.push_back(elapsed);
  }

  void save(models::State& state, const std::string& prefix) const {
    state.set(prefix + "examples", examples);
    state.set(prefix + "mistakes", mistakes);
    state.set(prefix + "support", support);
    state.set(prefix + "f1", f1);
    state.set(prefix + "seconds", seconds);
    std::vector<std::int64_t> counts = counts_;
    counts.push_back(seen_);
    counts.push_back(mistakes_);
    state.set(prefix + "counts", counts);
  }
  void load(const models::State& state, const std::string& prefix) {
    examples = state.get<std::int64_t>(prefix + "examples");
    mistakes = models::counts_in(state, prefix + "mistakes", examples.size());
    support = models::counts_in(state, prefix + "support", examples.size());
    f1 = models::numbers_in(models::at_least_0, state, prefix + "f1", examples.size());
    seconds = models::numbers_in(models::at_least_0, state, prefix + "seconds", examples.size());
    counts_ = models::counts_in(state, prefix + "counts", counts_.size() + 2);
    mistakes_ = counts_.back();
    counts_.pop_back();
    seen_ = counts_.back();
    counts_.pop_back();
  }

  std::vector<std::int64_t> examples, mistakes, support;
  std::vector<double> f1, seconds;

 private:
  double current_f1() const {
    const std::int32_t first = classes_ == 2 ? 1 : 0;
    double sum = 0;
    for (std::int32_t k = first; k < classes_; ++k) {
      const auto hits = static_cast<double>(counts_[3 * k]);
      const auto errors = static_cast<double>(counts_[3 * k + 1] + counts_[3 * k + 2]);
      sum += hits > 0 ? 2 * hits / (2 * hits + errors) : 0;
    }
    return sum / (classes_ - first);
  }

  std::int64_t every_, seen_ = 0, mistakes_ = 0;
  std::vector<std::int64_t> counts_;  // for each class: rightly predicted, wrongly predicted, missed
  std::int32_t classes_;
};

}  // namespace hedgerow::online
