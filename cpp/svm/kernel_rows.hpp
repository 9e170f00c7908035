// The kernel matrix of the examples as solvers see it: one row after the other.
//
// A solver works with rows cut down to the examples that are still of interest, its columns, and now and then
// needs products with the whole matrix.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace hedgerow::svm {

// Real: in which values are stored.
template <class Real>
class KernelRows {
 public:
  virtual ~KernelRows() = default;

  std::int32_t size() const { return static_cast<std::int32_t>(diagonal_.size()); }
  std::span<const double> diagonal() const { return diagonal_; }
  // Kernel values computed so far; those of products count too, even if they come from collapsed weights.
  std::int64_t evaluations() const { return evaluations_; }

  // Whether rows of all columns are there already.
  virtual bool in_memory() const = 0;
  // The kernel of an item with all columns, in their order. Only items that are columns may be asked for.
  // Valid until the second call after this one.
  virtual const Real* row(std::int32_t item) = 0;

  // Which items are columns: all, or some in increasing order, out of those that are columns now.
  virtual void widen() = 0;
  virtual void narrow(std::span<const std::int32_t> items) = 0;

  // Sets out[t] to the sum over k of coefficients[k] * K(items[k], targets[t]), whatever the columns are.
  // Interrupted may be thrown.
  virtual void products(std::span<const std::int32_t> items, std::span<const double> coefficients,
                        std::span<const std::int32_t> targets, int threads, double* out) = 0;
  // What to expect of the above.
  virtual double seconds_for_products(std::int64_t items, std::int64_t targets) const = 0;

 protected:
  std::vector<double> diagonal_;
  std::atomic<std::int64_t> evaluations_ = 0;
};

// Sets out[t] to the sum over k of coefficients[k] * rows[k][targets[t]]. All rows have `size` values.
template <class Real>
void combine_rows(std::span<const Real* const> rows, std::span<const double> coefficients, std::int64_t size,
                  std::span<const std::int32_t> targets, int threads, double* out);

}  // namespace hedgerow::svm
