// Every predictor that a function went through, kept as the steps between them, for majority votes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/fields.hpp"

namespace hedgerow::models {

class History {
 public:
  void add(std::int32_t slot, double delta) { push(slot, delta); }
  void scale(double factor) { push(scaled, factor); }
  void add_bias(double delta) { push(bias, delta); }
  // The present predictor got one more example right, or is new and has been there for one.
  void survive() {
    if (closed_ < what_.size() || ends_.empty()) {
      closed_ = what_.size();
      ends_.push_back(static_cast<std::int64_t>(closed_));
      counts_.push_back(0);
    }
    count_up(counts_.back());
  }
  // (votes for positive - votes for negative) / votes, given the kernel values of all slots at an item. If no
  // predictor has counted yet, the last one votes.
  double vote(const double* row) const {
    double value = 0, offset = 0, votes = 0, total = 0;
    std::size_t step = 0;
    const auto count_up_to = [&](std::size_t end, double count) {
      for (; step < end; ++step) {
        if (what_[step] == scaled)
          value *= by_[step];
        else if (what_[step] == bias)
          offset += by_[step];
        else
          value += by_[step] * row[what_[step]];
      }
      votes += value + offset > 0 ? count : value + offset < 0 ? -count : 0;
      total += count;
    };
    for (std::size_t k = 0; k < ends_.size(); ++k)
      count_up_to(static_cast<std::size_t>(ends_[k]), static_cast<double>(counts_[k]));
    if (total == 0) count_up_to(what_.size(), 1);
    return votes / total;
  }

  // As KernelModel has it.
  std::size_t growth() const { return 32 * (what_.capacity() + ends_.capacity()); }

  void save(State& state, const std::string& prefix) const {
    state.set(prefix + "what", what_);
    state.set(prefix + "by", by_);
    state.set(prefix + "ends", ends_);
    state.set(prefix + "counts", counts_);
  }
  void load(const State& state, const std::string& prefix, std::int32_t slots) {
    what_ = whole_numbers_in<std::int32_t>(bias, slots - 1, state, prefix + "what");
    by_ = numbers_in(finite, state, prefix + "by", what_.size());
    ends_ = state.get<std::int64_t>(prefix + "ends");
    counts_ = counts_in(state, prefix + "counts", ends_.size());
    std::int64_t last = 0;
    for (std::int64_t end : ends_) {
      if (end < last || end > static_cast<std::int64_t>(what_.size()))
        throw std::invalid_argument(prefix + "ends are out of order");
      last = end;
    }
    closed_ = static_cast<std::size_t>(last);
  }

 private:
  static constexpr std::int32_t scaled = -1, bias = -2;

  void push(std::int32_t what, double by) {
    what_.push_back(what);
    by_.push_back(by);
  }

  // A step changes the coefficient of a slot, the scale or the bias.
  std::vector<std::int32_t> what_;
  std::vector<double> by_;
  std::vector<std::int64_t> ends_,
      counts_;  // of each predictor: its last step, and the examples it lived for
  std::size_t closed_ = 0;
};

}  // namespace hedgerow::models
