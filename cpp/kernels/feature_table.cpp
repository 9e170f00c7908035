#include "kernels/feature_table.hpp"

#include <algorithm>

#include "kernels/symmetric.hpp"
#include "parallel.hpp"

namespace hedgerow::kernels {

namespace {

template <class Real>
void gram(const FeatureTable& table, std::int64_t n_left, bool symmetric, int threads, Real* out) {
  const std::int64_t first = symmetric ? 0 : n_left, width = table.rows() - first;
  // Inverted index of the right side: for each feature its rows, in increasing order.
  std::vector<std::int64_t> posting_begin(table.weight.size() + 1, 0);
  for (std::int64_t e = table.row_begin[first]; e < table.row_begin.back(); ++e)
    ++posting_begin[table.feature[e] + 1];
  for (std::size_t f = 0; f < table.weight.size(); ++f) posting_begin[f + 1] += posting_begin[f];
  std::vector<std::int64_t> fill(posting_begin.begin(), posting_begin.end() - 1);
  struct Posting {
    std::int64_t column;
    double value;
  };
  std::vector<Posting> postings(posting_begin.back());
  for (std::int64_t row = first; row < table.rows(); ++row)
    for (std::int64_t e = table.row_begin[row]; e < table.row_begin[row + 1]; ++e)
      postings[fill[table.feature[e]]++] = {row - first, table.value[e]};

  std::vector<std::vector<double>> sums(threads, std::vector<double>(width));
  parallel_rows(0, n_left, threads, [&](std::int64_t row, int thread) {
    double* sum = sums[thread].data();
    const std::int64_t columns = symmetric ? row + 1 : width;
    std::fill(sum, sum + columns, 0.0);
    for (std::int64_t e = table.row_begin[row]; e < table.row_begin[row + 1]; ++e) {
      const std::int32_t f = table.feature[e];
      const double factor = table.weight[f] * table.value[e];
      for (std::int64_t p = posting_begin[f]; p < posting_begin[f + 1] && postings[p].column < columns; ++p)
        sum[postings[p].column] += factor * postings[p].value;
    }
    std::copy(sum, sum + columns, out + row * width);
  });
  if (symmetric) mirror_lower(out, n_left, threads);
}

}  // namespace

template <class Real>
void feature_gram(const FeatureTable& table, int threads, Real* out) {
  gram(table, table.rows(), true, threads, out);
}

template <class Real>
void feature_gram_between(const FeatureTable& table, std::int64_t n_left, int threads, Real* out) {
  gram(table, n_left, false, threads, out);
}

template void feature_gram(const FeatureTable&, int, float*);
template void feature_gram(const FeatureTable&, int, double*);
template void feature_gram_between(const FeatureTable&, std::int64_t, int, float*);
template void feature_gram_between(const FeatureTable&, std::int64_t, int, double*);

std::vector<double> feature_diagonal(const FeatureTable& table) {
  std::vector<double> result(table.rows(), 0.0);
  for (std::int64_t row = 0; row < table.rows(); ++row)
    for (std::int64_t e = table.row_begin[row]; e < table.row_begin[row + 1]; ++e)
      result[row] += table.weight[table.feature[e]] * table.value[e] * table.value[e];
  return result;
}

}  // namespace hedgerow::kernels
