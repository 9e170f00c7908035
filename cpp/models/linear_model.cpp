#include "models/linear_model.hpp"

#include <algorithm>
#include <cmath>

#include "models/fields.hpp"
#include "models/overflow.hpp"
#include "parallel.hpp"

namespace hedgerow::models {

void LinearModel::Twofold::add_product(double a, double b) {
  const double product = a * b, product_rest = std::fma(a, b, -product);
  const double sum = high + product, shift = sum - high;
  const double sum_rest = (high - (sum - shift)) + (product - shift);
  low += sum_rest + product_rest;
  high = sum + low;
  low -= high - sum;
}

void LinearModel::add_support(std::int32_t slot, std::int32_t column, double weight) {
  if (weight == 0) return;
  const Vector vector = describe(supports()[slot]);
  for (std::size_t e = 0; e < vector.entries.value.size(); ++e) {
    const std::size_t number = supports().numbers().find(vector.entries.feature[e]);
    primal_[number * columns() + column].add_product(weight, vector.part(vector.entries.value[e]));
  }
}

void LinearModel::add_weight(std::int32_t slot, std::int32_t column, double delta) {
  primal_.resize(static_cast<std::size_t>(supports().numbers().size()) * columns());
  // The sums always hold the products with the rounded weights, which `erase` takes away again.
  add_support(slot, column, -weight(slot, column));
  VectorModel::add_weight(slot, column, delta);
  add_support(slot, column, weight(slot, column));
}

void LinearModel::scale_weights(std::int32_t column, double factor) {
  for (std::int32_t slot = 0; slot < slots(); ++slot) add_support(slot, column, -weight(slot, column));
  VectorModel::scale_weights(column, factor);
  for (std::int32_t slot = 0; slot < slots(); ++slot) add_support(slot, column, weight(slot, column));
}

void LinearModel::drop_weight(std::int32_t slot, std::int32_t column) {
  add_support(slot, column, -weight(slot, column));
  VectorModel::drop_weight(slot, column);
}

void LinearModel::erase(std::int32_t slot) {
  for (std::int32_t c = 0; c < columns(); ++c) drop_weight(slot, c);
  VectorModel::erase(slot);
}

void LinearModel::score(const Vector& vector, std::int32_t columns, double* out) const {
  std::fill_n(out, columns, 0.0);
  const std::size_t stride = this->columns(), known = stride ? primal_.size() / stride : 0;
  for (std::size_t e = 0; known && e < vector.entries.value.size(); ++e) {
    const std::int32_t number = supports().numbers().find(vector.entries.feature[e]);
    if (number < 0 || static_cast<std::size_t>(number) >= known) continue;
    const double value = vector.part(vector.entries.value[e]);
    const Twofold* weights = primal_.data() + number * stride;
    for (std::int32_t c = 0; c < columns; ++c) out[c] += value * weights[c].high;
  }
  check_scores(out, columns);
}

void LinearModel::score_batch(const Items& batch, std::int32_t columns, int threads, double* out) const {
  const VectorBatch vectors(batch);
  supports().check_width(vectors.width(), vectors.dense());
  constexpr std::int64_t block = 64;  // a single score is too short for a thread to fetch
  const std::int64_t n = batch.size();
  std::vector<EntryScratch> memory(std::max(threads, 1));
  parallel_rows(0, (n + block - 1) / block, threads, [&](std::int64_t b, int thread) {
    for (std::int64_t i = b * block; i < std::min(n, (b + 1) * block); ++i)
      score(describe(vectors.entries(i, memory[thread])), columns, out + i * columns);
  });
}

void LinearModel::save(State& state, const std::string& prefix) const {
  VectorModel::save(state, prefix);
  // Features with weights only, in their own order: numbers depend on when a feature first came.
  const auto& features = supports().numbers().features();
  std::vector<std::int32_t> numbers;
  for (std::size_t i = 0; i < primal_.size(); ++i)
    if (const auto number = static_cast<std::int32_t>(i / columns());
        (primal_[i].high != 0 || primal_[i].low != 0) && (numbers.empty() || numbers.back() != number))
      numbers.push_back(number);
  std::sort(numbers.begin(), numbers.end(), [&](auto a, auto b) { return features[a] < features[b]; });
  std::vector<std::int32_t> names;
  std::vector<double> high, low;
  for (std::int32_t number : numbers) {
    names.push_back(features[number]);
    for (std::int32_t c = 0; c < columns(); ++c) {
      const Twofold& sum = primal_[static_cast<std::size_t>(number) * columns() + c];
      high.push_back(sum.high);
      low.push_back(sum.low);
    }
  }
  state.set(prefix + "primal.features", std::move(names));
  state.set(prefix + "primal.high", std::move(high));
  state.set(prefix + "primal.low", std::move(low));
}

void LinearModel::load(const State& state, const std::string& prefix) {
  VectorModel::load(state, prefix);
  const auto& features = state.get<std::int32_t>(prefix + "primal.features");
  const auto& high = numbers_in(finite, state, prefix + "primal.high", features.size() * columns());
  const auto& low = numbers_in(finite, state, prefix + "primal.low", features.size() * columns());
  std::vector<std::int32_t> number;
  for (std::int32_t feature : features) {
    if (!supports().has_feature(feature))
      throw std::invalid_argument(prefix + "primal.features must stay below the width");
    number.push_back(supports().add_feature(feature));
  }
  primal_.assign(static_cast<std::size_t>(supports().numbers().size()) * columns(), {});
  for (std::size_t i = 0; i < high.size(); ++i)
    primal_[static_cast<std::size_t>(number[i / columns()]) * columns() + i % columns()] = {high[i], low[i]};
}

}  // namespace hedgerow::models
