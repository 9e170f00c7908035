// The space of joint features: what the product of two of them is.
//
// In a plain space features are explicit. A kernel on inputs changes nothing but the products: example items
// (inputs, or the tokens of sequences) stand for their own features, Psi(x, y) has the coordinates
// (item, output feature), and products of items are kernel values. Oracles need not know: what they see as
// weights are the scores of items, which is what weights of items as features would be.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "svm/svm_kernel.hpp"

namespace hedgerow::structured {

// Coordinates of a vector: increasing indices, and values.
struct SparseVector {
  std::span<const std::int32_t> indices;
  std::span<const double> values;
};

class Space {
 public:
  virtual ~Space() = default;
  virtual bool plain() const = 0;
  // The number of coordinates; in a plain space there may always be more.
  virtual std::int64_t size() const = 0;
  // scores += factor * G x, where a' G b is the product of a and b. There are at least size() scores.
  virtual void add_image(SparseVector x, double factor, std::span<double> scores) const = 0;
};

class PlainSpace final : public Space {
 public:
  bool plain() const override { return true; }
  std::int64_t size() const override { return 0; }
  void add_image(SparseVector x, double factor, std::span<double> scores) const override;
};

// Coordinates: first the plain ones, then those of the first item, one for each output feature, and so on.
class KernelSpace final : public Space {
 public:
  KernelSpace(std::shared_ptr<svm::SvmKernel> kernel, std::int64_t plain_coordinates,
              std::int64_t output_features);
  bool plain() const override { return false; }
  std::int64_t size() const override { return plain_ + kernel_->size() * outputs_; }
  void add_image(SparseVector x, double factor, std::span<double> scores) const override;

 private:
  std::shared_ptr<svm::SvmKernel> kernel_;
  std::int64_t plain_, outputs_;
};

// The product of x with the vector whose image is `scores`.
inline double product(SparseVector x, std::span<const double> scores) {
  double sum = 0;
  for (std::size_t k = 0; k < x.indices.size(); ++k) sum += x.values[k] * scores[x.indices[k]];
  return sum;
}

}  // namespace hedgerow::structured
