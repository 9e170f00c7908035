// The Cholesky factor L of a growing Gram matrix, K = L L^T: one row is added or removed at a time.
//
// Solving with it stays accurate where an inverse that is updated again and again would drift away.
#pragma once

#include <span>
#include <vector>

namespace hedgerow::models {

class Cholesky {
 public:
  std::size_t size() const { return size_; }

  // Solves L half = values, in place. Then |half|^2 = values . K^-1 values.
  void forward(std::span<double> values) const;
  // Solves L^T solution = half, in place: forward and backward together solve K solution = values.
  void backward(std::span<double> half) const;
  // Adds a row and column to K: `half` as forward made it of the new column, `pivot` = sqrt(its diagonal
  // entry
  // - |half|^2), which must be positive.
  void append(std::span<const double> half, double pivot);
  // Removes row and column `index` of K.
  void remove(std::size_t index);
  void clear() { size_ = 0, rows_.clear(); }
  // A lower bound on the condition number of K.
  double condition() const;

  const std::vector<double>& rows() const { return rows_; }
  // From what rows() gave; throws invalid_argument when it is no factor of that size.
  void assign(std::vector<double> rows, std::size_t size);

 private:
  double* row(std::size_t i) { return rows_.data() + i * (i + 1) / 2; }
  const double* row(std::size_t i) const { return rows_.data() + i * (i + 1) / 2; }

  std::size_t size_ = 0;
  std::vector<double> rows_;  // of the lower triangle, one after the other
};

}  // namespace hedgerow::models
