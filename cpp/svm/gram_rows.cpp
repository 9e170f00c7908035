#include "svm/gram_rows.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "svm/columns.hpp"

namespace hedgerow::svm {

template <class Real>
GramRows<Real>::GramRows(const Real* gram, std::int32_t size, std::shared_ptr<const void> owner)
    : gram_(gram), owner_(std::move(owner)), narrow_(size) {
  this->diagonal_.resize(size);
  for (std::int32_t i = 0; i < size; ++i) {
    if (!all_finite(whole(i), size))
      throw std::invalid_argument("gram must be finite; row " + std::to_string(i) + " is not");
    this->diagonal_[i] = whole(i)[i];
  }
}

template <class Real>
const Real* GramRows<Real>::row(std::int32_t item) {
  if (columns_.empty()) return whole(item);
  if (const Real* known = narrow_.find(item)) return known;
  Real* out = narrow_.add(item);
  pick(whole(item), columns_, out);
  return out;
}

template <class Real>
void GramRows<Real>::widen() {
  columns_.clear();
  narrow_.clear(0, 0);
}

template <class Real>
void GramRows<Real>::narrow(std::span<const std::int32_t> items) {
  // A quarter of what the matrix takes: all rows of half of the items.
  const std::size_t n = this->size(), bytes = n * n * sizeof(Real) / 4;
  if (columns_.empty())
    narrow_.clear(static_cast<std::int64_t>(items.size()), bytes);
  else
    narrow_.keep_columns(positions(items, columns_), bytes);
  columns_.assign(items.begin(), items.end());
}

template <class Real>
void GramRows<Real>::products(std::span<const std::int32_t> items, std::span<const double> coefficients,
                              std::span<const std::int32_t> targets, int threads, double* out) {
  std::vector<const Real*> rows;
  for (std::int32_t item : items) rows.push_back(whole(item));
  combine_rows<Real>(rows, coefficients, this->size(), targets, threads, out);
}

template class GramRows<float>;
template class GramRows<double>;

}  // namespace hedgerow::svm
