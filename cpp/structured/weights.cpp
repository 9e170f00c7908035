#include "structured/weights.hpp"

#include <algorithm>
#include <stdexcept>

namespace hedgerow::structured {

double Weights::squared_norm() const {
  const std::span<const double> images = scores();
  double sum = 0;
  for (std::size_t k = 0; k < coordinates_.size(); ++k) sum += coordinates_[k] * images[k];
  return sum;
}

void Weights::add_image(SparseVector x, double factor) {
  before_ = scores_;
  try {
    space_->add_image(x, factor, scores_);
  } catch (...) {
    scores_.swap(before_);
    throw;
  }
}

void Weights::scale(double factor) {
  for (double& value : coordinates_) value *= factor;
  for (double& value : scores_) value *= factor;
}

void Weights::grow(std::int64_t size) {
  if (size <= this->size()) return;
  if (!space_->plain()) throw std::logic_error("the coordinates of a kernel space are those of its items");
  coordinates_.resize(size);
}

void Weights::shrink(std::int64_t size) noexcept {
  if (space_->plain() && size < this->size()) coordinates_.resize(size);
}

void Weights::assign(std::span<const double> coordinates) {
  grow(static_cast<std::int64_t>(coordinates.size()));
  if (space_->plain()) {
    std::ranges::copy(coordinates, coordinates_.begin());
    std::fill(coordinates_.begin() + std::ssize(coordinates), coordinates_.end(), 0.0);
    return;
  }
  std::vector<std::int32_t> indices;
  std::vector<double> values;
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    if (coordinates[k] != 0) {
      indices.push_back(static_cast<std::int32_t>(k));
      values.push_back(coordinates[k]);
    }
  std::ranges::fill(coordinates_, 0.0);
  std::ranges::fill(scores_, 0.0);
  add({indices, values}, 1.0);
}

}  // namespace hedgerow::structured
