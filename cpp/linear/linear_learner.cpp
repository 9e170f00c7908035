#include "linear/linear_learner.hpp"

#include <algorithm>
#include <cmath>

#include "models/row_checks.hpp"
#include "online/limits.hpp"
#include "parallel.hpp"

namespace hedgerow::linear {
namespace {

constexpr std::int64_t interrupt_every = 64;  // to look at the clock takes as long as some features

std::int64_t key(std::size_t function, std::int64_t feature) {
  return (static_cast<std::int64_t>(function) << 32) + feature;
}

std::string part(std::size_t function) { return "function" + std::to_string(function) + "."; }

}  // namespace

LinearLearner::LinearLearner(const LinearRule& rule, online::Codes codes, std::int64_t trace_every)
    : online::Learner(std::move(codes), trace_every, interrupt_every) {
  for (std::int32_t j = 0; j < online::Learner::codes().functions(); ++j) functions_.push_back(rule.fresh());
}

void LinearLearner::open(std::shared_ptr<const models::Items> batch) {
  vectors_ = models::VectorBatch(*batch);
  // Then the squared lengths of vectors are ordinary; else each is looked at.
  ordinary_values_ = models::all_between(vectors_.values(), 1e-10, 1e10);
  batch_ = std::move(batch);
  width_ = std::max(width_, vectors_.width());
  for (auto& function : functions_) function->grow(width_);
}

void LinearLearner::close() {
  batch_.reset();
  vectors_ = models::VectorBatch();
}

void LinearLearner::visit(std::int64_t item, std::int64_t, double* scores) {
  show(vectors_.entries(item, scratch_), scores);
}

void LinearLearner::show(const models::Entries& x, double* scores) {
  example_ = x;
  ordinary_length_ = true;
  if (!ordinary_values_) {
    double squared_length = 0;
    for (const double value : x.value) squared_length += value * value;
    online::check_self_kernel(squared_length, "|x|^2");
    ordinary_length_ = online::ordinary_self_kernel(squared_length);
  }
  for (std::size_t j = 0; j < functions_.size(); ++j) {
    scores[j] = functions_[j]->score(example_);
    if (!std::isfinite(scores[j]))
      throw std::overflow_error("its score is beyond the range of numbers; scale the features down");
  }
  scores_ = scores;
}

void LinearLearner::predictions(double* out) {
  for (std::size_t j = 0; j < functions_.size(); ++j)
    out[j] = functions_[j]->last_predicts() ? scores_[j] : functions_[j]->predict(example_);
}

void LinearLearner::learn(std::int32_t function, double y, double weight) {
  if (!(ordinary_length_ && is_ordinary()) && !is_kept()) keep();
  functions_[function]->learn(example_, scores_[function], y, weight);
}

std::int64_t LinearLearner::model_size() const {
  std::int64_t count = 0;
  for (const auto& function : functions_) count += function->nonzero_count();
  return count;
}

void LinearLearner::function_values(const models::Items& batch, int threads, bool, double* out) const {
  const models::VectorBatch vectors(batch);
  constexpr std::int64_t block = 64;  // a single score is too short for a thread to fetch
  const std::int64_t n = batch.size();
  std::vector<models::EntryScratch> memory(std::max(threads, 1));
  parallel_rows(0, (n + block - 1) / block, threads, [&](std::int64_t b, int thread) {
    for (std::int64_t i = b * block; i < std::min(n, (b + 1) * block); ++i) {
      const models::Entries x = vectors.entries(i, memory[thread]);
      for (std::size_t j = 0; j < functions_.size(); ++j)
        out[i * functions_.size() + j] = functions_[j]->predict(x);
    }
  });
}

void LinearLearner::save_model(models::State& state) const {
  state.set("width", std::vector<std::int64_t>{width_});
  for (std::size_t j = 0; j < functions_.size(); ++j) functions_[j]->save(state, part(j));
}

void LinearLearner::forget_model() {
  for (auto& function : functions_) function = function->fresh();
}

void LinearLearner::load_model(const models::State& state) {
  const std::int64_t width = state.get<std::int64_t>("width", 1)[0];
  if (width < 0 || width > std::int64_t{1} << 31) throw std::invalid_argument("width is out of range");
  width_ = width;
  for (std::size_t j = 0; j < functions_.size(); ++j) {
    functions_[j]->load(state, part(j), width_);
    functions_[j]->grow(width_);
  }
}

std::vector<LinearLearner::Number> LinearLearner::numbers() {
  std::vector<Number> found;
  for (const auto& function : functions_) {
    std::size_t i = 0;
    function->numbers([&](const Field& field, double& number) {
      if (i == found.size()) found.push_back({field, {}});
      found[i++].by_function.push_back(number);
    });
  }
  return found;
}

CellChange LinearLearner::change_since(const LinearLearner& start) const {
  if (start.functions() != functions()) throw std::invalid_argument("the learners have different functions");
  CellChange all;
  all.coordinates.resize(functions_[0]->coordinates_of_cells().size());
  for (std::size_t j = 0; j < functions_.size(); ++j) {
    CellChange some = functions_[j]->change_since(*start.functions_[j]);
    for (const std::int64_t feature : some.features) all.features.push_back(key(j, feature));
    for (std::size_t i = 0; i < all.coordinates.size(); ++i)
      all.coordinates[i].insert(all.coordinates[i].end(), some.coordinates[i].begin(),
                                some.coordinates[i].end());
  }
  return all;
}

void LinearLearner::mix(const CellChange& change, const std::vector<std::vector<double>>& by_function,
                        std::int64_t width) {
  auto begin = change.features.begin();
  for (std::size_t j = 0; j < functions_.size(); ++j) {
    const auto end = std::lower_bound(begin, change.features.end(), key(j + 1, 0));
    CellChange some;
    for (auto place = begin; place != end; ++place) some.features.push_back(*place - key(j, 0));
    for (const std::int64_t feature : some.features)
      if (feature < 0 || (feature >= width && feature != bias_feature))
        throw std::invalid_argument("a feature of a change is out of range");
    for (const auto& column : change.coordinates)
      some.coordinates.emplace_back(column.begin() + (begin - change.features.begin()),
                                    column.begin() + (end - change.features.begin()));
    functions_[j] = functions_[j]->mixed(some, by_function[j], width);
    begin = end;
  }
  width_ = width;
}

void LinearLearner::begin_average() {
  for (const auto& function : functions_) function->begin_average();
}

}  // namespace hedgerow::linear
