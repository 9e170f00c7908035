#include "structured/classes/class_oracle.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "structured/classes/output_scores.hpp"

namespace hedgerow::structured::classes {

namespace {

// The tensor product of a row with features of outputs: their number is known when compiling, or not.
template <class Number>
void multiply(const SparseRow& row, std::int64_t p, const std::int32_t* features, const double* values,
              Number number, Candidate& out) {
  std::int32_t* index = out.indices.data();
  double* value = out.values.data();
  for (std::size_t k = 0; k < row.index.size(); ++k) {
    const auto begin = static_cast<std::int32_t>(row.index[k] * p);
    for (std::size_t r = 0; r < number; ++r) {
      *index++ = begin + features[r];
      *value++ = row.value[k] * values[r];
    }
  }
}

}  // namespace

ClassOracle::ClassOracle(std::shared_ptr<const models::SparseItems> inputs,
                         std::shared_ptr<const models::SparseItems> lambda, OutputSets sets, bool every)
    : inputs_(std::move(inputs)),
      lambda_(std::move(lambda)),
      sets_(std::move(sets)),
      output_features_(lambda_ ? lambda_->width : sets_.outputs()),
      every_(every) {
  if (inputs_->size() != sets_.examples())
    throw std::invalid_argument("there must be as many inputs as true outputs");
  if (lambda_ && lambda_->size() != sets_.outputs())
    throw std::invalid_argument("there must be features of every output");
  if (inputs_->width > std::numeric_limits<std::int32_t>::max() / std::max<std::int64_t>(output_features_, 1))
    throw std::invalid_argument(
        std::to_string(inputs_->width) + " features of inputs with " + std::to_string(output_features_) +
        " features of outputs make more joint features than the 2147483647 that can be numbered");
}

void ClassOracle::find(std::int64_t example, std::span<const double> weights, Question question,
                       Candidate& found) const {
  static thread_local std::vector<double> projected;
  static thread_local Candidate short_one;  // in output features
  projected.resize(output_features_);
  project(example, weights, projected);
  find_projected(example, projected, question, short_one);
  found.clear();
  if (short_one.correct) return;
  found.correct = false;
  found.loss = short_one.loss;
  expand(example, short_one.indices, short_one.values, found);
}

void ClassOracle::find_projected(std::int64_t example, std::span<const double> projected, Question question,
                                 Candidate& found) const {
  static thread_local std::vector<double> scores;
  const Alternatives alternatives = sets_[example];
  std::span<const double> compared = projected;
  if (lambda_ || !alternatives.outputs.empty()) {
    const std::int64_t n = alternatives.outputs.empty() ? sets_.outputs() : std::ssize(alternatives.outputs);
    scores.resize(n);
    for (std::int64_t place = 0; place < n; ++place) {
      const std::int64_t output = alternatives.output(place);
      scores[place] = lambda_ ? dot(row_of(*lambda_, output), projected) : projected[output];
    }
    compared = scores;
  }
  found.clear();
  if (every_ && question.search == Question::Search::margin)
    return add_up(alternatives, compared, question, found);
  const std::int64_t place = choose(compared, alternatives, question);
  if (place == alternatives.truth) return;
  found.correct = false;
  found.loss = alternatives.loss(place);
  difference(alternatives.output(alternatives.truth), alternatives.output(place), found);
}

void ClassOracle::add_up(const Alternatives& alternatives, std::span<const double> scores, Question question,
                         Candidate& found) const {
  static thread_local std::vector<double> sum;  // of output features
  sum.assign(output_features_, 0.0);
  const auto add = [&](std::int64_t output, double factor) {
    if (!lambda_) {
      sum[output] += factor;
      return;
    }
    const SparseRow row = row_of(*lambda_, output);
    for (std::size_t k = 0; k < row.index.size(); ++k) sum[row.index[k]] += factor * row.value[k];
  };
  const double true_score = scores[alternatives.truth];
  double violators = 0;
  for (std::int64_t place = 0; place < std::ssize(scores); ++place) {
    const double loss = alternatives.loss(place);
    if (place == alternatives.truth || !(question.violation(loss, true_score - scores[place]) > 0)) continue;
    ++violators;
    found.loss += loss;
    add(alternatives.output(place), -1.0);
  }
  if (violators == 0) return;
  found.correct = false;
  add(alternatives.output(alternatives.truth), violators);
  for (std::int64_t r = 0; r < output_features_; ++r)
    if (sum[r] != 0) found.add(r, sum[r]);
}

void ClassOracle::difference(std::int64_t truth, std::int64_t output, Candidate& found) const {
  if (lambda_) {
    subtract(row_of(*lambda_, truth), row_of(*lambda_, output),
             [&](std::int32_t feature, double value) { found.add(feature, value); });
    return;
  }
  found.add(std::min(truth, output), truth < output ? 1.0 : -1.0);
  found.add(std::max(truth, output), truth < output ? -1.0 : 1.0);
}

double ClassOracle::squared_norm(std::int64_t example) const {
  double sum = 0;
  for (const double value : row_of(*inputs_, example).value) sum += value * value;
  return sum;
}

void ClassOracle::project(std::int64_t example, std::span<const double> weights,
                          std::span<double> projected) const {
  output_scores(row_of(*inputs_, example), weights.data(), output_features_, projected.data());
}

void ClassOracle::project(std::int64_t example, std::span<const double> weights,
                          std::span<const std::int32_t> features, std::span<double> projected) const {
  for (const std::int32_t feature : features) projected[feature] = 0;
  const SparseRow row = row_of(*inputs_, example);
  for (std::size_t k = 0; k < row.index.size(); ++k) {
    const double* from = weights.data() + row.index[k] * output_features_;
    for (const std::int32_t feature : features) projected[feature] += row.value[k] * from[feature];
  }
}

void ClassOracle::expand(std::int64_t example, std::span<const std::int32_t> features,
                         std::span<const double> values, Candidate& out) const {
  const SparseRow row = row_of(*inputs_, example);
  // Not cleared before: what the last candidate has left is overwritten.
  out.indices.resize(row.index.size() * features.size());
  out.values.resize(row.index.size() * features.size());
  if (features.size() == 2)
    multiply(row, output_features_, features.data(), values.data(), std::integral_constant<std::size_t, 2>(),
             out);
  else
    multiply(row, output_features_, features.data(), values.data(), features.size(), out);
}

}  // namespace hedgerow::structured::classes
