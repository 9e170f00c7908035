#include "models/combined_models.hpp"

#include <algorithm>
#include <cmath>

#include "models/fields.hpp"
#include "models/overflow.hpp"

namespace hedgerow::models {

namespace {

void scale(double factor, std::int64_t n, double* values) {
  for (std::int64_t i = 0; i < n; ++i) values[i] *= factor;
}

void scale_scores(double factor, std::int32_t columns, double* scores) {
  scale(factor, columns, scores);
  check_scores(scores, columns);
}

void add(const std::vector<double>& terms, std::int64_t n, double* values) {
  for (std::int64_t i = 0; i < n; ++i) values[i] += terms[i];
}

// 1 / sqrt(K(x, x)), 0 for 0
double inverse_root(double self_kernel) {
  if (self_kernel < 0)
    throw std::invalid_argument(
        "the kernel cannot be normalised: it is negative for an item with itself; of a Sigmoid use a larger "
        "scale or offset");
  if (!std::isfinite(self_kernel))
    throw std::overflow_error(
        "a self-kernel is too large for float64 to be normalised; normalise the parts of the kernel");
  return self_kernel > 0 ? 1 / std::sqrt(self_kernel) : 0;
}

const PairItems& pairs(const Items& items) { return items_as<PairItems>(items, "pairs"); }

// Both parts, or none of them.
void open_parts(const Items& batch, KernelModel& left, KernelModel& right) {
  const PairItems& parts = pairs(batch);
  left.open(parts.left);
  try {
    right.open(parts.right);
  } catch (...) {
    left.close();
    throw;
  }
}

void load_parts(const State& state, const std::string& prefix, KernelModel& left, KernelModel& right) {
  left.load(state, prefix + "left.");
  right.load(state, prefix + "right.");
  if (left.slots() != right.slots())
    throw std::invalid_argument(prefix + "left and " + prefix + "right differ in their numbers of supports");
}

}  // namespace

// ---- weighted

void WeightedModel::scores(std::int64_t item, std::int32_t columns, double* out) {
  inner_->scores(item, columns, out);
  scale_scores(weight_, columns, out);
}

void WeightedModel::row(std::int64_t item, double* out) {
  inner_->row(item, out);
  scale(weight_, slots(), out);
}

void WeightedModel::support_scores(std::int32_t slot, std::int32_t columns, double* out) {
  inner_->support_scores(slot, columns, out);
  scale_scores(weight_, columns, out);
}

void WeightedModel::support_row(std::int32_t slot, double* out) {
  inner_->support_row(slot, out);
  scale(weight_, slots(), out);
}

void WeightedModel::score_batch(const Items& batch, std::int32_t columns, int threads, double* out) const {
  inner_->score_batch(batch, columns, threads, out);
  for (std::int64_t i = 0; i < batch.size(); ++i) scale_scores(weight_, columns, out + i * columns);
}

void WeightedModel::some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                              double* out) const {
  inner_->some_rows(batch, begin, end, threads, out);
  scale(weight_, (end - begin) * slots(), out);
}

void WeightedModel::some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                                      double* out) const {
  inner_->some_self_kernels(batch, begin, end, threads, out);
  scale(weight_, end - begin, out);
}

// ---- normalised

double NormalizedModel::self_kernel(std::int64_t item) {
  return inverse_root(inner_->self_kernel(item)) > 0 ? 1 : 0;
}

void NormalizedModel::scores(std::int64_t item, std::int32_t columns, double* out) {
  inner_->scores(item, columns, out);
  scale_scores(inverse_root(inner_->self_kernel(item)), columns, out);
}

void NormalizedModel::scale_row(double factor, double* row) const {
  for (std::size_t s = 0; s < inverse_root_.size(); ++s)
    row[s] = inverse_root_[s] > 0 ? row[s] * (factor * inverse_root_[s]) : 0.0;
}

void NormalizedModel::row(std::int64_t item, double* out) {
  inner_->row(item, out);
  scale_row(inverse_root(inner_->self_kernel(item)), out);
}

void NormalizedModel::put(std::int32_t slot, std::int64_t item) {
  const double root = inverse_root(inner_->self_kernel(item));
  inner_->put(slot, item);
  inverse_root_.resize(slots(), 0.0);
  inverse_root_[slot] = root;
}

void NormalizedModel::erase(std::int32_t slot) {
  inner_->erase(slot);
  inverse_root_[slot] = 0;
}

void NormalizedModel::support_scores(std::int32_t slot, std::int32_t columns, double* out) {
  inner_->support_scores(slot, columns, out);
  scale_scores(inverse_root_[slot], columns, out);
}

void NormalizedModel::support_row(std::int32_t slot, double* out) {
  inner_->support_row(slot, out);
  scale_row(inverse_root_[slot], out);
}

std::vector<double> NormalizedModel::inverse_roots(const Items& batch, std::int64_t begin, std::int64_t end,
                                                   int threads) const {
  std::vector<double> roots(end - begin);
  (unweighted_ ? *unweighted_ : *inner_).some_self_kernels(batch, begin, end, threads, roots.data());
  std::transform(roots.begin(), roots.end(), roots.begin(), inverse_root);
  return roots;
}

void NormalizedModel::score_batch(const Items& batch, std::int32_t columns, int threads, double* out) const {
  const std::vector<double> roots = inverse_roots(batch, 0, batch.size(), threads);
  inner_->score_batch(batch, columns, threads, out);
  for (std::int64_t i = 0; i < batch.size(); ++i) scale_scores(roots[i], columns, out + i * columns);
}

void NormalizedModel::some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                                double* out) const {
  const std::vector<double> roots = inverse_roots(batch, begin, end, threads);
  inner_->some_rows(batch, begin, end, threads, out);
  for (std::int64_t i = begin; i < end; ++i) scale_row(roots[i - begin], out + (i - begin) * slots());
}

void NormalizedModel::some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                                        double* out) const {
  const std::vector<double> roots = inverse_roots(batch, begin, end, threads);
  std::transform(roots.begin(), roots.end(), out, [](double root) { return root > 0 ? 1.0 : 0.0; });
}

void NormalizedModel::freeze(bool single) {
  unweighted_ = inner_->empty(1);
  inner_->freeze(single);
}

void NormalizedModel::save(State& state, const std::string& prefix) const {
  inner_->save(state, prefix + "part.");
  state.set(prefix + "inverse_root", inverse_root_);
}

void NormalizedModel::load(const State& state, const std::string& prefix) {
  inner_->load(state, prefix + "part.");
  inverse_root_ = numbers_in(at_least_0, state, prefix + "inverse_root", slots());
}

// ---- sums

void SumModel::open(std::shared_ptr<const Items> batch) { open_parts(*batch, *left_, *right_); }

void SumModel::close() {
  left_->close();
  right_->close();
}

void SumModel::scores(std::int64_t item, std::int32_t columns, double* out) {
  values_.resize(columns);
  left_->scores(item, columns, out);
  right_->scores(item, columns, values_.data());
  add(values_, columns, out);
}

void SumModel::row(std::int64_t item, double* out) {
  values_.resize(slots());
  left_->row(item, out);
  right_->row(item, values_.data());
  add(values_, slots(), out);
}

void SumModel::put(std::int32_t slot, std::int64_t item) {
  left_->put(slot, item);
  right_->put(slot, item);
}

void SumModel::scale_weights(std::int32_t column, double factor) {
  left_->scale_weights(column, factor);
  right_->scale_weights(column, factor);
}

void SumModel::add_weight(std::int32_t slot, std::int32_t column, double delta) {
  left_->add_weight(slot, column, delta);
  right_->add_weight(slot, column, delta);
}

void SumModel::drop_weight(std::int32_t slot, std::int32_t column) {
  left_->drop_weight(slot, column);
  right_->drop_weight(slot, column);
}

void SumModel::erase(std::int32_t slot) {
  left_->erase(slot);
  right_->erase(slot);
}

void SumModel::support_scores(std::int32_t slot, std::int32_t columns, double* out) {
  values_.resize(columns);
  left_->support_scores(slot, columns, out);
  right_->support_scores(slot, columns, values_.data());
  add(values_, columns, out);
}

void SumModel::support_row(std::int32_t slot, double* out) {
  values_.resize(slots());
  left_->support_row(slot, out);
  right_->support_row(slot, values_.data());
  add(values_, slots(), out);
}

std::shared_ptr<const Items> SumModel::supports(std::span<const std::int32_t> slots) const {
  return std::make_shared<PairItems>(left_->supports(slots), right_->supports(slots));
}

void SumModel::score_batch(const Items& batch, std::int32_t columns, int threads, double* out) const {
  const PairItems& parts = pairs(batch);
  const std::int64_t n = batch.size() * columns;
  std::vector<double> other(n);
  left_->score_batch(*parts.left, columns, threads, out);
  right_->score_batch(*parts.right, columns, threads, other.data());
  add(other, n, out);
}

void SumModel::some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                         double* out) const {
  const PairItems& parts = pairs(batch);
  const std::int64_t n = (end - begin) * slots();
  std::vector<double> other(n);
  left_->some_rows(*parts.left, begin, end, threads, out);
  right_->some_rows(*parts.right, begin, end, threads, other.data());
  add(other, n, out);
}

void SumModel::some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                                 double* out) const {
  const PairItems& parts = pairs(batch);
  std::vector<double> other(end - begin);
  left_->some_self_kernels(*parts.left, begin, end, threads, out);
  right_->some_self_kernels(*parts.right, begin, end, threads, other.data());
  add(other, end - begin, out);
}

void SumModel::freeze(bool single) {
  left_->freeze(single);
  right_->freeze(single);
}

void SumModel::save(State& state, const std::string& prefix) const {
  left_->save(state, prefix + "left.");
  right_->save(state, prefix + "right.");
}

void SumModel::load(const State& state, const std::string& prefix) {
  load_parts(state, prefix, *left_, *right_);
}

// ---- products

void ProductModel::open(std::shared_ptr<const Items> batch) { open_parts(*batch, *left_, *right_); }

void ProductModel::close() {
  left_->close();
  right_->close();
}

void ProductModel::multiply(const double* other, double* row) const {
  for (std::size_t s = 0; s < taken_.size(); ++s) row[s] = taken_[s] ? row[s] * other[s] : 0.0;
}

void ProductModel::row(std::int64_t item, double* out) {
  values_.resize(slots());
  left_->row(item, out);
  right_->row(item, values_.data());
  multiply(values_.data(), out);
}

void ProductModel::support_row(std::int32_t slot, double* out) {
  values_.resize(slots());
  left_->support_row(slot, out);
  right_->support_row(slot, values_.data());
  multiply(values_.data(), out);
}

std::shared_ptr<const Items> ProductModel::supports(std::span<const std::int32_t> slots) const {
  return std::make_shared<PairItems>(left_->supports(slots), right_->supports(slots));
}

void ProductModel::some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                             double* out) const {
  const PairItems& parts = pairs(batch);
  std::vector<double> other((end - begin) * slots());
  left_->some_rows(*parts.left, begin, end, threads, out);
  right_->some_rows(*parts.right, begin, end, threads, other.data());
  for (std::int64_t i = 0; i < end - begin; ++i) multiply(other.data() + i * slots(), out + i * slots());
}

void ProductModel::some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                                     double* out) const {
  const PairItems& parts = pairs(batch);
  std::vector<double> other(end - begin);
  left_->some_self_kernels(*parts.left, begin, end, threads, out);
  right_->some_self_kernels(*parts.right, begin, end, threads, other.data());
  for (std::int64_t i = 0; i < end - begin; ++i) out[i] *= other[i];
}

void ProductModel::put_item(std::int32_t slot, std::int64_t item) {
  left_->put(slot, item);
  right_->put(slot, item);
  taken_.resize(slots(), 0);
  taken_[slot] = 1;
}

void ProductModel::erase_item(std::int32_t slot) {
  left_->erase(slot);
  right_->erase(slot);
  taken_[slot] = 0;
}

void ProductModel::save_items(State& state, const std::string& prefix) const {
  left_->save(state, prefix + "left.");
  right_->save(state, prefix + "right.");
  state.set(prefix + "taken", taken_);
}

void ProductModel::load_items(const State& state, const std::string& prefix) {
  load_parts(state, prefix, *left_, *right_);
  taken_ = state.get<std::uint8_t>(prefix + "taken", slots());
}

}  // namespace hedgerow::models
