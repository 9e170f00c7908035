#include "models/row_model.hpp"

#include <algorithm>

#include "models/fields.hpp"
#include "models/overflow.hpp"
#include "parallel.hpp"

namespace hedgerow::models {

void RowModel::scores(std::int64_t item, std::int32_t columns, double* out) {
  values_.resize(slots());
  row(item, values_.data());
  combine(values_.data(), columns, out);
}

void RowModel::support_scores(std::int32_t slot, std::int32_t columns, double* out) {
  values_.resize(slots());
  support_row(slot, values_.data());
  combine(values_.data(), columns, out);
}

void RowModel::put(std::int32_t slot, std::int64_t item) { put_item(slot, item); }

void RowModel::erase(std::int32_t slot) {
  for (auto& column : weights_) column.drop(slot);
  erase_item(slot);
}

void RowModel::combine(const double* row, std::int32_t columns, double* out) const {
  for (std::int32_t c = 0; c < columns; ++c) out[c] = weights_[c].dot(row);
  check_scores(out, columns);
}

void RowModel::score_batch(const Items& batch, std::int32_t columns, int threads, double* out) const {
  // Rows of a few items at a time, which stay in the cache whatever the size of the batch.
  constexpr std::int64_t values = std::int64_t{1} << 17;
  const std::int64_t n = batch.size(), width = std::max<std::int64_t>(slots(), 1);
  const std::int64_t step = std::max<std::int64_t>(16, values / width) * std::max(threads, 1);
  std::vector<double> rows(std::min(n, step) * width);
  for (std::int64_t begin = 0; begin < n; begin += step) {
    const std::int64_t end = std::min(n, begin + step);
    some_rows(batch, begin, end, threads, rows.data());
    parallel_rows(begin, end, threads, [&](std::int64_t i, int) {
      combine(rows.data() + (i - begin) * slots(), columns, out + i * columns);
    });
  }
}

void RowModel::save(State& state, const std::string& prefix) const {
  std::vector<double> weights;  // column by column
  for (std::int32_t c = 0; c < columns(); ++c) {
    for (std::int32_t slot = 0; slot < slots(); ++slot) weights.push_back(weight(slot, c));
    weights_[c].save(state, prefix + "column" + std::to_string(c) + ".");
  }
  state.set(prefix + "weights", std::move(weights));
  save_items(state, prefix);
}

void RowModel::load(const State& state, const std::string& prefix) {
  load_items(state, prefix);
  const std::size_t n = slots();
  const auto& weights = numbers_in(finite, state, prefix + "weights", n * columns());
  for (std::int32_t c = 0; c < columns(); ++c) {
    const auto own = weights.begin() + static_cast<std::ptrdiff_t>(c * n);
    weights_[c].load(state, prefix + "column" + std::to_string(c) + ".",
                     {own, own + static_cast<std::ptrdiff_t>(n)});
  }
}

}  // namespace hedgerow::models
