#include "models/precomputed_model.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "parallel.hpp"

namespace hedgerow::models {

namespace {

const GramItems& gram(const Items& items) { return items_as<GramItems>(items, "rows of kernel values"); }

}  // namespace

std::shared_ptr<const Items> GramItems::select(std::span<const std::int64_t> items) const {
  auto selected = std::make_shared<GramItems>(*this);
  selected->row.clear();
  for (std::int64_t item : items) selected->row.push_back(row[item]);
  return selected;
}

void PrecomputedModel::check_width(const GramItems& batch) const {
  const auto last = std::max_element(example_.begin(), example_.end());
  if (batch.has_values() && last != example_.end() && *last >= batch.width)
    throw std::invalid_argument("a row of " + std::to_string(batch.width) +
                                " kernel values lacks that of example " + std::to_string(*last));
}

void PrecomputedModel::open(std::shared_ptr<const Items> batch) {
  check_width(gram(*batch));
  batch_ = std::dynamic_pointer_cast<const GramItems>(std::move(batch));
}

const GramItems& PrecomputedModel::examples() const {
  if (!batch_ || !batch_->has_values() || !batch_->are_examples)
    throw std::invalid_argument(
        "kernel values between examples are known only in the fit that they came with");
  return *batch_;
}

void PrecomputedModel::pick(const GramItems& batch, std::int64_t row, double* out) const {
  for (std::size_t s = 0; s < example_.size(); ++s)
    out[s] = example_[s] == free ? 0.0 : batch.value(row, example_[s]);
}

void PrecomputedModel::put_item(std::int32_t slot, std::int64_t item) {
  if (!batch_->are_examples)
    throw std::invalid_argument("only examples of the fit can be supports of a precomputed kernel");
  if (slot == slots()) example_.push_back(free);
  example_[slot] = batch_->row[item];
}

std::shared_ptr<const Items> PrecomputedModel::supports(std::span<const std::int32_t> slots) const {
  auto items = std::make_shared<GramItems>();
  items->are_examples = true;
  for (std::int32_t slot : slots) items->row.push_back(example_[slot]);
  return items;
}

void PrecomputedModel::some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                                 double* out) const {
  const GramItems& rows = gram(batch);
  check_width(rows);
  parallel_rows(begin, end, threads,
                [&](std::int64_t i, int) { pick(rows, rows.row[i], out + (i - begin) * slots()); });
}

void PrecomputedModel::some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end, int,
                                         double* out) const {
  const GramItems& rows = gram(batch);
  if (!rows.are_examples) throw std::invalid_argument("the kernel of a new item with itself is not known");
  for (std::int64_t i = begin; i < end; ++i) out[i - begin] = rows.value(rows.row[i], rows.row[i]);
}

void PrecomputedModel::load_items(const State& state, const std::string& prefix) {
  example_ = state.get<std::int64_t>(prefix + "examples");
  if (std::any_of(example_.begin(), example_.end(), [](std::int64_t example) { return example < free; }))
    throw std::invalid_argument(prefix + "examples is out of range");
}

}  // namespace hedgerow::models
