#include <algorithm>

#include "kernels/expanded_distance.hpp"
#include "kernels/exponential.hpp"
#include "kernels/symmetric.hpp"
#include "kernels/vectors.hpp"
#include "parallel.hpp"

namespace hedgerow::kernels {

namespace {

// Turns dot products of rows [0, n_left) with those from `first` on into kernel values.
void from_dots(const FeatureTable& rows, std::int64_t n_left, std::int64_t first, bool lower, double gamma,
               int threads, double* out) {
  const std::vector<double> square = feature_diagonal(rows);
  const std::span<const std::int32_t> features = rows.feature;
  const std::span<const double> all_values = rows.value;
  const auto entries = [&](std::int64_t row) { return rows.row_begin[row + 1] - rows.row_begin[row]; };
  const auto of_row = [&](auto all, std::int64_t row) {
    return all.subspan(rows.row_begin[row], entries(row));
  };
  bool exact = true;
  for (std::int64_t row = 0; row < rows.rows() && exact; ++row)
    exact = sums_are_exact(of_row(all_values, row), square[row]);
  const double unit = exact ? 0.0 : rounding_unit;
  const std::int64_t width = rows.rows() - first;
  parallel_rows(0, n_left, threads, [&](std::int64_t row, int) {
    double* values = out + row * width;
    const std::int64_t columns = lower ? row + 1 : width;
    for (std::int64_t column = 0; column < columns; ++column) {
      const std::int64_t other = first + column;
      const double squares = square[row] + square[other];
      double exponent = gamma * (squares - 2 * values[column]);
      const auto terms = static_cast<double>(entries(row) + entries(other));
      if (!trust_expanded(exponent, expanded_error(gamma, squares, terms, unit)))
        exponent = gamma * squared_distance(of_row(features, row), of_row(all_values, row),
                                            of_row(features, other), of_row(all_values, other));
      values[column] = -std::max(exponent, 0.0);
    }
    exponentials(values, columns);
  });
}

}  // namespace

void rbf_gram(const FeatureTable& rows, double gamma, int threads, double* out) {
  feature_gram(rows, threads, out);
  from_dots(rows, rows.rows(), 0, true, gamma, threads, out);
  mirror_lower(out, rows.rows(), threads);
}

void rbf_gram_between(const FeatureTable& rows, std::int64_t n_left, double gamma, int threads, double* out) {
  feature_gram_between(rows, n_left, threads, out);
  from_dots(rows, n_left, n_left, false, gamma, threads, out);
}

}  // namespace hedgerow::kernels
