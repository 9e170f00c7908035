// Expansions under kernels made of kernels: weighted, normalised, added, multiplied.
//
// Where it can, a combination passes weights on to its parts, so that these score in their own fast ways.
#pragma once

#include <vector>

#include "models/row_model.hpp"

namespace hedgerow::models {

// A model around another of the same items.
class WrappedModel : public KernelModel {
 public:
  bool may_fail() const final { return inner_->may_fail(); }
  std::int32_t slots() const final { return inner_->slots(); }
  std::size_t growth() const final { return KernelModel::growth() + inner_->growth(); }
  void open(std::shared_ptr<const Items> batch) final { inner_->open(std::move(batch)); }
  void close() final { inner_->close(); }
  void rearrange(std::span<const std::int32_t> from) final {
    inner_->rearrange(from);
    KernelModel::rearrange(from);
  }
  void drop_weight(std::int32_t slot, std::int32_t column) final { inner_->drop_weight(slot, column); }
  void scale_weights(std::int32_t column, double factor) final { inner_->scale_weights(column, factor); }
  std::shared_ptr<const Items> supports(std::span<const std::int32_t> slots) const final {
    return inner_->supports(slots);
  }
  bool can_be(std::int32_t slot, bool is_free) const final { return inner_->can_be(slot, is_free); }

 protected:
  explicit WrappedModel(std::unique_ptr<KernelModel> inner)
      : KernelModel(inner->columns()), inner_(std::move(inner)) {}

  std::unique_ptr<KernelModel> inner_;
};

// weight * K(x, z)
class WeightedModel final : public WrappedModel {
 public:
  WeightedModel(std::unique_ptr<KernelModel> inner, double weight)
      : WrappedModel(std::move(inner)), weight_(weight) {}
  std::unique_ptr<KernelModel> empty(std::int32_t columns) const override {
    return std::make_unique<WeightedModel>(inner_->empty(columns), weight_);
  }

  double self_kernel(std::int64_t item) override { return weight_ * inner_->self_kernel(item); }
  void scores(std::int64_t item, std::int32_t columns, double* out) override;
  void row(std::int64_t item, double* out) override;
  void put(std::int32_t slot, std::int64_t item) override { inner_->put(slot, item); }
  void add_weight(std::int32_t slot, std::int32_t column, double delta) override {
    inner_->add_weight(slot, column, delta);
  }
  void erase(std::int32_t slot) override { inner_->erase(slot); }
  double support_self_kernel(std::int32_t slot) override {
    return weight_ * inner_->support_self_kernel(slot);
  }
  void support_scores(std::int32_t slot, std::int32_t columns, double* out) override;
  void support_row(std::int32_t slot, double* out) override;
  void score_batch(const Items& batch, std::int32_t columns, int threads, double* out) const override;
  void some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                 double* out) const override;
  void some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                         double* out) const override;
  void freeze(bool single) override { inner_->freeze(single); }
  void save(State& state, const std::string& prefix) const override { inner_->save(state, prefix + "part."); }
  void load(const State& state, const std::string& prefix) override { inner_->load(state, prefix + "part."); }

 private:
  double weight_;
};

// K(x, z) / sqrt(K(x, x) K(z, z)), 0 where a self-kernel is 0: for kernels that know no better way. Weights
// are divided on their way to the part, scores on their way back.
class NormalizedModel final : public WrappedModel {
 public:
  explicit NormalizedModel(std::unique_ptr<KernelModel> inner) : WrappedModel(std::move(inner)) {}
  std::unique_ptr<KernelModel> empty(std::int32_t columns) const override {
    return std::make_unique<NormalizedModel>(inner_->empty(columns));
  }

  double self_kernel(std::int64_t item) override;
  void scores(std::int64_t item, std::int32_t columns, double* out) override;
  void row(std::int64_t item, double* out) override;
  void put(std::int32_t slot, std::int64_t item) override;
  void add_weight(std::int32_t slot, std::int32_t column, double delta) override {
    inner_->add_weight(slot, column, delta * inverse_root_[slot]);
  }
  void erase(std::int32_t slot) override;
  double support_self_kernel(std::int32_t slot) override { return inverse_root_[slot] > 0 ? 1 : 0; }
  void support_scores(std::int32_t slot, std::int32_t columns, double* out) override;
  void support_row(std::int32_t slot, double* out) override;
  void score_batch(const Items& batch, std::int32_t columns, int threads, double* out) const override;
  void some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                 double* out) const override;
  void some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                         double* out) const override;
  void freeze(bool single) override;
  void save(State& state, const std::string& prefix) const override;
  void load(const State& state, const std::string& prefix) override;

 private:
  void scale_row(double factor, double* row) const;
  std::vector<double> inverse_roots(const Items& batch, std::int64_t begin, std::int64_t end,
                                    int threads) const;

  std::vector<double> inverse_root_;         // 1 / sqrt(K(s, s)), 0 for free slots
  std::unique_ptr<KernelModel> unweighted_;  // for self-kernels, when the part is frozen
};

// left(x, z) + right(x, z), of pairs
class SumModel final : public KernelModel {
 public:
  SumModel(std::unique_ptr<KernelModel> left, std::unique_ptr<KernelModel> right)
      : KernelModel(left->columns()), left_(std::move(left)), right_(std::move(right)) {}
  std::unique_ptr<KernelModel> empty(std::int32_t columns) const override {
    return std::make_unique<SumModel>(left_->empty(columns), right_->empty(columns));
  }

  bool may_fail() const override { return left_->may_fail() || right_->may_fail(); }
  std::int32_t slots() const override { return left_->slots(); }
  std::size_t growth() const override { return KernelModel::growth() + left_->growth() + right_->growth(); }
  void open(std::shared_ptr<const Items> batch) override;
  void close() override;
  double self_kernel(std::int64_t item) override {
    return left_->self_kernel(item) + right_->self_kernel(item);
  }
  void scores(std::int64_t item, std::int32_t columns, double* out) override;
  void row(std::int64_t item, double* out) override;
  void put(std::int32_t slot, std::int64_t item) override;
  void add_weight(std::int32_t slot, std::int32_t column, double delta) override;
  void drop_weight(std::int32_t slot, std::int32_t column) override;
  void rearrange(std::span<const std::int32_t> from) override {
    left_->rearrange(from);
    right_->rearrange(from);
    KernelModel::rearrange(from);
  }
  void scale_weights(std::int32_t column, double factor) override;
  void erase(std::int32_t slot) override;
  double support_self_kernel(std::int32_t slot) override {
    return left_->support_self_kernel(slot) + right_->support_self_kernel(slot);
  }
  void support_scores(std::int32_t slot, std::int32_t columns, double* out) override;
  void support_row(std::int32_t slot, double* out) override;
  std::shared_ptr<const Items> supports(std::span<const std::int32_t> slots) const override;
  void score_batch(const Items& batch, std::int32_t columns, int threads, double* out) const override;
  void some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                 double* out) const override;
  void some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                         double* out) const override;
  void freeze(bool single) override;
  void save(State& state, const std::string& prefix) const override;
  void load(const State& state, const std::string& prefix) override;
  bool can_be(std::int32_t slot, bool is_free) const override {
    return left_->can_be(slot, is_free) && right_->can_be(slot, is_free);
  }

 private:
  std::unique_ptr<KernelModel> left_, right_;
  std::vector<double> values_;  // scratch: what the right part says
};

// left(x, z) * right(x, z), of pairs. The parts have no weights.
class ProductModel final : public RowModel {
 public:
  ProductModel(std::unique_ptr<KernelModel> left, std::unique_ptr<KernelModel> right, std::int32_t columns)
      : RowModel(columns), left_(std::move(left)), right_(std::move(right)) {}
  std::unique_ptr<KernelModel> empty(std::int32_t columns) const override {
    return std::make_unique<ProductModel>(left_->empty(1), right_->empty(1), columns);
  }

  bool may_fail() const override { return left_->may_fail() || right_->may_fail(); }
  std::int32_t slots() const override { return left_->slots(); }
  std::size_t growth() const override { return KernelModel::growth() + left_->growth() + right_->growth(); }
  void open(std::shared_ptr<const Items> batch) override;
  void close() override;
  double self_kernel(std::int64_t item) override {
    return left_->self_kernel(item) * right_->self_kernel(item);
  }
  void row(std::int64_t item, double* out) override;
  double support_self_kernel(std::int32_t slot) override {
    return left_->support_self_kernel(slot) * right_->support_self_kernel(slot);
  }
  void support_row(std::int32_t slot, double* out) override;
  std::shared_ptr<const Items> supports(std::span<const std::int32_t> slots) const override;
  void some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                 double* out) const override;
  void some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                         double* out) const override;
  bool can_be(std::int32_t slot, bool is_free) const override {
    return !taken_[slot] == is_free && left_->can_be(slot, is_free) && right_->can_be(slot, is_free);
  }

 private:
  void put_item(std::int32_t slot, std::int64_t item) override;
  void erase_item(std::int32_t slot) override;
  void save_items(State& state, const std::string& prefix) const override;
  void load_items(const State& state, const std::string& prefix) override;
  void multiply(const double* other, double* row) const;

  std::unique_ptr<KernelModel> left_, right_;
  std::vector<std::uint8_t> taken_;  // of each slot; rows of parts have no meaning in free ones
  std::vector<double> values_;       // scratch: the row of the right part
};

}  // namespace hedgerow::models
