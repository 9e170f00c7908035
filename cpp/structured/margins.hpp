// What the weights w = sum m a say of constraints: their margins w.a, kept up to date as multipliers move.
#pragma once

#include "structured/constraint.hpp"
#include "structured/weights.hpp"

namespace hedgerow::structured {

class Margins {
 public:
  explicit Margins(Weights& weights) : weights_(weights) {}
  virtual ~Margins() = default;
  Margins(const Margins&) = delete;
  Margins& operator=(const Margins&) = delete;

  // Of a constraint that may join; `add` must follow at once if it does.
  virtual double look(const Constraint& newcomer) = 0;
  virtual void add(Constraint& newcomer) = 0;
  // Constraints with these numbers, increasing, are gone; who follows them moves up.
  virtual void remove(std::span<const std::int32_t> numbers) = 0;

  virtual double margin(const Constraint& constraint) const = 0;
  virtual double product(const Constraint& a, const Constraint& b) const = 0;
  // The constraint's multiplier grows by `step`.
  virtual void move(const Constraint& constraint, double step) = 0;
  // Brings the weights up to date, which until then may be behind.
  virtual void settle() = 0;

 protected:
  Weights& weights_;
};

// Explicit features: margins are products with the weights.
class PlainMargins final : public Margins {
 public:
  using Margins::Margins;
  double look(const Constraint& newcomer) override { return margin(newcomer); }
  void add(Constraint&) override {}
  void remove(std::span<const std::int32_t>) override {}
  double margin(const Constraint& constraint) const override {
    return known_product(constraint.row(), weights_.coordinates());
  }
  double product(const Constraint& a, const Constraint& b) const override {
    return structured::product(a.row(), b.row());
  }
  void move(const Constraint& constraint, double step) override { weights_.add(constraint.row(), step); }
  void settle() override {}
};

// A kernel makes the weights' scores costly to change: products of all pairs of constraints are kept instead.
class GramMargins final : public Margins {
 public:
  using Margins::Margins;
  double look(const Constraint& newcomer) override;
  void add(Constraint& newcomer) override;
  void remove(std::span<const std::int32_t> numbers) override;
  double margin(const Constraint& constraint) const override { return margins_[constraint.number]; }
  double product(const Constraint& a, const Constraint& b) const override {
    return gram_[a.number * capacity_ + b.number];
  }
  void move(const Constraint& constraint, double step) override;
  void settle() override;

 private:
  void measure(const Constraint& newcomer);
  void reserve(std::size_t size);

  std::size_t capacity_ = 0;
  std::vector<double> gram_;  // rows of length capacity_
  std::vector<double> margins_, multipliers_;
  std::vector<double> steps_;  // of multipliers, that weights do not know of
  std::vector<std::vector<std::int32_t>> indices_;
  std::vector<std::vector<double>> values_;
  bool behind_ = false;                 // whether there are any such steps
  std::vector<double> image_, newest_;  // of the constraint looked at last: its products with all and itself
};

}  // namespace hedgerow::structured
