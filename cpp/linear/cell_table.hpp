// CellTable: what the functions of a linear learner keep for every feature, in one table that grows.
//
// All functions of one feature stand beside each other. An example then costs a stretch of memory for each of
// its features, however many classes there are, instead of a place for every feature and class.
//
// A cell is a struct of doubles. All zeros: a feature that was never touched. The memory of such features is
// not touched either, so a learner costs what it has seen, not what it might see.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "platform.hpp"

namespace hedgerow::linear {

struct NoMemory : std::bad_alloc {
  const char* what() const noexcept override {
    return "there is no memory for the weights of so many features";
  }
};

// Zeros that take memory only where they are written.
class LazyZeros {
 public:
  LazyZeros() = default;
  LazyZeros(std::int64_t rows, std::size_t bytes_a_row) {
    const auto n = static_cast<std::size_t>(rows);
    if (bytes_a_row > 0 && n > SIZE_MAX / 2 / bytes_a_row) throw NoMemory();
    bytes_ = n * bytes_a_row;
    // Not promised by the system, which refuses promises beyond its memory even if most is never written.
    data_ =
        bytes_ >= mapped_from ? map_zeros(bytes_, false) : std::calloc(std::max<std::size_t>(bytes_, 1), 1);
    if (!data_) throw NoMemory();
  }
  LazyZeros(LazyZeros&& other) noexcept { swap(other); }
  LazyZeros& operator=(LazyZeros&& other) noexcept {
    LazyZeros(std::move(other)).swap(*this);
    return *this;
  }
  ~LazyZeros() {
    if (bytes_ < mapped_from)
      std::free(data_);
    else if (data_)
      unmap(data_, bytes_);
  }

  void* data() const { return data_; }

 private:
  static constexpr std::size_t mapped_from = std::size_t{1} << 30;

  void swap(LazyZeros& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

class CellTable {
 public:
  // width: numbers in a cell.
  explicit CellTable(std::size_t width) : width_(width) {}

  std::int64_t rows() const { return rows_; }        // features
  std::int32_t columns() const { return columns_; }  // functions
  std::int64_t stride() const { return stride_; }    // cells from one feature to the next
  double* data() const { return static_cast<double*>(memory_.data()); }

  // Its number. As long as there is no feature, a table has no more room than for its functions.
  std::int32_t add_column() {
    if (columns_ == stride_) widen(rows_ == 0 ? stride_ + 1 : stride_ + stride_ / 2 + 1);
    return columns_++;
  }
  void grow(std::int64_t rows) {
    if (rows <= rows_) return;
    if (rows > room_) move_to(std::max(rows, room_ + room_ / 2), stride_);
    rows_ = rows;
  }

 private:
  void widen(std::int64_t stride) {
    if (rows_ > 0) move_to(room_, stride);
    stride_ = stride;
  }
  void move_to(std::int64_t room, std::int64_t stride);

  const std::size_t width_;
  LazyZeros memory_;
  std::int64_t rows_ = 0, room_ = 0, stride_ = 0;
  std::int32_t columns_ = 0;
};

}  // namespace hedgerow::linear
