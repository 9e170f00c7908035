#include "structured/perceptron.hpp"

#include <algorithm>
#include <cmath>

#include "parallel.hpp"

namespace hedgerow::structured {

double StepRule::step(double shortfall, double squared_norm) const {
  if (kind == Kind::perceptron) return 1;
  if (!(squared_norm > 0)) return 0;
  switch (kind) {
    case Kind::pa_1:
      return std::min(C, shortfall / squared_norm);
    case Kind::pa_2:
      return shortfall / (squared_norm + 1 / (2 * C));
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
  if (late.size() > coordinates.size() || seen < 0)
    throw std::invalid_argument("this is not the state of a structured perceptron");
  weights_.assign(coordinates);
  late_.assign(late.begin(), late.end());
  seen_ = seen;
}

void StructuredPerceptron::learn(const Oracle& oracle, std::span<const std::int64_t> order,
                                 std::int64_t offset) {
  Candidate found;
  for (const std::int64_t example : order) {
    stop_if_asked();
    oracle.find(example, weights_.scores(), Question{Question::Search::best}, found);
    if (!found.correct) {
      ++mistakes;
      loss += found.loss;
      const SparseVector difference{found.indices, found.values};
      double step = 1;
      if (rule_.kind != StepRule::Kind::perceptron) {
        if (!found.indices.empty()) weights_.grow(found.indices.back() + 1);
        step = rule_.step(std::sqrt(found.loss) - product(difference, weights_.scores()),
                          squared_norm(difference));
      }
      if (step != 0) {
        update(found, step);
        if (dual_) counts_.add(offset + example, difference, step);
      }
    }
    ++seen_;
  }
}

void StructuredPerceptron::update(const Candidate& found, double step) {
  ++updates;
  weights_.add({found.indices, found.values}, step);
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
