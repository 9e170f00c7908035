#include "structured/margins.hpp"

#include <algorithm>

namespace hedgerow::structured {

double GramMargins::look(const Constraint& newcomer) {
  newest_.clear();
  if (!behind_) return structured::product(newcomer.row(), weights_.scores());
  measure(newcomer);
  double margin = 0;
  for (std::size_t k = 0; k < margins_.size(); ++k) margin += multipliers_[k] * newest_[k];
  return margin;
}

void GramMargins::measure(const Constraint& newcomer) {
  image_.assign(weights_.size(), 0.0);
  weights_.space().add_image(newcomer.row(), 1.0, image_);
  for (std::size_t k = 0; k < margins_.size(); ++k)
    newest_.push_back(structured::product({indices_[k], values_[k]}, image_));
  newest_.push_back(structured::product(newcomer.row(), image_));
}

void GramMargins::add(Constraint& newcomer) {
  const std::size_t number = margins_.size();
  newcomer.number = static_cast<std::int32_t>(number);
  reserve(number + 1);
  if (newest_.empty()) measure(newcomer);
  double margin = 0;
  for (std::size_t k = 0; k <= number; ++k) {
    gram_[number * capacity_ + k] = gram_[k * capacity_ + number] = newest_[k];
    if (k < number) margin += multipliers_[k] * newest_[k];
  }
  margins_.push_back(margin);
  multipliers_.push_back(0.0);
  steps_.push_back(0.0);
  indices_.push_back(newcomer.indices);
  values_.push_back(newcomer.values);
}

void GramMargins::remove(std::span<const std::int32_t> numbers) {
  settle();
  std::vector<std::size_t> kept;
  for (std::size_t k = 0, gone = 0; k < margins_.size(); ++k) {
    if (gone < numbers.size() && static_cast<std::size_t>(numbers[gone]) == k)
      ++gone;
    else
      kept.push_back(k);
  }
  for (std::size_t row = 0; row < kept.size(); ++row) {
    for (std::size_t column = 0; column < kept.size(); ++column)
      gram_[row * capacity_ + column] = gram_[kept[row] * capacity_ + kept[column]];
    margins_[row] = margins_[kept[row]];
    multipliers_[row] = multipliers_[kept[row]];
    steps_[row] = steps_[kept[row]];
    if (row != kept[row]) {
      indices_[row] = std::move(indices_[kept[row]]);
      values_[row] = std::move(values_[kept[row]]);
    }
  }
  margins_.resize(kept.size());
  multipliers_.resize(kept.size());
  steps_.resize(kept.size());
  indices_.resize(kept.size());
  values_.resize(kept.size());
}

void GramMargins::move(const Constraint& constraint, double step) {
  const double* row = gram_.data() + constraint.number * capacity_;
  for (std::size_t k = 0; k < margins_.size(); ++k) margins_[k] += step * row[k];
  multipliers_[constraint.number] += step;
  steps_[constraint.number] += step;
  behind_ = true;
}

void GramMargins::settle() {
  if (!behind_) return;
  behind_ = false;
  // One image of all steps together: most have items in common.
  Candidate sum;
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    if (steps_[k] == 0) continue;
    for (std::size_t j = 0; j < indices_[k].size(); ++j) sum.add(indices_[k][j], steps_[k] * values_[k][j]);
    steps_[k] = 0;
  }
  sum.settle();
  weights_.add({sum.indices, sum.values}, 1.0);
}

void GramMargins::reserve(std::size_t size) {
  if (size <= capacity_) return;
  const std::size_t capacity = std::max<std::size_t>(64, size + size / 2);
  std::vector<double> gram(capacity * capacity);
  for (std::size_t row = 0; row < margins_.size(); ++row)
    std::copy_n(gram_.begin() + static_cast<std::ptrdiff_t>(row * capacity_), margins_.size(),
                gram.begin() + static_cast<std::ptrdiff_t>(row * capacity));
  gram_ = std::move(gram);
  capacity_ = capacity;
}

}  // namespace hedgerow::structured
