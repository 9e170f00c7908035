#include "models/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernels/lanes.hpp"

namespace hedgerow::models {
namespace {

HEDGEROW_CLONES(double, dot, (const double* a, const double* b, std::size_t n), (a, b, n)) {
  using Vector = kernels::Lanes<double>::Vector;
  constexpr std::size_t width = kernels::Lanes<double>::width;
  Vector sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 * width <= n; i += 4 * width)
    for (std::size_t k = 0; k < 4; ++k) {
      Vector x, y;
      kernels::load(a + i + k * width, x);
      kernels::load(b + i + k * width, y);
      sums[k] += x * y;
    }
  const Vector sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  double total = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  for (; i < n; ++i) total += a[i] * b[i];
  return total;
}

// to += factor * from
HEDGEROW_CLONES(void, add_multiple,
                (const double* __restrict from, double factor, std::size_t n, double* __restrict to),
                (from, factor, n, to)) {
  for (std::size_t i = 0; i < n; ++i) to[i] += factor * from[i];
}

}  // namespace

void Cholesky::forward(std::span<double> values) const {
  for (std::size_t i = 0; i < size_; ++i) values[i] = (values[i] - dot(row(i), values.data(), i)) / row(i)[i];
}

void Cholesky::backward(std::span<double> half) const {
  for (std::size_t i = size_; i-- > 0;) {
    half[i] /= row(i)[i];
    add_multiple(row(i), -half[i], i, half.data());
  }
}

void Cholesky::append(std::span<const double> half, double pivot) {
  rows_.insert(rows_.end(), half.begin(), half.end());
  rows_.push_back(pivot);
  ++size_;
}

void Cholesky::remove(std::size_t index) {
  // Rows below lose their entry in column `index`, which comes back as a rank-one update of what is right of
  // it: L' L'^T = L22 L22^T + l l^T, worked in by rotations.
  std::vector<double> removed(size_ - index - 1);
  for (std::size_t i = index + 1; i < size_; ++i) {
    double* const to = row(i - 1);
    const double* const from = row(i);
    removed[i - index - 1] = from[index];
    std::copy(from, from + index, to);
    std::copy(from + index + 1, from + i + 1, to + index);
  }
  --size_;
  rows_.resize(size_ * (size_ + 1) / 2);
  for (std::size_t j = index; j < size_; ++j) {
    double& pivot = row(j)[j];
    const double rotated = std::hypot(pivot, removed[j - index]);
    const double cosine = rotated / pivot, sine = removed[j - index] / pivot;
    pivot = rotated;
    for (std::size_t i = j + 1; i < size_; ++i) {
      double& entry = row(i)[j];
      entry = (entry + sine * removed[i - index]) / cosine;
      removed[i - index] = cosine * removed[i - index] - sine * entry;
    }
  }
}

double Cholesky::condition() const {
  if (size_ == 0) return 1;
  double smallest = row(0)[0], largest = smallest;
  for (std::size_t i = 1; i < size_; ++i) {
    smallest = std::min(smallest, row(i)[i]);
    largest = std::max(largest, row(i)[i]);
  }
  return (largest / smallest) * (largest / smallest);
}

void Cholesky::assign(std::vector<double> rows, std::size_t size) {
  if (rows.size() != size * (size + 1) / 2) throw std::invalid_argument("the factor has the wrong length");
  rows_ = std::move(rows);
  size_ = size;
  for (std::size_t i = 0; i < size; ++i)
    if (!(row(i)[i] > 0)) throw std::invalid_argument("the factor must have a diagonal above 0");
}

}  // namespace hedgerow::models
