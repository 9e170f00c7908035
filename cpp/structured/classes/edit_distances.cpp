#include "structured/classes/edit_distances.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "models/row_checks.hpp"
#include "parallel.hpp"

namespace hedgerow::structured::classes {

namespace {

// One row of the usual table at a time: distances from a prefix of `a` to all prefixes of `b`.
std::int32_t distance(std::span<const std::int32_t> a, std::span<const std::int32_t> b,
                      std::vector<std::int32_t>& row) {
  row.resize(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::int32_t diagonal = row[0];
    row[0] = static_cast<std::int32_t>(i) + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::int32_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, diagonal + (a[i] != b[j])});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

Strings::Strings(std::span<const std::int64_t> begins, std::span<const std::int32_t> symbols)
    : begins_(begins), symbols_(symbols) {
  if (!models::rows_follow(begins, symbols.size()))
    throw std::invalid_argument("the strings do not follow each other");
}

void edit_distances(const Strings& strings, int threads, double* out) {
  const std::int64_t n = strings.size();
  parallel_rows(0, n, threads, [&](std::int64_t i, int) {
    static thread_local std::vector<std::int32_t> row;
    out[i * n + i] = 0;
    for (std::int64_t j = 0; j < i; ++j)
      out[i * n + j] = out[j * n + i] = distance(strings[i], strings[j], row);
  });
}

}  // namespace hedgerow::structured::classes
