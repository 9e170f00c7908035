#include "structured/perceptron.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "memory_reserve.hpp"
#include "models/fields.hpp"
#include "parallel.hpp"

namespace hedgerow::structured {

double StepRule::step(double shortfall, double squared_norm, double weight) const {
  if (kind == Kind::perceptron) return weight;
  if (!(squared_norm > 0)) return 0;
  switch (kind) {
    case Kind::pa_1:
      return std::min(weight * C, shortfall / squared_norm);
    case Kind::pa_2:
      return shortfall / (squared_norm + 1 / (2 * weight * C));
    default:
      return shortfall / squared_norm;
  }
}

void StructuredPerceptron::move_to(std::shared_ptr<const Space> space, std::int64_t size) {
  if (space->plain() && weights_.space().plain()) {
    weights_.grow(size);
    return;
  }
  Weights moved(std::move(space), std::max(size, weights_.size()));
  moved.assign(weights_.coordinates());
  weights_ = std::move(moved);
}

void StructuredPerceptron::resume(std::span<const double> coordinates, std::span<const double> late,
                                  std::int64_t seen) {
  if (late.size() > coordinates.size() || seen < 0 || seen > models::most_counted)
    throw std::invalid_argument("this is not the state of a structured perceptron");
  weights_.assign(coordinates);
  late_.assign(late.begin(), late.end());
  seen_ = seen;
}

void StructuredPerceptron::learn(const Oracle& oracle, std::span<const std::int64_t> order,
                                 std::int64_t offset) {
  models::require_room(seen_, order.size());
  Candidate found;
  MemoryReserve reserve;
  for (const std::int64_t example : order) {
    stop_if_asked();
    oracle.find(example, weights_.scores(), Question{Question::Search::best}, found);
    if (!found.correct) {
      reserve.hold(growth(found));
      const SparseVector difference{found.indices, found.values};
      double step = found.weight;
      if (rule_.kind != StepRule::Kind::perceptron) {
        if (!found.indices.empty()) weights_.grow(found.indices.back() + 1);
        step = rule_.step(std::sqrt(found.loss) - product(difference, weights_.scores()),
                          squared_norm(difference), found.weight);
      }
      if (step != 0) {
        check_update(example, difference, step);
        update(found, step);
        if (dual_) counts_.add(offset + example, difference, step);
      }
      ++mistakes;
      loss += found.loss;
    }
    ++seen_;
    if (!found.correct) reserve.check();
  }
}

std::size_t StructuredPerceptron::growth(const Candidate& found) const {
  const std::size_t weights = weights_.coordinates().size();
  const std::size_t wanted = found.indices.empty() ? 0 : static_cast<std::size_t>(found.indices.back()) + 1;
  const bool fits = wanted <= weights && late_.size() == weights && weights_.space().plain();
  return (fits ? 0 : 48 * std::max(weights, wanted)) + 3 * counts_.bytes() + 64 * found.indices.size();
}

// Numbers so large would soon be followed by some that are no numbers, and the learner would be lost.
void StructuredPerceptron::check_update(std::int64_t example, SparseVector difference, double step) {
  const std::span<const double> weights = weights_.coordinates();
  for (std::size_t k = 0; k < difference.indices.size(); ++k) {
    const auto index = static_cast<std::size_t>(difference.indices[k]);
    const double weight = (index < weights.size() ? weights[index] : 0) + step * difference.values[k];
    if (std::abs(difference.values[k]) <= 1e70 && std::abs(weight) <= 1e150) continue;
    throw std::overflow_error("example " + std::to_string(example) +
                              " cannot be learned from: features must be at most 1e70 and weights at most "
                              "1e150; scale the features down");
  }
}

void StructuredPerceptron::update(const Candidate& found, double step) {
  weights_.add({found.indices, found.values}, step);
  ++updates;
  // Predictors that were there before count without this update.
  const double times = step * static_cast<double>(seen_);
  if (late_.size() < weights_.coordinates().size()) late_.resize(weights_.coordinates().size());
  for (std::size_t k = 0; k < found.indices.size(); ++k) late_[found.indices[k]] += times * found.values[k];
}

double StructuredPerceptron::squared_norm(SparseVector x) {
  if (weights_.space().plain()) {
    double sum = 0;
    for (const double value : x.values) sum += value * value;
    return sum;
  }
  image_.assign(weights_.coordinates().size(), 0.0);
  weights_.space().add_image(x, 1.0, image_);
  return product(x, image_);
}

std::vector<double> StructuredPerceptron::average() const {
  std::vector<double> mean(weights_.coordinates().begin(), weights_.coordinates().end());
  if (seen_ > 0)
    for (std::size_t k = 0; k < late_.size(); ++k) mean[k] -= late_[k] / static_cast<double>(seen_);
  return mean;
}

}  // namespace hedgerow::structured
