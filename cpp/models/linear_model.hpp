// Expansions under the dot product: every column is one vector of weights, a score one product with it.
#pragma once

#include <vector>

#include "models/vector_models.hpp"

namespace hedgerow::models {

class LinearModel final : public VectorModel {
 public:
  explicit LinearModel(bool normalized, std::int32_t columns = 1)
      : VectorModel(columns, normalized ? UnitParts(1, 0) : UnitParts()), normalized_(normalized) {}
  std::unique_ptr<KernelModel> empty(std::int32_t columns) const override {
    return std::make_unique<LinearModel>(normalized_, columns);
  }

  std::size_t growth() const override {
    return VectorModel::growth() + 2 * sizeof(Twofold) * primal_.capacity();
  }
  void scores(std::int64_t item, std::int32_t columns, double* out) override {
    score(opened(item), columns, out);
  }
  void support_scores(std::int32_t slot, std::int32_t columns, double* out) override {
    score(describe(supports()[slot]), columns, out);
  }
  void add_weight(std::int32_t slot, std::int32_t column, double delta) override;
  void drop_weight(std::int32_t slot, std::int32_t column) override;
  void scale_weights(std::int32_t column, double factor) override;
  void erase(std::int32_t slot) override;
  void rearrange(std::span<const std::int32_t> from) override {
    rearrange_rows(primal_, columns(), from);
    VectorModel::rearrange(from);
  }
  void score_batch(const Items& batch, std::int32_t columns, int threads, double* out) const override;
  void save(State& state, const std::string& prefix) const override;
  void load(const State& state, const std::string& prefix) override;

 private:
  // The sum of two numbers, the second below the last digit of the first.
  struct Twofold {
    double high = 0, low = 0;
    void add_product(double a, double b);
  };

  double self(const Vector& vector) const override {
    return normalized_ ? !vector.part.is_zero() : vector.square;
  }
  void from_dots(const Vector&, double*) const override {}
  void remember(std::int32_t, const Vector&) override {}
  void add_support(std::int32_t slot, std::int32_t column, double weight);
  void score(const Vector& vector, std::int32_t columns, double* out) const;

  bool normalized_;
  // Feature by feature, one for each column. Supports come and go, huge ones too: twofold sums forget them.
  std::vector<Twofold> primal_;
};

}  // namespace hedgerow::models
