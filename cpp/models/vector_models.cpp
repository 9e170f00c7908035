#include "models/vector_models.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/expanded_distance.hpp"
#include "kernels/exponential.hpp"
#include "parallel.hpp"

namespace hedgerow::models {

// ---- what they share

void VectorModel::open(std::shared_ptr<const Items> batch) {
  const VectorBatch vectors(*batch);
  supports_.check_width(vectors.width(), vectors.dense());
  batch_ = vectors;
  opened_ = std::move(batch);
}

void VectorModel::close() {
  batch_ = {};
  opened_.reset();
}

VectorModel::Vector VectorModel::describe(const Entries& entries) const {
  Vector vector{entries, supports_.parts()(entries), 0};
  if (!supports_.parts().used())
    for (double v : entries.value) vector.square += v * v;
  return vector;
}

double VectorModel::self_kernel(std::int64_t item) { return self(opened(item)); }

void VectorModel::row(std::int64_t item, double* out) { values(opened(item), scratch_, out); }

void VectorModel::support_row(std::int32_t slot, double* out) {
  values(describe(supports_[slot]), scratch_, out);
}

void VectorModel::values(const Vector& vector, Scratch& scratch, double* out) const {
  if (needs_no_dots(vector)) return without_dots(vector, scratch, out);
  const VectorSupports::Request request{vector.entries, vector.part, out};
  supports_.dots({&request, 1}, scratch);
  from_dots(vector, out);
}

void VectorModel::put_item(std::int32_t slot, std::int64_t item) {
  const Entries entries = batch_.entries(item, entries_);
  supports_.put(slot, batch_.width(), entries, batch_.dense());
  remember(slot, describe(entries));
}

void VectorModel::erase_item(std::int32_t slot) {
  supports_.erase(slot);
  remember(slot, describe({}));
}

void VectorModel::some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                            double* out) const {
  const VectorBatch vectors(batch);
  supports_.check_width(vectors.width(), vectors.dense());
  constexpr std::int64_t together = 8;  // vectors for which the index is read once
  struct Memory {
    EntryScratch entries[together];
    std::vector<Vector> vectors;
    std::vector<VectorSupports::Request> requests;
    Scratch scratch;
  };
  std::vector<Memory> memories(std::max(threads, 1));
  parallel_rows(0, (end - begin + together - 1) / together, threads, [&](std::int64_t block, int thread) {
    Memory& memory = memories[thread];
    memory.vectors.clear();
    memory.requests.clear();
    const std::int64_t top = begin + block * together;
    for (std::int64_t i = top; i < std::min(end, top + together); ++i) {
      const Vector vector = describe(vectors.entries(i, memory.entries[i - top]));
      double* row = out + (i - begin) * slots();
      if (needs_no_dots(vector)) {
        without_dots(vector, memory.scratch, row);
      } else {
        memory.vectors.push_back(vector);
        memory.requests.push_back({vector.entries, vector.part, row});
      }
    }
    supports_.dots(memory.requests, memory.scratch);
    for (std::size_t r = 0; r < memory.vectors.size(); ++r)
      from_dots(memory.vectors[r], memory.requests[r].out);
  });
}

void VectorModel::some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                                    double* out) const {
  const VectorBatch vectors(batch);
  supports_.check_width(vectors.width(), vectors.dense());
  std::vector<EntryScratch> memory(std::max(threads, 1));
  parallel_rows(begin, end, threads, [&](std::int64_t i, int thread) {
    out[i - begin] = self(describe(vectors.entries(i, memory[thread])));
  });
}

void VectorModel::save_items(State& state, const std::string& prefix) const { supports_.save(state, prefix); }

void VectorModel::load_items(const State& state, const std::string& prefix) {
  supports_.load(state, prefix);
  for (std::int32_t slot = 0; slot < slots(); ++slot) remember(slot, describe(supports_[slot]));
}

// ---- polynomial

PolynomialModel::PolynomialModel(double degree, double scale, double offset, bool normalized,
                                 std::int32_t columns)
    : VectorModel(columns, normalized ? UnitParts(scale, offset) : UnitParts()),
      degree_(degree),
      scale_(scale),
      offset_(offset),
      normalized_(normalized) {}

namespace {

HEDGEROW_CLONES(void, multiply_by_powers, (double* values, std::int64_t n, int degree), (values, n, degree)) {
  for (std::int64_t s = 0; s < n; ++s) {
    const double base = values[s];
    double power = base;
    for (int i = 1; i < degree; ++i) power *= base;
    values[s] = power;
  }
}

void to_powers(double* values, std::int64_t n, double degree) {
  if (degree <= 8)
    multiply_by_powers(values, n, static_cast<int>(degree));
  else
    for (std::int64_t s = 0; s < n; ++s) values[s] = std::pow(values[s], degree);
}

// -gamma |x - z|^2 from dot products
HEDGEROW_CLONES(void, to_exponents,
                (double gamma, double own_square, const double* square, std::int64_t n, double* values),
                (gamma, own_square, square, n, values)) {
  for (std::int64_t s = 0; s < n; ++s) {
    const double exponent = -gamma * ((own_square + square[s]) - 2 * values[s]);
    values[s] = exponent < 0 ? exponent : 0.0;
  }
}

// The table's entry for |x - z|^2, which is a whole number, from dot products
HEDGEROW_CLONES(void, look_up,
                (const double* table, double own_square, const double* square, std::int64_t n,
                 double* values),
                (table, own_square, square, n, values)) {
  for (std::int64_t s = 0; s < n; ++s)
    values[s] = table[static_cast<std::int32_t>((own_square + square[s]) - 2 * values[s])];
}

}  // namespace

double PolynomialModel::self(const Vector& vector) const {
  if (normalized_) return vector.part.is_zero() ? 0 : 1;
  double value = scale_ * vector.square + offset_;
  to_powers(&value, 1, degree_);
  return value;
}

void PolynomialModel::from_dots(const Vector& vector, double* out) const {
  const std::int32_t n = slots();
  if (normalized_)
    for (std::int32_t s = 0; s < n; ++s) out[s] += vector.part.rest * rest_[s];
  else
    for (std::int32_t s = 0; s < n; ++s) out[s] = out[s] * scale_ + offset_;
  to_powers(out, n, degree_);
}

void PolynomialModel::remember(std::int32_t slot, const Vector& vector) {
  rest_.resize(slots());
  rest_[slot] = vector.part.rest;
}

// ---- radial basis functions

// Stays in the first-level cache. Models with fewer supports than that have no use for it.
constexpr std::int32_t table_size = 1024;

// How much one operation may be off: nothing when all sums are exact.
double RBFModel::unit(const Vector& vector) const {
  return inexact_ == 0 && kernels::sums_are_exact(vector.entries.value, vector.square)
             ? 0.0
             : kernels::rounding_unit;
}

// So far from the origin that hardly any exponent could be trusted.
bool RBFModel::needs_no_dots(const Vector& vector) const {
  const auto entries = static_cast<double>(vector.entries.value.size());
  return supports().in_columns() && !(kernels::expanded_error(gamma_, vector.square, entries, unit(vector)) <=
                                      kernels::expanded_tolerance);
}

void RBFModel::without_dots(const Vector& vector, Scratch& scratch, double* out) const {
  supports().squared_distances(vector.entries, scratch, out);
  for (std::int32_t s = 0; s < slots(); ++s) out[s] *= -gamma_;
  kernels::exponentials(out, slots());
}

void RBFModel::from_dots(const Vector& vector, double* out) const {
  const std::int32_t n = slots();
  const auto entries = static_cast<double>(vector.entries.value.size());
  const double off = unit(vector);
  if (off == 0 && 2 * (vector.square + largest_square_) < static_cast<double>(at_distance_.size()))
    return look_up(at_distance_.data(), vector.square, square_.data(), n, out);
  if (kernels::expanded_error(gamma_, vector.square + largest_square_, entries + most_entries_, off) <=
      kernels::expanded_tolerance) {
    to_exponents(gamma_, vector.square, square_.data(), n, out);
  } else {
    for (std::int32_t s = 0; s < n; ++s) {
      const Entries other = supports()[s];
      const double squares = vector.square + square_[s];
      const double terms = entries + static_cast<double>(other.value.size());
      double exponent = gamma_ * (squares - 2 * out[s]);
      if (!kernels::trust_expanded(exponent, kernels::expanded_error(gamma_, squares, terms, off)))
        exponent = gamma_ * kernels::squared_distance(vector.entries.feature, vector.entries.value,
                                                      other.feature, other.value);
      out[s] = -std::max(exponent, 0.0);
    }
  }
  kernels::exponentials(out, n);
}

void RBFModel::remember(std::int32_t slot, const Vector& vector) {
  square_.resize(slots());
  exact_.resize(slots(), true);
  const bool exact = kernels::sums_are_exact(vector.entries.value, vector.square);
  inexact_ += exact_[slot] - exact;
  exact_[slot] = exact;
  square_[slot] = vector.square;
  largest_square_ = std::max(largest_square_, vector.square);
  most_entries_ = std::max(most_entries_, static_cast<double>(vector.entries.value.size()));
  if (slots() == table_size && inexact_ == 0) {
    at_distance_.resize(table_size);
    for (int d = 0; d < table_size; ++d) at_distance_[d] = -gamma_ * d;
    kernels::exponentials(at_distance_.data(), table_size);
  }
}

// ---- sigmoid

double SigmoidModel::self(const Vector& vector) const { return std::tanh(scale_ * vector.square + offset_); }

void SigmoidModel::from_dots(const Vector&, double* out) const {
  for (std::int32_t s = 0; s < slots(); ++s) out[s] = std::tanh(out[s] * scale_ + offset_);
}

}  // namespace hedgerow::models
