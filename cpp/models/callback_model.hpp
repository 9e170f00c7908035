// The model of a kernel that is computed elsewhere: whoever knows the items gives blocks of kernel values.
//
// Callbacks run on the thread that called the model, never on a worker of its own. Supports are kept in a few
// collections that grow like the levels of a log, so that a row takes few calls and a new support copies
// little.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "models/row_model.hpp"

namespace hedgerow::models {

// Items that only their owner can look into.
struct ForeignItems : Items {
  const char* kind() const override { return "Python objects"; }
  // These items and then the others, which are of the same owner.
  virtual std::shared_ptr<const ForeignItems> join(const ForeignItems& others) const = 0;
  std::shared_ptr<const ForeignItems> choose(std::span<const std::int64_t> items) const;
};

// What computes the kernel. Values must be finite.
class KernelCallback {
 public:
  virtual ~KernelCallback() = default;
  // Kernel values of all pairs, row-major.
  virtual void values(const ForeignItems& rows, const ForeignItems& columns, double* out) const = 0;
  virtual void self_kernels(const ForeignItems& items, double* out) const = 0;
  virtual std::shared_ptr<const ForeignItems> nothing() const = 0;  // a collection of no items
  // For copies and pickles; never read from a file that came from elsewhere.
  virtual std::vector<std::uint8_t> to_bytes(const ForeignItems& items) const = 0;
  virtual std::shared_ptr<const ForeignItems> from_bytes(std::span<const std::uint8_t> bytes) const = 0;
};

class CallbackModel final : public RowModel {
 public:
  CallbackModel(std::int32_t columns, std::shared_ptr<const KernelCallback> kernel)
      : RowModel(columns), kernel_(std::move(kernel)) {}
  std::unique_ptr<KernelModel> empty(std::int32_t columns) const override {
    return std::make_unique<CallbackModel>(columns, kernel_);
  }
  bool may_fail() const override { return true; }
  std::int32_t slots() const override { return static_cast<std::int32_t>(self_.size()); }

  void open(std::shared_ptr<const Items> batch) override;
  void close() override;
  double self_kernel(std::int64_t item) override;
  void row(std::int64_t item, double* out) override;

  double support_self_kernel(std::int32_t slot) override;
  void support_row(std::int32_t slot, double* out) override;
  std::shared_ptr<const Items> supports(std::span<const std::int32_t> slots) const override;
  void some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                 double* out) const override;
  void some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                         double* out) const override;
  bool can_be(std::int32_t, bool) const override {
    return true;
  }  // what is missing is noticed when it is used

 protected:
  void put_item(std::int32_t slot, std::int64_t item) override;
  void erase_item(std::int32_t slot) override;
  void save_items(State& state, const std::string& prefix) const override;
  void load_items(const State& state, const std::string& prefix) override;

 private:
  using Collection = std::shared_ptr<const ForeignItems>;
  struct Part {
    Collection items;
    std::vector<std::int32_t> slot;  // of each item; -1: erased
  };
  struct Place {
    std::size_t part;
    std::int64_t item;
  };

  // Makes the item the current one.
  void look_at(std::int64_t item);
  // Joins the last parts where they have become too many.
  void merge();
  Place place_of(std::int32_t slot) const;
  static Part without_erased(const Part& part);
  static Part joined(const Part& first, const Part& second);
  void rows(const ForeignItems& items, double* out) const;
  void load_shared(const State& state, const std::string& prefix);

  std::shared_ptr<const KernelCallback> kernel_;
  std::vector<Part> parts_;   // each much larger than the next
  std::vector<double> self_;  // by slot; not a number: not asked for yet
  Collection batch_;
  std::int64_t item_ = -1;  // the current one, and a collection of it alone
  Collection current_;
  std::vector<double> batch_self_;  // likewise, by item
};

}  // namespace hedgerow::models
