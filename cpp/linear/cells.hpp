// Cells: what a linear learner keeps for every feature, in an array that grows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include "models/fields.hpp"

namespace hedgerow::linear {

struct NoMemory : std::bad_alloc {
  const char* what() const noexcept override {
    return "there is no memory for the weights of so many features";
  }
};

// A cell is a struct of doubles with fields. All zeros: a feature that was never touched. The memory of such
// features is not touched either, so a learner costs what it has seen, not what it might see.
template <class Cell>
class Cells {
  static_assert(std::is_trivially_copyable_v<Cell> && sizeof(Cell) % sizeof(double) == 0);

 public:
  std::int64_t size() const { return size_; }
  Cell* data() { return cells_.get(); }
  const Cell* data() const { return cells_.get(); }
  Cell& operator[](std::int64_t feature) { return cells_[feature]; }
  const Cell& operator[](std::int64_t feature) const { return cells_[feature]; }

  void grow(std::int64_t size) {
    if (size <= size_) return;
    if (size > capacity_) {
      const std::int64_t capacity = std::max(size, capacity_ + capacity_ / 2);
      Memory larger(static_cast<Cell*>(std::calloc(static_cast<std::size_t>(capacity), sizeof(Cell))));
      if (!larger) throw NoMemory();
      if (size_ > 0) std::memcpy(larger.get(), cells_.get(), static_cast<std::size_t>(size_) * sizeof(Cell));
      cells_ = std::move(larger);
      capacity_ = capacity;
    }
    size_ = size;
  }

  static bool is_untouched(const Cell& cell) { return !differ(cell, Cell{}); }
  static bool differ(const Cell& a, const Cell& b) {
    double of_a[width], of_b[width];
    std::memcpy(of_a, &a, sizeof(Cell));
    std::memcpy(of_b, &b, sizeof(Cell));
    return !std::equal(of_a, of_a + width, of_b);
  }

  void save(models::State& state, const std::string& prefix) const {
    std::vector<std::int32_t> features;
    std::vector<Cell> touched;
    for (std::int64_t j = 0; j < size_; ++j) {
      if (is_untouched(cells_[j])) continue;
      features.push_back(static_cast<std::int32_t>(j));
      touched.push_back(cells_[j]);
    }
    state.set(prefix + "size", std::vector<std::int64_t>{size_});
    state.set(prefix + "features", std::move(features));
    models::save_fields<Cell>(state, prefix, touched);
  }
  // Of features below `most`; there may have been room for others.
  void load(const models::State& state, const std::string& prefix, std::int64_t most) {
    // Features are numbers of 32 bits.
    const std::int64_t room =
        models::whole_numbers_in<std::int64_t>(0, std::int64_t{1} << 31, state, prefix + "size", 1)[0];
    const std::int64_t size = std::min(room, most);
    const auto& features = state.get<std::int32_t>(prefix + "features");
    if (!features.empty() && (features.front() < 0 || features.back() >= size ||
                              std::ranges::adjacent_find(features, std::greater_equal()) != features.end()))
      throw std::invalid_argument(prefix + "features must increase, from 0 to below " + std::to_string(size));
    const std::vector<Cell> touched = models::load_fields<Cell>(state, prefix, features.size());
    grow(size);
    for (std::size_t i = 0; i < features.size(); ++i) cells_[features[i]] = touched[i];
  }

 private:
  static constexpr std::size_t width = sizeof(Cell) / sizeof(double);
  struct Free {
    void operator()(Cell* cells) const { std::free(cells); }
  };
  using Memory = std::unique_ptr<Cell[], Free>;

  Memory cells_;
  std::int64_t size_ = 0, capacity_ = 0;
};

}  // namespace hedgerow::linear
