#include "structured/face_step.hpp"

#include <algorithm>
#include <cmath>

#include "models/cholesky.hpp"

namespace hedgerow::structured {

namespace {

// Of the largest product: what is added to the diagonal, so that dependent rows have a factor too.
constexpr double ridge = 1e-11;

}  // namespace

std::vector<double> face_step(const Face& face, bool& ended) {
  const std::size_t n = face.multipliers.size();
  // In a block without room, others grow at the cost of its largest multiplier.
  std::vector<std::size_t> reference(n);
  for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
    while (end < n && face.blocks[end] == face.blocks[begin]) ++end;
    const auto largest = std::max_element(face.multipliers.begin() + begin, face.multipliers.begin() + end) -
                         face.multipliers.begin();
    for (std::size_t k = begin; k < end; ++k)
      reference[k] = face.rooms[face.blocks[k]] > 0 ? n : static_cast<std::size_t>(largest);
  }
  std::vector<std::size_t> moving;
  for (std::size_t k = 0; k < n; ++k)
    if (reference[k] != k) moving.push_back(k);

  const std::size_t size = moving.size();
  const auto product = [&](std::size_t k, std::size_t l) { return face.products[k * n + l]; };
  std::vector<double> matrix(size * size), step(size);
  double largest = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t k = moving[i], r = reference[k];
    step[i] = face.slopes[k] - (r < n ? face.slopes[r] : 0);
    for (std::size_t j = 0; j <= i; ++j) {
      const std::size_t l = moving[j], s = reference[l];
      double value = product(k, l);
      if (r < n) value -= product(r, l);
      if (s < n) value -= product(k, s);
      if (r < n && s < n) value += product(r, s);
      matrix[i * size + j] = value;
    }
    largest = std::max(largest, matrix[i * size + i]);
  }
  ended = true;
  if (!(largest > 0)) return {};
  models::Cholesky factor;
  for (std::size_t i = 0; i < size; ++i) {
    const std::span<double> row = std::span(matrix).subspan(i * size, i);
    factor.forward(row);
    double left = matrix[i * size + i] + ridge * largest;
    for (const double value : row) left -= value * value;
    factor.append(row, std::sqrt(std::max(left, ridge * ridge * largest)));
  }
  factor.forward(step);
  factor.backward(step);

  std::vector<double> changes(n), of_blocks(face.rooms.size());
  for (std::size_t i = 0; i < size; ++i) {
    if (!std::isfinite(step[i])) return {};
    const std::size_t k = moving[i];
    changes[k] += step[i];
    if (reference[k] < n)
      changes[reference[k]] -= step[i];
    else
      of_blocks[face.blocks[k]] += step[i];
  }
  double share = 1;
  for (std::size_t k = 0; k < n; ++k)
    if (changes[k] < 0) share = std::min(share, -face.multipliers[k] / changes[k]);
  for (std::size_t b = 0; b < of_blocks.size(); ++b)
    if (of_blocks[b] > 0) share = std::min(share, face.rooms[b] / of_blocks[b]);
  ended = share >= 1;
  for (std::size_t k = 0; k < n; ++k) {
    changes[k] *= share;
    // Exactly 0 at the border.
    if (face.multipliers[k] + changes[k] <= 1e-15 * face.multipliers[k]) changes[k] = -face.multipliers[k];
  }
  return changes;
}

}  // namespace hedgerow::structured
