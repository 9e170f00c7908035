// Cells: what a linear function keeps for every feature, a column of a table that it may share with others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "linear/cell_table.hpp"
#include "models/fields.hpp"

namespace hedgerow::linear {

template <class Cell>
class Cells {
 public:
  using Table = CellTable<Cell>;

  // A column of a table of its own.
  Cells() : Cells(std::make_shared<Table>()) {}
  // One more column, beside those of other functions.
  explicit Cells(std::shared_ptr<Table> table) : table_(std::move(table)), column_(table_->add_column()) {}
  Cells(const Cells&) = delete;
  Cells& operator=(const Cells&) = delete;
  Cells(Cells&&) = default;
  Cells& operator=(Cells&&) = default;

  const std::shared_ptr<Table>& table() const { return table_; }
  std::int32_t column() const { return column_; }
  std::int64_t size() const { return table_->rows(); }
  // From one feature to the next; 1 where a function is alone.
  std::int64_t stride() const { return table_->stride(); }
  Cell* data() { return table_->data() + column_; }
  const Cell* data() const { return table_->data() + column_; }
  Cell& operator[](std::int64_t feature) { return data()[feature * stride()]; }
  const Cell& operator[](std::int64_t feature) const { return data()[feature * stride()]; }

  void grow(std::int64_t size) { table_->grow(size); }

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
    for (std::int64_t j = 0; j < size(); ++j) {
      if (is_untouched((*this)[j])) continue;
      features.push_back(static_cast<std::int32_t>(j));
      touched.push_back((*this)[j]);
    }
    state.set(prefix + "size", std::vector<std::int64_t>{size()});
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
    for (std::size_t i = 0; i < features.size(); ++i) (*this)[features[i]] = touched[i];
  }

 private:
  static constexpr std::size_t width = sizeof(Cell) / sizeof(double);

  std::shared_ptr<Table> table_;
  std::int32_t column_;
};

}  // namespace hedgerow::linear
