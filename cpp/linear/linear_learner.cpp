#include "linear/linear_learner.hpp"

#include <algorithm>
#include <cmath>

#include "parallel.hpp"

namespace hedgerow::linear {
namespace {

constexpr std::int64_t interrupt_every = 64;  // to look at the clock takes as long as some features

std::string part(std::size_t function) { return "function" + std::to_string(function) + "."; }

}  // namespace

LinearLearner::LinearLearner(const LinearRule& rule, online::Codes codes, std::int64_t trace_every)
    : online::Learner(std::move(codes), trace_every, interrupt_every) {
  for (std::int32_t j = 0; j < online::Learner::codes().functions(); ++j) functions_.push_back(rule.fresh());
}

void LinearLearner::open(std::shared_ptr<const models::Items> batch) {
  vectors_ = models::VectorBatch(*batch);
  batch_ = std::move(batch);
  width_ = std::max(width_, vectors_.width());
  for (auto& function : functions_) function->grow(width_);
}

void LinearLearner::close() {
  batch_.reset();
  vectors_ = models::VectorBatch();
}

void LinearLearner::visit(std::int64_t item, std::int64_t number, double* scores) {
  show(vectors_.entries(item, scratch_), number, scores);
}

void LinearLearner::show(const models::Entries& x, std::int64_t number, double* scores) {
  example_ = x;
  for (std::size_t j = 0; j < functions_.size(); ++j) {
    scores[j] = functions_[j]->score(example_);
    if (!std::isfinite(scores[j]))
      throw std::overflow_error("the score of example " + std::to_string(number) +
                                " is beyond the range of numbers; feature values this large must be scaled");
  }
  scores_ = scores;
}

void LinearLearner::predictions(double* out) {
  for (std::size_t j = 0; j < functions_.size(); ++j)
    out[j] = functions_[j]->last_predicts() ? scores_[j] : functions_[j]->predict(example_);
}

void LinearLearner::learn(std::int32_t function, double y, double weight) {
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

void LinearLearner::load_model(const models::State& state) {
  width_ = state.get<std::int64_t>("width", 1)[0];
  for (std::size_t j = 0; j < functions_.size(); ++j) {
    functions_[j]->load(state, part(j));
    functions_[j]->grow(width_);
  }
}

}  // namespace hedgerow::linear
