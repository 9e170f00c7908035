#include "linear/linear_learner.hpp"

#include <algorithm>
#include <cmath>

#include "linear/extremal_features.hpp"
#include "models/row_checks.hpp"
#include "online/limits.hpp"
#include "parallel.hpp"

namespace hedgerow::linear {
namespace {

// Counts grow as powers of two up to that; sums of them keep their digits.
constexpr double largest_count = 1e50;
constexpr std::int64_t interrupt_every = 64;  // to look at the clock takes as long as some features

std::int64_t key(std::size_t function, std::int64_t feature) {
  return (static_cast<std::int64_t>(function) << 32) + feature;
}

std::string part(std::size_t function) { return "function" + std::to_string(function) + "."; }

}  // namespace

LinearLearner::LinearLearner(const LinearRule& rule, online::Codes codes, std::int64_t trace_every,
                             online::Counting counting, double half_life)
    : online::Learner(std::move(codes), trace_every, interrupt_every, counting),
      votes_(rule.averaging() == Averaging::vote),
      growth_(std::exp2(1 / half_life)) {
  for (std::int32_t j = 0; j < online::Learner::codes().functions(); ++j) {
    functions_.push_back(rule.fresh());
    functions_.back()->stand_beside(*functions_[0]);
  }
  newest_.assign(functions_.size(), 1);
}

std::vector<std::unique_ptr<LinearRule>> LinearLearner::fresh_functions() const {
  std::vector<std::unique_ptr<LinearRule>> fresh;
  for (const auto& function : functions_) {
    fresh.push_back(function->fresh());
    fresh.back()->stand_beside(*fresh[0]);
  }
  return fresh;
}

void LinearLearner::open(std::shared_ptr<const models::Items> batch) {
  vectors_ = models::VectorBatch(*batch);
  small_values_ = models::all_at_most(vectors_.values(), 1e10);
  const std::int64_t width = std::max(width_, vectors_.width());
  for (auto& function : functions_) function->grow(width);  // those that have grown are as good as before
  batch_ = std::move(batch);
  width_ = width;
}

void LinearLearner::close() {
  batch_.reset();
  vectors_ = models::VectorBatch();
}

bool LinearLearner::visit(std::int64_t item, std::int64_t, double* scores) {
  return show(vectors_.entries(item, scratch_), scores);
}

bool LinearLearner::show(const models::Entries& x, double* scores) {
  example_ = x;
  scores_ = scores;
  bool ordinary = has_ordinary_length(x);
  functions_[0]->scores(functions_, example_, scores);
  for (std::size_t j = 0; j < functions_.size(); ++j) {
    if (online::ordinary_score(scores[j])) continue;
    if (!std::isfinite(scores[j]))
      throw std::overflow_error("its score is beyond the range of numbers; scale the features down");
    ordinary = false;
  }
  return ordinary;
}

bool LinearLearner::has_ordinary_length(const models::Entries& x) const {
  // Of most vectors the first value tells that they are not too short.
  if (small_values_ && (x.value.empty() || std::abs(x.value[0]) >= 1e-10)) return true;
  double squared_length = 0;
  for (const double value : x.value) squared_length += value * value;
  online::check_self_kernel(squared_length, "|x|^2");
  return online::ordinary_self_kernel(squared_length);
}

void LinearLearner::predictions(double* out) {
  for (std::size_t j = 0; j < functions_.size(); ++j) {
    const LinearRule& rule = *functions_[j];
    // A vote takes time for every predictor so far: all votes on the way would take quadratic time.
    const bool last =
        rule.averaging() == Averaging::none || (rule.averaging() == Averaging::vote && !foresees_votes());
    out[j] = last ? rule.predict_last(example_, scores_[j]) : rule.predict(example_);
  }
}

bool LinearLearner::learn(std::int32_t function, double y, double weight) {
  if (!is_ordinary() && !is_kept()) keep();
  begin_change();
  const bool is_new = functions_[function]->learn(example_, scores_[function], y, weight);
  survive(function, is_new);
  return is_new;
}

bool LinearLearner::learn_jointly(std::int32_t right, std::int32_t wrong, double weight) {
  if (!is_ordinary() && !is_kept()) keep();
  begin_change();
  const bool is_new = functions_[right]->learn_against(*functions_[wrong], *functions_[0], example_,
                                                       scores_[right], scores_[wrong], weight);
  for (std::int32_t j = 0; j < functions(); ++j) survive(j, is_new);
  return is_new;
}

void LinearLearner::survive(std::int32_t function, bool is_new) {
  LinearRule& rule = *functions_[function];
  double& count = newest_[function];
  if (counts(is_new)) rule.survive(count);
  count *= growth_;
  if (count > largest_count) {
    rule.scale_counts(1 / count);
    count = 1;
  }
}

std::size_t LinearLearner::growth() const {
  if (!votes_) return 0;
  std::size_t bytes = 0;
  for (const auto& function : functions_) bytes += function->growth();
  return bytes;
}

void LinearLearner::rearrange_model(std::span<const std::int32_t> from) {
  std::vector<std::unique_ptr<LinearRule>> functions(from.size());
  std::vector<double> newest(from.size(), 1);
  for (std::size_t j = 0; j < from.size(); ++j)
    if (from[j] >= 0) newest[j] = newest_[from[j]];
  newest_ = std::move(newest);
  for (std::size_t j = 0; j < from.size(); ++j)
    if (from[j] < 0) {
      functions[j] = functions_[0]->fresh();
      functions[j]->stand_beside(*functions_[0]);
    }
  for (std::size_t j = 0; j < from.size(); ++j)
    if (from[j] >= 0) functions[j] = std::move(functions_[from[j]]);
  functions_ = std::move(functions);
}

double LinearLearner::l1_norm() const {
  double sum = 0;
  std::vector<std::int32_t> features;
  std::vector<double> weights;
  for (const auto& function : functions_) function->nonzeros(features, weights);
  for (const double weight : weights) sum += std::abs(weight);
  return sum;
}

std::int64_t LinearLearner::model_size() const {
  std::int64_t count = 0;
  for (const auto& function : functions_) count += function->nonzero_count();
  return count;
}

std::int64_t LinearLearner::block_size(std::int64_t n, int threads) const {
  // A single score is too short for a thread to fetch.
  if (functions_[0]->averaging() != Averaging::vote) return 64;
  // What votes prepare serves all rows of a block; it grows with their features.
  const std::int64_t most = width_ <= 4096 ? 2048 : 512;
  return std::clamp<std::int64_t>(n / std::max(threads, 1) + 1, 64, most);
}

void LinearLearner::function_values(const models::Items& batch, int threads, bool, double* out) const {
  const models::VectorBatch vectors(batch);
  const std::int64_t n = batch.size();
  const std::int64_t block = block_size(n, threads);
  std::vector<std::vector<models::EntryScratch>> memory(std::max(threads, 1));
  parallel_rows(0, (n + block - 1) / block, threads, [&](std::int64_t b, int thread) {
    const std::int64_t begin = b * block, end = std::min(n, begin + block);
    memory[thread].resize(block);
    std::vector<models::Entries> rows;
    for (std::int64_t i = begin; i < end; ++i) rows.push_back(vectors.entries(i, memory[thread][i - begin]));
    functions_[0]->predict_rows_of(functions_, rows, out + begin * functions_.size());
  });
}

void LinearLearner::save_model(models::State& state) const {
  state.set("width", std::vector<std::int64_t>{width_});
  if (growth_ > 1) state.set("newest", newest_);
  for (std::size_t j = 0; j < functions_.size(); ++j) functions_[j]->save(state, part(j));
}

void LinearLearner::forget_model() {
  newest_.assign(functions_.size(), 1);
  functions_ = fresh_functions();
  for (auto& function : functions_) function->grow(width_);
}

void LinearLearner::load_model(const models::State& state) {
  const std::int64_t width = state.get<std::int64_t>("width", 1)[0];
  if (width < 0 || width > std::int64_t{1} << 31) throw std::invalid_argument("width is out of range");
  width_ = width;
  if (growth_ > 1)
    newest_ = models::numbers_in({1, largest_count, "from 1 to 1e50"}, state, "newest", functions_.size());
  for (std::size_t j = 0; j < functions_.size(); ++j) {
    functions_[j]->grow(width_);
    functions_[j]->load(state, part(j), width_);
  }
}

void LinearLearner::prune(std::int64_t k, double top) {
  for (const auto& function : functions_) {
    std::vector<std::int32_t> features, kept;
    std::vector<double> weights;
    function->in_model(features, weights);
    for (double& weight : weights) weight = std::abs(weight);
    for (const std::int32_t place : extremal_features(features, weights, k, top))
      kept.push_back(features[place]);
    function->keep_only(kept);
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
  std::vector<std::unique_ptr<LinearRule>> mixed = fresh_functions();
  for (const auto& function : mixed) function->grow(width);
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
    mixed[j]->mix(*functions_[j], some, by_function[j]);
    begin = end;
  }
  functions_ = std::move(mixed);
  width_ = width;
}

void LinearLearner::begin_average() {
  for (const auto& function : functions_) function->begin_average();
}

}  // namespace hedgerow::linear
