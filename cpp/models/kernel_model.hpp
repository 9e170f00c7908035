// The supports of an expansion under one kernel, and weighted sums over them.
//
// A model keeps items in numbered slots and, for every column c, the function
//
//   sum over slots s of weight(s, c) * K(s, x)
//
// All columns share the kernel values of x, but each adds up what it weighs in an order of its own, which
// depends on nothing but its own past: it has, to the last bit, the values that it would have without the
// others. How these come about is the model's secret: a row of kernel values times the weights, or weights
// collapsed onto the features that many supports share.
//
// Slots never change their number. An erased slot is free: whatever is put next may take it. Until then its
// weights are 0 and its place in rows holds no meaning.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/items.hpp"
#include "models/state.hpp"

namespace hedgerow::models {

class KernelModel {
 public:
  virtual ~KernelModel() = default;

  // An empty model of the same kernel.
  virtual std::unique_ptr<KernelModel> empty(std::int32_t columns) const = 0;
  std::int32_t columns() const { return columns_; }
  // Column c becomes what column from[c] was; -1: a new one, without weights.
  virtual void rearrange(std::span<const std::int32_t> from) {
    columns_ = static_cast<std::int32_t>(from.size());
  }
  // Whether kernel values come from code that may fail at any time.
  virtual bool may_fail() const { return false; }
  virtual std::int32_t slots() const = 0;  // one more than the largest number in use so far
  // About how many bytes an update may need at most: when all arrays grow at once, twice what they hold.
  virtual std::size_t growth() const {
    return static_cast<std::size_t>(slots()) * (256 + 32 * static_cast<std::size_t>(columns_));
  }

  // ---- learning: the items of an open batch, one after the other, on one thread

  // Checks that the model can take these items; throws invalid_argument when not.
  virtual void open(std::shared_ptr<const Items> batch) = 0;
  virtual void close() = 0;  // forgets the batch
  virtual double self_kernel(std::int64_t item) = 0;
  // Sets out[c] to the value of column c at the item, for the first `columns` columns.
  virtual void scores(std::int64_t item, std::int32_t columns, double* out) = 0;
  // Sets out[s] to K(s, item) for all slots.
  virtual void row(std::int64_t item, double* out) = 0;
  // Makes the item a support, with weights 0, at `slot`: a free one, or slots().
  virtual void put(std::int32_t slot, std::int64_t item) = 0;

  // ---- supports

  // The column joins the support if it has not done so yet.
  virtual void add_weight(std::int32_t slot, std::int32_t column, double delta) = 0;
  // The column leaves the support: its weight becomes 0, and nothing is left of it in sums.
  virtual void drop_weight(std::int32_t slot, std::int32_t column) = 0;
  // Multiplies all weights of a column. Adding the differences instead would lose digits.
  virtual void scale_weights(std::int32_t column, double factor) = 0;
  // Removes a support, which all columns leave.
  virtual void erase(std::int32_t slot) = 0;
  virtual double support_self_kernel(std::int32_t slot) = 0;
  virtual void support_scores(std::int32_t slot, std::int32_t columns, double* out) = 0;
  virtual void support_row(std::int32_t slot, double* out) = 0;
  // The items in these slots.
  virtual std::shared_ptr<const Items> supports(std::span<const std::int32_t> slots) const = 0;

  // ---- prediction: whole batches, on several threads; results do not depend on their number

  // out is row-major, one row an item.
  virtual void score_batch(const Items& batch, std::int32_t columns, int threads, double* out) const = 0;
  void row_batch(const Items& batch, int threads, double* out) const {
    some_rows(batch, 0, batch.size(), threads, out);
  }
  void self_kernel_batch(const Items& batch, int threads, double* out) const {
    some_self_kernels(batch, 0, batch.size(), threads, out);
  }
  // Rows and self-kernels of items [begin, end) of a batch, for those who cannot keep all rows at once.
  virtual void some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                         double* out) const = 0;
  virtual void some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                                 double* out) const = 0;
  // Called when nothing but score_batch will follow: the model may trade everything else for speed; `single`
  // allows single precision where that keeps the relative error of kernel values below 1e-5.
  virtual void freeze(bool single) { static_cast<void>(single); }

  // ---- copies: all names start with `prefix`

  virtual void save(State& state, const std::string& prefix) const = 0;
  // Into an empty model. Throws invalid_argument for arrays that do not fit together.
  virtual void load(const State& state, const std::string& prefix) = 0;
  // Whether what was loaded can be a support in this slot, or else can be a free slot.
  virtual bool can_be(std::int32_t slot, bool is_free) const = 0;

 protected:
  explicit KernelModel(std::int32_t columns) : columns_(columns) {}

 private:
  std::int32_t columns_;
};

// The same for numbers that lie row by row, one for each column.
template <class Number>
void rearrange_rows(std::vector<Number>& values, std::size_t columns, std::span<const std::int32_t> from) {
  std::vector<Number> rearranged;
  for (std::size_t row = 0; row < values.size(); row += columns)
    for (const std::int32_t column : from) rearranged.push_back(column < 0 ? Number{} : values[row + column]);
  values = std::move(rearranged);
}

}  // namespace hedgerow::models
