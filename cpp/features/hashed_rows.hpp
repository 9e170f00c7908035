// Sparse rows of hashed features: how counts become values, and rows of many items on several threads.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "parallel.hpp"

namespace hedgerow::features {

enum class Counts { raw, binary, log, tf_idf };
enum class Norm { none, l1, l2 };

// What a feature is worth that occurs so often, by its count alone.
inline double value_of(Counts counts, double count) {
  return counts == Counts::binary ? 1.0 : counts == Counts::log ? 1.0 + std::log(count) : count;
}

// Rows with increasing columns, none of whose values is 0.
struct HashedRows {
  std::vector<std::int64_t> begin{0};
  std::vector<std::int32_t> column;
  std::vector<double> value;

  void append(const HashedRows& more) {
    const auto before = static_cast<std::int64_t>(column.size());
    for (std::size_t i = 1; i < more.begin.size(); ++i) begin.push_back(before + more.begin[i]);
    column.insert(column.end(), more.column.begin(), more.column.end());
    value.insert(value.end(), more.value.begin(), more.value.end());
  }
};

// The row of one item at a time.
class HashedRow {
 public:
  HashedRow(int bits, Norm norm) : bits_(bits), norm_(norm) {}

  void clear() { keys_.clear(); }
  void add(std::int32_t column, bool negative) {
    keys_.push_back(static_cast<std::uint32_t>(column) << 1 | static_cast<std::uint32_t>(negative));
  }
  // Columns with their counts, which are signed.
  const std::vector<std::pair<std::int32_t, double>>& count() {
    sort_keys();
    counted_.clear();
    for (std::size_t i = 0; i < keys_.size();) {
      const std::uint32_t column = keys_[i] >> 1;
      std::int64_t sum = 0;
      for (; i < keys_.size() && keys_[i] >> 1 == column; ++i) sum += keys_[i] & 1 ? -1 : 1;
      if (sum != 0) counted_.emplace_back(static_cast<std::int32_t>(column), static_cast<double>(sum));
    }
    return counted_;
  }
  const std::vector<std::pair<std::int32_t, double>>& counted() const { return counted_; }

  // Adds the row that was counted last. weight(count, column): what a feature is worth, without its sign.
  template <class Weight>
  void add_to(HashedRows& rows, Weight&& weight) {
    double total = 0.0;
    for (auto& [column, value] : counted_) {
      value = std::copysign(weight(std::abs(value), column), value);
      total += norm_ == Norm::l1 ? std::abs(value) : value * value;
    }
    const double length = norm_ == Norm::l1 ? total : std::sqrt(total);
    const bool scaled = norm_ != Norm::none && length > 0.0;
    for (const auto& [column, value] : counted_) {
      rows.column.push_back(column);
      rows.value.push_back(scaled ? value / length : value);
    }
    rows.begin.push_back(static_cast<std::int64_t>(rows.column.size()));
  }

 private:
  // By digits where there are many.
  void sort_keys() {
    constexpr int digit = 11;
    if (keys_.size() < 256) {
      std::ranges::sort(keys_);
      return;
    }
    other_keys_.resize(keys_.size());
    for (int shift = 0; shift <= bits_; shift += digit) {
      std::array<std::uint32_t, 1 << digit> places{};
      const auto of = [&](std::uint32_t key) { return (key >> shift) & ((1u << digit) - 1); };
      for (const std::uint32_t key : keys_) ++places[of(key)];
      std::uint32_t before = 0;
      for (std::uint32_t& place : places) before += std::exchange(place, before);
      for (const std::uint32_t key : keys_) other_keys_[places[of(key)]++] = key;
      keys_.swap(other_keys_);
    }
  }

  int bits_;
  Norm norm_;
  std::vector<std::uint32_t> keys_, other_keys_;
  std::vector<std::pair<std::int32_t, double>> counted_;
};

// Rows of n items. make() gives each thread's block what adds the row of an item: add(item, rows).
template <class Make>
HashedRows hashed_rows(std::int64_t n, int threads, Make&& make) {
  constexpr std::int64_t block = 64;
  std::vector<HashedRows> parts((n + block - 1) / block);
  parallel_rows(0, static_cast<std::int64_t>(parts.size()), threads, [&](std::int64_t part, int) {
    auto add = make();
    for (std::int64_t i = part * block; i < std::min(n, (part + 1) * block); ++i) {
      stop_if_asked();
      add(i, parts[part]);
    }
  });
  if (parts.size() == 1) return std::move(parts.front());
  HashedRows all;
  std::size_t total = 0;
  for (const HashedRows& part : parts) total += part.column.size();
  all.begin.reserve(n + 1);
  all.column.reserve(total);
  all.value.reserve(total);
  for (HashedRows& part : parts) {
    all.append(part);
    part = {};
  }
  return all;
}

}  // namespace hedgerow::features
