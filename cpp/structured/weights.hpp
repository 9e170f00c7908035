// A sum of joint features: its coordinates, and the scores that oracles see in place of weights.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "structured/space.hpp"

namespace hedgerow::structured {

class Weights {
 public:
  Weights(std::shared_ptr<const Space> space, std::int64_t size)
      : space_(std::move(space)),
        coordinates_(std::max(size, space_->size())),
        scores_(space_->plain() ? 0 : coordinates_.size()) {
    if (!space_->plain() && size > space_->size())
      throw std::invalid_argument("there are more joint features than coordinates of the kernel's items");
  }

  const Space& space() const { return *space_; }
  std::int64_t size() const { return static_cast<std::int64_t>(coordinates_.size()); }
  std::span<const double> coordinates() const { return coordinates_; }
  std::span<const double> scores() const { return space_->plain() ? coordinates_ : scores_; }
  double squared_norm() const;

  void add(SparseVector x, double factor) {
    if (!x.indices.empty() && x.indices.back() >= size()) grow(x.indices.back() + 1);
    if (!space_->plain()) add_image(x, factor);
    for (std::size_t k = 0; k < x.indices.size(); ++k) coordinates_[x.indices[k]] += factor * x.values[k];
  }
  void scale(double factor);
  // In a plain space only: further coordinates, which are 0.
  void grow(std::int64_t size);
  // The opposite, for coordinates that are 0.
  void shrink(std::int64_t size) noexcept;
  // Replaces all coordinates.
  void assign(std::span<const double> coordinates);

 private:
  // A kernel that fails halfway changes nothing.
  void add_image(SparseVector x, double factor);

  std::shared_ptr<const Space> space_;
  std::vector<double> coordinates_, scores_;  // no scores in a plain space: they are the coordinates
  std::vector<double> before_;                // scores, while they change
};

}  // namespace hedgerow::structured
