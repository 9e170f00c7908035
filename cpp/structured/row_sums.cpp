#include "structured/row_sums.hpp"

#include <algorithm>
#include <limits>

#include "parallel.hpp"

namespace hedgerow::structured {

namespace {

constexpr int shares_of_a_thread = 4;
constexpr std::size_t sampled = 256;  // of so many indices of a row one is looked at, and one of each row

// Where shares of the coordinates begin and the last one ends; about as many indices are in each.
std::vector<std::int32_t> share(std::span<const Term> terms, int threads) {
  constexpr std::int32_t end = std::numeric_limits<std::int32_t>::max();  // there is no such index
  if (threads == 1) return {0, end};
  std::vector<std::int32_t> sample;
  for (const Term& term : terms)
    for (std::size_t k = 0; k < term.row.indices.size(); k += sampled)
      // Anywhere among them: the first ones are alike in many rows.
      sample.push_back(
          term.row.indices[std::min(k + sample.size() * 97 % sampled, term.row.indices.size() - 1)]);
  std::ranges::sort(sample);
  const std::size_t shares = shares_of_a_thread * static_cast<std::size_t>(threads);
  std::vector<std::int32_t> borders{0};
  for (std::size_t k = 1; k < shares && !sample.empty(); ++k)
    borders.push_back(sample[k * sample.size() / shares]);
  borders.push_back(end);
  return borders;
}

}  // namespace

void add_rows(std::span<const Term> terms, std::span<double> sum, int threads) {
  const std::vector<std::int32_t> borders = share(terms, threads);
  parallel_rows(0, std::ssize(borders) - 1, threads, [&](std::int64_t k, int) {
    for (const auto& [row, factor] : terms) {
      const auto begin = std::ranges::lower_bound(row.indices, borders[k]) - row.indices.begin();
      for (auto j = static_cast<std::size_t>(begin);
           j < row.indices.size() && row.indices[j] < borders[k + 1]; ++j)
        sum[row.indices[j]] += factor * row.values[j];
    }
  });
}

void take_nonzeros(std::span<double> dense, std::vector<std::int32_t>& indices, std::vector<double>& values,
                   int threads) {
  const std::size_t shares = threads > 1 ? shares_of_a_thread * static_cast<std::size_t>(threads) : 1;
  const auto part = [&](std::size_t k) { return dense.size() * k / shares; };
  std::vector<std::size_t> begin(shares + 1);
  parallel_rows(0, static_cast<std::int64_t>(shares), threads, [&](std::int64_t k, int) {
    begin[k + 1] = static_cast<std::size_t>(
        std::count_if(&dense[0] + part(k), &dense[0] + part(k + 1), [](double value) { return value != 0; }));
  });
  for (std::size_t k = 0; k < shares; ++k) begin[k + 1] += begin[k];
  indices.resize(begin.back());
  values.resize(begin.back());
  parallel_rows(0, static_cast<std::int64_t>(shares), threads, [&](std::int64_t k, int) {
    std::size_t next = begin[k];
    for (std::size_t j = part(k); j < part(k + 1); ++j) {
      if (dense[j] == 0) continue;
      indices[next] = static_cast<std::int32_t>(j);
      values[next++] = dense[j];
      dense[j] = 0;
    }
  });
}

}  // namespace hedgerow::structured
