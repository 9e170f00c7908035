// The perceptron (Rosenblatt 1958), with a bias that moves by the squared radius of the data.
#pragma once

#include <algorithm>

#include "online/rule.hpp"

namespace hedgerow::online {

class Perceptron final : public Rule {
 public:
  explicit Perceptron(bool bias) : bias_(bias) {}

  void update(models::Function& f, double y, double weight) override {
    if (bias_) squared_radius_ = std::max(squared_radius_, f.self_kernel());
    if (y * f.score() > 0) return;
    f.add(weight * y);
    if (bias_) f.add_bias(weight * y * squared_radius_);
  }

  std::unique_ptr<Rule> fresh() const override { return std::make_unique<Perceptron>(bias_); }
  void save(models::State& state, const std::string& prefix) const override {
    state.set(prefix + "squared_radius", std::vector<double>{squared_radius_});
  }
  void load(const models::State& state, const std::string& prefix) override {
    squared_radius_ = state.get<double>(prefix + "squared_radius", 1)[0];
  }

 private:
  bool bias_;
  double squared_radius_ = 0;  // the largest K(x, x) so far
};

}  // namespace hedgerow::online
