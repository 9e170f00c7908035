// Projectron and Projectron++ (Orabona, Keshet, Caputo 2009), and the Forgetful Projectron (McKenna 2011).
//
// An example that almost lies in the span of the supports is projected onto it instead of being stored.
#pragma once

#include <optional>
#include <vector>

#include "models/cholesky.hpp"
#include "online/rule.hpp"

namespace hedgerow::online {

// The projection of the current example onto the span of a function's supports: P k = sum_i d_i K(s_i, .).
class Projection {
 public:
  // Prepares the distance of the example from the span.
  void at(models::KernelFunction& f) { at(f.supports(), f.row(), f.self_kernel()); }
  // Likewise for any item, given its kernel values by slot.
  void at(std::span<const std::int32_t> supports, std::span<const double> row, double self_kernel);
  double squared_distance() const { return squared_distance_; }  // delta^2
  double squared_length() const { return squared_length_; }      // |P k|^2
  // Whether the example lies in the span as far as rounding can tell; it must not be stored then.
  bool dependent() const { return squared_distance_ <= 1e-10 * self_kernel_; }
  // The coefficients d.
  std::span<const double> combination();
  // The example is going to be a support.
  void append();
  // Support number `index` is going to leave.
  void remove(std::size_t index) { factor_.remove(index); }

  double condition() const { return factor_.condition(); }
  void save(models::State& state, const std::string& prefix) const;
  void load(const models::State& state, const std::string& prefix, std::size_t supports);

 private:
  models::Cholesky factor_;  // of the Gram matrix of the supports, oldest first
  std::vector<double> half_, combination_;
  double self_kernel_ = 0, squared_distance_ = 0, squared_length_ = 0;
};

struct ProjectronOptions {
  double eta = 0.1;                    // how far from the span an example may be and still be projected
  std::optional<std::int64_t> budget;  // if given, eta follows from it, and at the budget all are projected
  bool margin_errors = false;          // Projectron++: learn from right predictions with a margin below 1 too
};

class Projectron final : public KernelRule {
 public:
  explicit Projectron(const ProjectronOptions& options);

  void learn(models::KernelFunction& f, double y, double weight) override;
  std::unique_ptr<KernelRule> fresh(std::int32_t) const override {
    return std::make_unique<Projectron>(options_);
  }
  double condition() const override { return projection_.condition(); }
  void save(models::State& state, const std::string& prefix) const override {
    projection_.save(state, prefix);
  }
  void load(const models::State& state, const std::string& prefix, const models::KernelFunction& f) override {
    projection_.load(state, prefix, f.supports().size());
  }

 private:
  void mistake(models::KernelFunction& f, double y);
  void margin_error(models::KernelFunction& f, double y);
  double threshold(double loss) const;
  bool full(const models::KernelFunction& f) const;

  ProjectronOptions options_;
  double radius_ = 0;  // U of the budget
  Projection projection_;
};

// Stores every mistake; over budget the oldest support is projected onto the others.
class ForgetfulProjectron final : public KernelRule {
 public:
  explicit ForgetfulProjectron(std::int64_t budget) : budget_(budget) {}

  void learn(models::KernelFunction& f, double y, double weight) override;
  std::unique_ptr<KernelRule> fresh(std::int32_t) const override {
    return std::make_unique<ForgetfulProjectron>(budget_);
  }
  bool merges() const override { return false; }
  double condition() const override { return projection_.condition(); }
  void save(models::State& state, const std::string& prefix) const override {
    projection_.save(state, prefix);
  }
  void load(const models::State& state, const std::string& prefix, const models::KernelFunction& f) override {
    projection_.load(state, prefix, f.supports().size());
  }

 private:
  void drop_oldest(models::KernelFunction& f);

  std::int64_t budget_;
  Projection projection_;
  std::vector<double> row_;
};

}  // namespace hedgerow::online
