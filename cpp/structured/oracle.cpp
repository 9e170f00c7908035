#include "structured/oracle.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace hedgerow::structured {

void Candidate::settle() {
  static thread_local std::vector<std::size_t> order;
  static thread_local std::vector<std::int32_t> old_indices;
  static thread_local std::vector<double> old_values;
  order.resize(indices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Stable, so that sums do not depend on how the library sorts.
  std::ranges::stable_sort(order, {}, [this](std::size_t k) { return indices[k]; });
  old_indices.swap(indices);
  old_values.swap(values);
  indices.clear();
  values.clear();
  for (std::size_t k = 0; k < order.size();) {
    const std::int32_t index = old_indices[order[k]];
    double sum = 0;
    for (; k < order.size() && old_indices[order[k]] == index; ++k) sum += old_values[order[k]];
    if (sum != 0) add(index, sum);
  }
}

void Oracle::find_projected(std::int64_t, std::span<const double>, Question, Candidate&) const {
  throw std::logic_error("the joint features of this problem are no products");
}

WeightedOracle::WeightedOracle(std::shared_ptr<const Oracle> oracle, std::vector<double> weights)
    : oracle_(std::move(oracle)), weights_(std::move(weights)) {
  if (static_cast<std::int64_t>(weights_.size()) != oracle_->examples())
    throw std::invalid_argument("there must be a weight for each example");
  for (const double weight : weights_)
    if (!(weight >= 0 && std::isfinite(weight))) throw std::invalid_argument("weights must be 0 or more");
}

void WeightedOracle::find(std::int64_t example, std::span<const double> weights, Question question,
                          Candidate& found) const {
  const double weight = weights_[example];
  if (weight > 0)
    oracle_->find(example, weights, question, found);
  else
    found.clear();
  found.weight = weight;
}

void WeightedOracle::find_projected(std::int64_t example, std::span<const double> projected,
                                    Question question, Candidate& found) const {
  const double weight = weights_[example];
  if (weight > 0)
    oracle_->find_projected(example, projected, question, found);
  else
    found.clear();
  found.weight = weight;
}

}  // namespace hedgerow::structured
