#include "models/callback_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

namespace hedgerow::models {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

const ForeignItems& foreign(const Items& items) { return items_as<ForeignItems>(items, "Python objects"); }

// Items [begin, end) of a batch.
std::shared_ptr<const ForeignItems> range(const ForeignItems& batch, std::int64_t begin, std::int64_t end) {
  std::vector<std::int64_t> numbers(end - begin);
  std::iota(numbers.begin(), numbers.end(), begin);
  return batch.choose(numbers);
}

}  // namespace

std::shared_ptr<const ForeignItems> ForeignItems::choose(std::span<const std::int64_t> items) const {
  return std::dynamic_pointer_cast<const ForeignItems>(select(items));
}

// ---- learning

void CallbackModel::open(std::shared_ptr<const Items> batch) {
  foreign(*batch);
  batch_ = std::dynamic_pointer_cast<const ForeignItems>(std::move(batch));
  batch_self_.assign(batch_->size(), unknown);
  item_ = -1;
}

void CallbackModel::close() {
  batch_.reset();
  batch_self_.clear();
  item_ = -1;
  current_.reset();
}

double CallbackModel::self_kernel(std::int64_t item) {
  if (std::isnan(batch_self_[item])) {
    // Who asks for one will ask for others.
    constexpr std::int64_t block = 256;
    const std::int64_t begin = item / block * block;
    some_self_kernels(*batch_, begin, std::min(begin + block, batch_->size()), 1, &batch_self_[begin]);
  }
  return batch_self_[item];
}

void CallbackModel::look_at(std::int64_t item) {
  if (item == item_) return;
  current_ = batch_->choose({&item, 1});
  item_ = item;
}

void CallbackModel::row(std::int64_t item, double* out) {
  look_at(item);
  rows(*current_, out);
}

// ---- supports

CallbackModel::Place CallbackModel::place_of(std::int32_t slot) const {
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const auto found = std::find(parts_[p].slot.begin(), parts_[p].slot.end(), slot);
    if (found != parts_[p].slot.end()) return {p, found - parts_[p].slot.begin()};
  }
  throw std::invalid_argument("slot " + std::to_string(slot) + " is free");
}

CallbackModel::Part CallbackModel::without_erased(const Part& part) {
  Part kept;
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < part.slot.size(); ++i) {
    if (part.slot[i] < 0) continue;
    numbers.push_back(static_cast<std::int64_t>(i));
    kept.slot.push_back(part.slot[i]);
  }
  kept.items = numbers.size() == part.slot.size() ? part.items : part.items->choose(numbers);
  return kept;
}

CallbackModel::Part CallbackModel::joined(const Part& first, const Part& second) {
  Part all = without_erased(first);
  const Part more = without_erased(second);
  all.items = all.items->join(*more.items);
  all.slot.insert(all.slot.end(), more.slot.begin(), more.slot.end());
  return all;
}

void CallbackModel::merge() {
  constexpr std::int64_t fewer = 8;  // times as many items has a part as the next
  const auto joins = [&](const Part& last, std::size_t kept) {
    return kept > 0 && last.items->size() * fewer >= parts_[kept - 1].items->size();
  };
  if (parts_.empty() || !joins(parts_.back(), parts_.size() - 1)) return;
  std::size_t kept = parts_.size() - 1;
  Part last = parts_.back();
  while (joins(last, kept)) last = joined(parts_[--kept], last);
  parts_.resize(kept);
  parts_.push_back(std::move(last));
}

void CallbackModel::put_item(std::int32_t slot, std::int64_t item) {
  look_at(item);
  parts_.push_back({current_, {slot}});
  if (slot == slots()) self_.push_back(unknown);
  self_[slot] = batch_self_[item];
  merge();
}

void CallbackModel::erase_item(std::int32_t slot) {
  const Place place = place_of(slot);
  parts_[place.part].slot[place.item] = -1;
}

double CallbackModel::support_self_kernel(std::int32_t slot) {
  if (std::isnan(self_[slot])) {
    const Part& part = parts_[place_of(slot).part];
    std::vector<double> values(part.slot.size());
    kernel_->self_kernels(*part.items, values.data());
    for (std::size_t i = 0; i < values.size(); ++i)
      if (part.slot[i] >= 0) self_[part.slot[i]] = values[i];
  }
  return self_[slot];
}

void CallbackModel::support_row(std::int32_t slot, double* out) {
  const Place place = place_of(slot);
  rows(*parts_[place.part].items->choose({&place.item, 1}), out);
}

std::shared_ptr<const Items> CallbackModel::supports(std::span<const std::int32_t> slots) const {
  if (parts_.empty()) return kernel_->nothing();
  Part all = parts_.front();
  for (std::size_t p = 1; p < parts_.size(); ++p) all = joined(all, parts_[p]);
  std::vector<std::int64_t> item_of_slot(self_.size(), -1), numbers;
  for (std::size_t i = 0; i < all.slot.size(); ++i)
    if (all.slot[i] >= 0) item_of_slot[all.slot[i]] = static_cast<std::int64_t>(i);
  for (std::int32_t slot : slots) {
    if (item_of_slot[slot] < 0) throw std::invalid_argument("slot " + std::to_string(slot) + " is free");
    numbers.push_back(item_of_slot[slot]);
  }
  return all.items->select(numbers);
}

// ---- rows

void CallbackModel::rows(const ForeignItems& items, double* out) const {
  std::fill_n(out, items.size() * slots(), 0.0);
  std::vector<double> values;
  for (const Part& part : parts_) {
    const std::int64_t width = part.items->size();
    values.resize(items.size() * width);
    kernel_->values(items, *part.items, values.data());
    for (std::int64_t i = 0; i < items.size(); ++i)
      for (std::int64_t j = 0; j < width; ++j)
        if (const std::int32_t slot = part.slot[j]; slot >= 0)
          out[i * slots() + slot] = values[i * width + j];
  }
}

void CallbackModel::some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int,
                              double* out) const {
  rows(*range(foreign(batch), begin, end), out);
}

void CallbackModel::some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end, int,
                                      double* out) const {
  kernel_->self_kernels(*range(foreign(batch), begin, end), out);
}

// ---- copies

// Parts and erased items are kept as they are, since the values that blocks give may depend on their shapes.
void CallbackModel::save_items(State& state, const std::string& prefix) const {
  std::vector<std::int32_t> slot, sizes;
  Collection all = state.in_memory() ? nullptr : kernel_->nothing();
  for (const Part& part : parts_) {
    if (state.in_memory())
      state.share(prefix + "part" + std::to_string(sizes.size()), part.items);
    else
      all = slot.empty() ? part.items : all->join(*part.items);
    slot.insert(slot.end(), part.slot.begin(), part.slot.end());
    sizes.push_back(static_cast<std::int32_t>(part.slot.size()));
  }
  if (all) state.set(prefix + "items", kernel_->to_bytes(*all));
  state.set(prefix + "slot", std::move(slot));
  state.set(prefix + "part_sizes", std::move(sizes));
  state.set(prefix + "self_kernels", self_);
}

void CallbackModel::load_shared(const State& state, const std::string& prefix) {
  auto slot = state.get<std::int32_t>(prefix + "slot").begin();
  for (const std::int32_t size : state.get<std::int32_t>(prefix + "part_sizes")) {
    const auto& items = state.shared(prefix + "part" + std::to_string(parts_.size()));
    parts_.push_back({std::dynamic_pointer_cast<const ForeignItems>(items), {slot, slot + size}});
    slot += size;
  }
}

void CallbackModel::load_items(const State& state, const std::string& prefix) {
  self_ = state.get<double>(prefix + "self_kernels");
  if (state.in_memory()) return load_shared(state, prefix);
  const auto& slot = state.get<std::int32_t>(prefix + "slot");
  for (std::int32_t s : slot)
    if (s < -1 || s >= slots()) throw std::invalid_argument(prefix + "slot is out of range");
  const Collection all = kernel_->from_bytes(state.get<std::uint8_t>(prefix + "items"));
  if (all->size() != static_cast<std::int64_t>(slot.size()))
    throw std::invalid_argument(prefix + "slot has the wrong length");
  std::int64_t begin = 0;
  for (std::int64_t size : state.get<std::int32_t>(prefix + "part_sizes")) {
    const std::int64_t end = begin + size;
    if (size < 1 || end > all->size()) throw std::invalid_argument(prefix + "part_sizes is out of range");
    parts_.push_back({range(*all, begin, end), {slot.begin() + begin, slot.begin() + end}});
    begin = end;
  }
}

}  // namespace hedgerow::models
