// Cells: what a linear function keeps for every feature, a column of a table that it may share with others.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "linear/cell_table.hpp"
#include "models/fields.hpp"

namespace hedgerow::linear {

// The cells of a function as plain numbers: what need not be compiled for every kind of cells sees them so.
struct CellColumn {
  double* first;
  std::int64_t size, stride;  // features; numbers from one to the next
  std::size_t width;          // numbers in a cell
  double* bias;               // the cell of the bias, null if there is none

  double* operator[](std::int64_t feature) const { return first + feature * stride; }
  bool is_untouched(const double* cell) const {
    for (std::size_t i = 0; i < width; ++i)
      if (cell[i] != 0) return false;
    return true;
  }
  bool differ(const double* a, const double* b) const {
    for (std::size_t i = 0; i < width; ++i)
      if (a[i] != b[i]) return true;
    return false;
  }
};

void save_cells(models::State& state, const std::string& prefix, const models::Layout& layout,
                const CellColumn& cells);
// How many features there was room for; `most` at most.
std::int64_t cells_in(const models::State& state, const std::string& prefix, std::int64_t most);
// The column has room for so many.
void load_cells(const models::State& state, const std::string& prefix, const models::Layout& layout,
                const CellColumn& cells);

template <class Cell>
class Cells {
  static_assert(std::is_trivially_copyable_v<Cell> && sizeof(Cell) % sizeof(double) == 0);

 public:
  static constexpr std::size_t width = sizeof(Cell) / sizeof(double);

  // A column of a table of its own.
  Cells() : Cells(std::make_shared<CellTable>(width)) {}
  // One more column, beside those of other functions.
  explicit Cells(std::shared_ptr<CellTable> table)
      : table_(std::move(table)), column_(table_->add_column()) {}
  Cells(const Cells&) = delete;
  Cells& operator=(const Cells&) = delete;
  Cells(Cells&&) = default;
  Cells& operator=(Cells&&) = default;

  const std::shared_ptr<CellTable>& table() const { return table_; }
  // Those of all functions, feature by feature.
  const Cell* all() const { return reinterpret_cast<const Cell*>(table_->data()); }
  std::int32_t column() const { return column_; }
  std::int64_t size() const { return table_->rows(); }
  // From one feature to the next; 1 where a function is alone.
  std::int64_t stride() const { return table_->stride(); }
  Cell* data() { return reinterpret_cast<Cell*>(table_->data()) + column_; }
  const Cell* data() const { return all() + column_; }
  Cell& operator[](std::int64_t feature) { return data()[feature * stride()]; }
  const Cell& operator[](std::int64_t feature) const { return data()[feature * stride()]; }
  CellColumn numbers(Cell* bias) const {
    return {table_->data() + column_ * width, size(), stride() * static_cast<std::int64_t>(width), width,
            reinterpret_cast<double*>(bias)};
  }

  void grow(std::int64_t size) { table_->grow(size); }

  static bool is_untouched(const Cell& cell) { return !differ(cell, Cell{}); }
  static bool differ(const Cell& a, const Cell& b) {
    double of_a[width], of_b[width];
    std::memcpy(of_a, &a, sizeof(Cell));
    std::memcpy(of_b, &b, sizeof(Cell));
    for (std::size_t i = 0; i < width; ++i)
      if (of_a[i] != of_b[i]) return true;
    return false;
  }

  void save(models::State& state, const std::string& prefix) const {
    save_cells(state, prefix, models::layout_of<Cell>(), numbers(nullptr));
  }
  // Of features below `most`; there may have been room for others.
  void load(const models::State& state, const std::string& prefix, std::int64_t most) {
    grow(cells_in(state, prefix, most));
    load_cells(state, prefix, models::layout_of<Cell>(), numbers(nullptr));
  }

 private:
  std::shared_ptr<CellTable> table_;
  std::int32_t column_;
};

}  // namespace hedgerow::linear
