#include "svm/item_rows.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <type_traits>

#include "models/overflow.hpp"
#include "parallel.hpp"
#include "svm/columns.hpp"

namespace hedgerow::svm {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

template <class Real>
void check_row(const Real* values, std::int64_t n) {
  if (all_finite(values, n)) return;
  if constexpr (std::is_same_v<Real, double>) models::reject_overflow();
  throw std::overflow_error(
      "a kernel value is too large for float32; use a cache in double precision or Normalized(kernel)");
}

}  // namespace

template <class Real>
ItemRows<Real>::ItemRows(const models::KernelModel& prototype, std::shared_ptr<const models::Items> items,
                         std::size_t bytes)
    : items_(std::move(items)),
      bytes_(bytes),
      whole_(static_cast<std::int32_t>(items_->size())),
      narrow_(static_cast<std::int32_t>(items_->size())) {
  const auto n = static_cast<std::int32_t>(items_->size());
  std::vector<std::int32_t> all(n);
  std::iota(all.begin(), all.end(), 0);
  model_ = prototype.empty(1);
  model_ = model_of(all);
  slot_in_section_.resize(n);
  whole_.clear(n, bytes_);
  std::vector<Real> diagonal(n);
  for (std::int32_t i = 0; i < n; ++i) diagonal[i] = static_cast<Real>(model_->support_self_kernel(i));
  check_row(diagonal.data(), n);
  this->diagonal_.assign(diagonal.begin(), diagonal.end());
}

template <class Real>
std::unique_ptr<models::KernelModel> ItemRows<Real>::model_of(std::span<const std::int32_t> items) const {
  auto model = model_->empty(1);
  model->open(items_);
  for (std::size_t slot = 0; slot < items.size(); ++slot) {
    stop_if_asked();
    model->put(static_cast<std::int32_t>(slot), items[slot]);
  }
  model->close();
  return model;
}

template <class Real>
void ItemRows<Real>::compute(models::KernelModel& model, std::int32_t slot) {
  const auto start = Clock::now();
  values_.resize(model.slots());
  model.support_row(slot, values_.data());
  this->evaluations_ += model.slots();
  seconds_ += seconds_since(start);
}

template <class Real>
const Real* ItemRows<Real>::row(std::int32_t item) {
  RowCache<Real>& cache = columns_.empty() ? whole_ : narrow_;
  if (const Real* known = cache.find(item)) return known;
  const Real* whole = columns_.empty() ? nullptr : whole_.peek(item);
  if (!whole)
    compute(section_.model ? *section_.model : *model_, section_.model ? slot_in_section_[item] : item);
  const std::int64_t n = columns_.empty() ? this->size() : static_cast<std::int64_t>(columns_.size());
  Real* out = cache.add(item);
  if (whole)
    pick(whole, columns_, out);
  else if (columns_.empty())
    convert(values_.data(), n, out);
  else
    pick(values_.data(), section_.model ? section_.positions : columns_, out);
  check_row(out, n);
  return out;
}

template <class Real>
std::size_t ItemRows<Real>::whole_bytes() const {
  return static_cast<std::size_t>(this->size()) * static_cast<std::size_t>(this->size()) * sizeof(Real);
}

template <class Real>
void ItemRows<Real>::widen() {
  columns_.clear();
  section_ = {};
  narrow_.clear(0, 0);
  whole_.limit(bytes_);
}

template <class Real>
void ItemRows<Real>::narrow(std::span<const std::int32_t> items) {
  // Whole rows serve other calls: where all of them fit, they stay.
  const std::size_t wanted = items.size() * items.size() * sizeof(Real);
  const std::size_t most = whole_bytes() <= bytes_ / 5 * 4 ? bytes_ - whole_bytes() : bytes_ / 2;
  const std::size_t bytes = std::min(wanted, most);
  whole_.limit(bytes_ - bytes);
  if (columns_.empty())
    narrow_.clear(static_cast<std::int64_t>(items.size()), bytes);
  else
    narrow_.keep_columns(positions(items, columns_), bytes);
  columns_.assign(items.begin(), items.end());

  // A new model costs little more than the rows of a few items.
  const std::size_t before = section_.model ? section_.items.size() : static_cast<std::size_t>(this->size());
  if (columns_.size() < before / 4 * 3) {
    section_.model = model_of(columns_);
    section_.items = columns_;
    for (std::size_t slot = 0; slot < columns_.size(); ++slot)
      slot_in_section_[columns_[slot]] = static_cast<std::int32_t>(slot);
  }
  if (section_.model) section_.positions = positions(columns_, section_.items);
}

template <class Real>
void ItemRows<Real>::products(std::span<const std::int32_t> items, std::span<const double> coefficients,
                              std::span<const std::int32_t> targets, int threads, double* out) {
  std::vector<const Real*> rows;
  std::vector<std::int32_t> others;
  std::vector<double> known, unknown;
  for (std::size_t k = 0; k < items.size(); ++k) {
    if (const Real* row = whole_.peek(items[k])) {
      rows.push_back(row);
      known.push_back(coefficients[k]);
    } else {
      others.push_back(items[k]);
      unknown.push_back(coefficients[k]);
    }
  }
  combine_rows<Real>(rows, known, this->size(), targets, threads, out);
  if (others.empty() || targets.empty()) return;

  const auto start = Clock::now();
  const auto model = model_of(others);
  for (std::size_t k = 0; k < others.size(); ++k)
    model->add_weight(static_cast<std::int32_t>(k), 0, unknown[k]);
  model->freeze(false);
  std::vector<double> scores(targets.size());
  const bool all = static_cast<std::int32_t>(targets.size()) == this->size();
  model->score_batch(all ? *items_ : *model_->supports(targets), 1, threads, scores.data());
  this->evaluations_ += static_cast<std::int64_t>(others.size() * targets.size());
  seconds_ += seconds_since(start);
  for (std::size_t t = 0; t < targets.size(); ++t) out[t] += scores[t];
}

template <class Real>
double ItemRows<Real>::seconds_for_products(std::int64_t items, std::int64_t targets) const {
  const double values = static_cast<double>(items) * static_cast<double>(targets);
  return this->evaluations_ == 0 ? std::numeric_limits<double>::infinity()
                                 : seconds_ / static_cast<double>(this->evaluations_) * values;
}

template class ItemRows<float>;
template class ItemRows<double>;

}  // namespace hedgerow::svm
