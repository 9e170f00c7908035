// Expansions under kernels of vectors that are no weighted sums of features: polynomial, radial basis
// functions, sigmoid. Kernel values come from dot products with all supports.
#pragma once

#include <vector>

#include "models/row_model.hpp"
#include "models/vector_supports.hpp"

namespace hedgerow::models {

class VectorModel : public RowModel {
 public:
  std::int32_t slots() const final { return supports_.slots(); }
  std::size_t growth() const override { return KernelModel::growth() + supports_.growth(); }
  void open(std::shared_ptr<const Items> batch) final;
  void close() final;
  double self_kernel(std::int64_t item) final;
  double support_self_kernel(std::int32_t slot) final { return self(describe(supports_[slot])); }
  void row(std::int64_t item, double* out) final;
  void support_row(std::int32_t slot, double* out) final;
  std::shared_ptr<const Items> supports(std::span<const std::int32_t> slots) const final {
    return supports_.items(slots);
  }
  void some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                 double* out) const final;
  void some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                         double* out) const final;
  bool can_be(std::int32_t slot, bool is_free) const final {
    return !is_free || supports_[slot].feature.empty();
  }

 protected:
  // What kernels need to know of a vector besides its dot products.
  struct Vector {
    Entries entries;
    UnitPart part;
    double square = 0;  // 0 when there are parts
  };
  using Scratch = VectorSupports::Scratch;

  VectorModel(std::int32_t columns, UnitParts parts) : RowModel(columns), supports_(parts) {}

  virtual double self(const Vector& vector) const = 0;
  // Turns out[s] from the dot product with support s into the kernel.
  virtual void from_dots(const Vector& vector, double* out) const = 0;
  // Whether the vector is one for `without_dots`, which sets out[s] to the kernel with support s.
  virtual bool needs_no_dots(const Vector&) const { return false; }
  virtual void without_dots(const Vector&, Scratch&, double*) const {}
  // Remembers what `from_dots` wants to know of the support in this slot, the last or an earlier one. A free
  // slot holds the vector without entries.
  virtual void remember(std::int32_t slot, const Vector& vector) = 0;

  const VectorSupports& supports() const { return supports_; }
  VectorSupports& supports() { return supports_; }
  Vector describe(const Entries& entries) const;
  // An item of the open batch, until the next call.
  Vector opened(std::int64_t item) { return describe(batch_.entries(item, entries_)); }

 private:
  void put_item(std::int32_t slot, std::int64_t item) final;
  void erase_item(std::int32_t slot) final;
  void save_items(State& state, const std::string& prefix) const final;
  void load_items(const State& state, const std::string& prefix) final;
  void values(const Vector& vector, Scratch& scratch, double* out) const;

  VectorSupports supports_;
  std::shared_ptr<const Items> opened_;
  VectorBatch batch_;
  EntryScratch entries_;
  Scratch scratch_;
};

// (scale x.z + offset)^degree
class PolynomialModel final : public VectorModel {
 public:
  PolynomialModel(double degree, double scale, double offset, bool normalized, std::int32_t columns = 1);
  std::unique_ptr<KernelModel> empty(std::int32_t columns) const override {
    return std::make_unique<PolynomialModel>(degree_, scale_, offset_, normalized_, columns);
  }

 private:
  double self(const Vector& vector) const override;
  void from_dots(const Vector& vector, double* out) const override;
  void remember(std::int32_t slot, const Vector& vector) override;

  double degree_, scale_, offset_;
  bool normalized_;
  std::vector<double> rest_;  // of unit parts
};

// exp(-gamma |x - z|^2), with the relative error that kernels/vectors.hpp promises
class RBFModel final : public VectorModel {
 public:
  explicit RBFModel(double gamma, std::int32_t columns = 1) : VectorModel(columns, {}), gamma_(gamma) {}
  std::unique_ptr<KernelModel> empty(std::int32_t columns) const override {
    return std::make_unique<RBFModel>(gamma_, columns);
  }

 private:
  double self(const Vector&) const override { return 1; }
  bool needs_no_dots(const Vector& vector) const override;
  void without_dots(const Vector& vector, Scratch& scratch, double* out) const override;
  void from_dots(const Vector& vector, double* out) const override;
  void remember(std::int32_t slot, const Vector& vector) override;

  double unit(const Vector& vector) const;

  double gamma_;
  std::vector<double> square_;                    // |s|^2
  std::vector<std::uint8_t> exact_;               // whether sums of its products with other exact ones are
  std::int32_t inexact_ = 0;                      // supports that are not
  double largest_square_ = 0, most_entries_ = 0;  // of all supports so far
  std::vector<double> at_distance_;  // the kernel by |x - z|^2, for whole numbers; made when it pays
};

// tanh(scale x.z + offset)
class SigmoidModel final : public VectorModel {
 public:
  SigmoidModel(double scale, double offset, std::int32_t columns = 1)
      : VectorModel(columns, {}), scale_(scale), offset_(offset) {}
  std::unique_ptr<KernelModel> empty(std::int32_t columns) const override {
    return std::make_unique<SigmoidModel>(scale_, offset_, columns);
  }

 private:
  double self(const Vector& vector) const override;
  void from_dots(const Vector& vector, double* out) const override;
  void remember(std::int32_t, const Vector&) override {}

  double scale_, offset_;
};

}  // namespace hedgerow::models
