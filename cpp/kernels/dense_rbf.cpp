#include <algorithm>
#include <vector>

#include "kernels/exponential.hpp"
#include "kernels/lanes.hpp"
#include "kernels/symmetric.hpp"
#include "kernels/vectors.hpp"
#include "parallel.hpp"

namespace hedgerow::kernels {

namespace {

using Four = Lanes<double>::Vector;

constexpr int lanes = 8;            // right rows side by side: one a vector lane, in two vectors of four
constexpr int tall = 4;             // left rows at a time, so that several sums are under way at once
constexpr std::int64_t chunk = 32;  // features summed before they join the total, which keeps rounding small

// Right rows in panels of `lanes` rows, feature by feature: value[(panel * width + feature) * lanes + lane].
std::vector<double> pack(const DenseRows& rows) {
  const std::int64_t panels = (rows.rows + lanes - 1) / lanes;
  std::vector<double> packed(panels * rows.width * lanes, 0.0);
  for (std::int64_t i = 0; i < rows.rows; ++i) {
    double* panel = packed.data() + (i / lanes) * rows.width * lanes + i % lanes;
    for (std::int64_t j = 0; j < rows.width; ++j) panel[j * lanes] = rows[i][j];
  }
  return packed;
}

// Squared distances of `tall` rows to the rows of one panel.
HEDGEROW_CLONES(void, squared_distances,
                (const double* const* left, const double* panel, std::int64_t width, double (*total)[lanes]),
                (left, panel, width, total)) {
  Four sum[tall][2] = {};
  for (std::int64_t begin = 0; begin < width; begin += chunk) {
    Four part[tall][2] = {};
    const std::int64_t end = begin + chunk < width ? begin + chunk : width;
    for (std::int64_t j = begin; j < end; ++j) {
      Four right[2];
      load(panel + j * lanes, right[0]);
      load(panel + j * lanes + 4, right[1]);
      for (int r = 0; r < tall; ++r)
        for (int h = 0; h < 2; ++h) {
          const Four difference = left[r][j] - right[h];
          part[r][h] += difference * difference;
        }
    }
    for (int r = 0; r < tall; ++r)
      for (int h = 0; h < 2; ++h) sum[r][h] += part[r][h];
  }
  for (int r = 0; r < tall; ++r)
    for (int h = 0; h < 2; ++h) store(sum[r][h], total[r] + 4 * h);
}

// All columns, or of row i only those up to i.
template <class Real>
void fill(const DenseRows& left, const DenseRows& right, bool lower, double gamma, int threads, Real* out) {
  const std::vector<double> packed = pack(right);
  parallel_rows(0, (left.rows + tall - 1) / tall, threads, [&](std::int64_t block, int) {
    const std::int64_t top = block * tall, bottom = std::min(left.rows, top + tall);
    const double* rows[tall];
    for (int r = 0; r < tall; ++r) rows[r] = left[std::min(top + r, bottom - 1)];
    for (std::int64_t begin = 0; begin < (lower ? bottom : right.rows); begin += lanes) {
      double value[tall][lanes];
      squared_distances(rows, packed.data() + begin * right.width, right.width, value);
      for (auto& row : value)
        for (double& v : row) v *= -gamma;
      exponentials(value[0], tall * lanes);
      for (std::int64_t i = top; i < bottom; ++i)
        for (std::int64_t j = begin; j < std::min(begin + lanes, lower ? i + 1 : right.rows); ++j)
          out[i * right.rows + j] = static_cast<Real>(value[i - top][j - begin]);
    }
  });
}

}  // namespace

template <class Real>
void rbf_gram(const DenseRows& rows, double gamma, int threads, Real* out) {
  fill(rows, rows, true, gamma, threads, out);
  mirror_lower(out, rows.rows, threads);
}

template <class Real>
void rbf_gram_between(const DenseRows& left, const DenseRows& right, double gamma, int threads, Real* out) {
  fill(left, right, false, gamma, threads, out);
}

template void rbf_gram(const DenseRows&, double, int, float*);
template void rbf_gram(const DenseRows&, double, int, double*);
template void rbf_gram_between(const DenseRows&, const DenseRows&, double, int, float*);
template void rbf_gram_between(const DenseRows&, const DenseRows&, double, int, double*);

}  // namespace hedgerow::kernels
