// Rows of numbers, as many as fit into a number of bytes; those that were used longest ago go first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace hedgerow::svm {

template <class Real>
class RowCache {
 public:
  // Rows are known by their keys, numbers below `keys`.
  explicit RowCache(std::int32_t keys) : rows_(keys), links_(keys + 1), end_(keys) {
    links_[end_] = {end_, end_};
  }

  // Empties the cache. From now on rows have this length.
  void clear(std::int64_t length, std::size_t bytes) {
    for (std::int32_t key = first(); key != end_; key = links_[key].next) rows_[key].reset();
    links_[end_] = {end_, end_};
    size_ = 0;
    length_ = length;
    limit(bytes);
  }

  // At least two rows are kept in any case: SMO works with pairs.
  void limit(std::size_t bytes) {
    const std::size_t row = std::max<std::size_t>(static_cast<std::size_t>(length_) * sizeof(Real), 1);
    capacity_ = std::max<std::size_t>(bytes / row, 2);
    while (size_ > capacity_) remove_oldest();
  }

  std::size_t size() const { return size_; }

  // Null when the row is not here. Counts as a use of it.
  const Real* find(std::int32_t key) {
    if (!rows_[key]) return nullptr;
    unlink(key);
    link(key);
    return rows_[key].get();
  }
  // The same, but no use.
  const Real* peek(std::int32_t key) const { return rows_[key].get(); }

  // Memory for a row that is not here yet.
  Real* add(std::int32_t key) {
    std::unique_ptr<Real[]> memory;
    if (size_ == capacity_)
      memory = remove_oldest();
    else
      memory = std::make_unique_for_overwrite<Real[]>(length_);
    rows_[key] = std::move(memory);
    link(key);
    ++size_;
    return rows_[key].get();
  }

  // Rows keep only the values at these increasing positions.
  void keep_columns(std::span<const std::int32_t> kept, std::size_t bytes) {
    length_ = static_cast<std::int64_t>(kept.size());
    limit(bytes);
    for (std::int32_t key = first(); key != end_; key = links_[key].next) {
      auto shorter = std::make_unique_for_overwrite<Real[]>(kept.size());
      for (std::size_t k = 0; k < kept.size(); ++k) shorter[k] = rows_[key][kept[k]];
      rows_[key] = std::move(shorter);
    }
  }

 private:
  struct Link {
    std::int32_t previous, next;
  };

  std::int32_t first() const { return links_[end_].next; }
  void unlink(std::int32_t key) {
    const Link link = links_[key];
    links_[link.previous].next = link.next;
    links_[link.next].previous = link.previous;
  }
  void link(std::int32_t key) {
    const std::int32_t last = links_[end_].previous;
    links_[key] = {last, end_};
    links_[last].next = key;
    links_[end_].previous = key;
  }
  std::unique_ptr<Real[]> remove_oldest() {
    const std::int32_t key = first();
    unlink(key);
    --size_;
    return std::move(rows_[key]);
  }

  std::vector<std::unique_ptr<Real[]>> rows_;
  std::vector<Link> links_;  // a ring through `end_`, from the row that was used longest ago to the last
  std::int32_t end_;
  std::int64_t length_ = 0;
  std::size_t size_ = 0, capacity_ = 2;
};

}  // namespace hedgerow::svm
