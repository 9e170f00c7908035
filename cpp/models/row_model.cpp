#include "models/row_model.hpp"

namespace hedgerow {

void RowModel::combine(const double* row, std::int32_t columns, double* out) const {
  const std::int32_t n = slots(), stride = this->columns();
  std::fill_n(out, columns, 0.0);
  const double* weight = weights_.data();
  for (std::int32_t s = 0; s < n; ++s, weight += stride)
    for (std::int32_t c = 0; c < columns; ++c) out[c] += weight[c] * row[s];
}

void RowModel::score_batch(const Items& batch, std::int32_t columns, int threads, double* out) const {
  // Rows of a few items at a time, so that memory stays bounded whatever the size of the batch.
  const std::int64_t n = batch.size(), width = std::max<std::int64_t>(slots(), 1);
  const std::int64_t step = std::max<std::int64_t>(1, (std::int64_t{1} << 22) / width);
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
  state.set(prefix + "weights", weights_);
  save_items(state, prefix);
}

void RowModel::load(const State& state, const std::string& prefix) {
  load_items(state, prefix);
  weights_ = state.get<double>(prefix + "weights", static_cast<std::size_t>(slots()) * columns());
}

}  // namespace hedgerow
