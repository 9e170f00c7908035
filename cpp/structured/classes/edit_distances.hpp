// Edit distances: the fewest insertions, deletions and substitutions between strings.
#pragma once

#include <cstdint>
#include <span>

namespace hedgerow::structured::classes {

// Strings of symbols, one after another. Throws invalid_argument when `begins` does not divide them.
class Strings {
 public:
  Strings(std::span<const std::int64_t> begins, std::span<const std::int32_t> symbols);
  std::int64_t size() const { return static_cast<std::int64_t>(begins_.size()) - 1; }
  std::span<const std::int32_t> operator[](std::int64_t i) const {
    return symbols_.subspan(begins_[i], begins_[i + 1] - begins_[i]);
  }

 private:
  std::span<const std::int64_t> begins_;
  std::span<const std::int32_t> symbols_;
};

// Of all pairs, row by row.
void edit_distances(const Strings& strings, int threads, double* out);

}  // namespace hedgerow::structured::classes
