#include <algorithm>
#include <cmath>

#include "kernels/symmetric.hpp"
#include "kernels/vectors.hpp"
#include "parallel.hpp"

namespace hedgerow {

namespace {

// exp(-x) is 0 from here on.
constexpr double vanishing = 746;
// The largest error of gamma |x - z|^2, and so the largest relative error of the kernel, that the expanded
// form may cause.
constexpr double tolerance = 5e-13;

// Sums of products of whole numbers are exact in double precision up to 2^53.
bool sums_are_exact(const FeatureTable& rows, const std::vector<double>& square) {
  return std::all_of(square.begin(), square.end(), [](double s) { return s < 0x1p50; }) &&
         std::all_of(rows.value.begin(), rows.value.end(), [](double v) { return v == std::trunc(v); });
}

// |x - z|^2 from the two index lists, by a compensated sum.
double squared_distance(const FeatureTable& rows, std::int64_t a, std::int64_t b) {
  std::int64_t i = rows.row_begin[a], j = rows.row_begin[b];
  const std::int64_t i_end = rows.row_begin[a + 1], j_end = rows.row_begin[b + 1];
  double sum = 0, lost = 0;
  while (i < i_end || j < j_end) {
    const bool left = j == j_end || (i < i_end && rows.feature[i] <= rows.feature[j]);
    const bool right = i == i_end || (j < j_end && rows.feature[j] <= rows.feature[i]);
    const double difference = (left ? rows.value[i] : 0.0) - (right ? rows.value[j] : 0.0);
    i += left;
    j += right;
    const double term = difference * difference - lost, next = sum + term;
    lost = (next - sum) - term;
    sum = next;
    if (!std::isfinite(sum)) return sum;
  }
  return sum;
}

// Turns dot products of rows [0, n_left) with those from `first` on into kernel values.
void from_dots(const FeatureTable& rows, std::int64_t n_left, std::int64_t first, bool lower, double gamma,
               int threads, double* out) {
  const std::vector<double> square = feature_diagonal(rows);
  const double unit = sums_are_exact(rows, square) ? 0.0 : 0x1p-53;
  const std::int64_t width = rows.rows() - first;
  const auto entries = [&](std::int64_t row) { return rows.row_begin[row + 1] - rows.row_begin[row]; };
  parallel_rows(0, n_left, threads, [&](std::int64_t row, int) {
    double* values = out + row * width;
    for (std::int64_t column = 0; column < (lower ? row + 1 : width); ++column) {
      const std::int64_t other = first + column;
      const double squares = square[row] + square[other];
      double exponent = gamma * (squares - 2 * values[column]);
      // Each of the two squares and the product was summed from at most as many terms as its rows have.
      const double error = gamma * squares * unit * static_cast<double>(entries(row) + entries(other) + 4);
      // Written so that infinite and undefined numbers take the exact way too.
      if (!(error <= tolerance) && !(exponent - error > vanishing && std::isfinite(exponent)))
        exponent = gamma * squared_distance(rows, row, other);
      values[column] = std::exp(-std::max(exponent, 0.0));
    }
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

}  // namespace hedgerow
