// Features of parses in lists of candidates for the same sentence.
//
// What all candidates of a list have equally often cancels in every comparison within the list. So a row has,
// of every feature, how often the candidate has it beyond the least that any candidate of its list has: much
// shorter rows with the same differences.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/forest.hpp"

namespace hedgerow::features {

// Columns of features, by their hashes.
class FeatureColumns {
 public:
  // A column for each of the hashes, in that order, from column `first` on.
  FeatureColumns(std::span<const std::uint64_t> hashes, std::int32_t first);
  // 2^bits - first columns, shared by features as their hashes say.
  FeatureColumns(int bits, std::int32_t first);

  static constexpr std::int32_t none = -1;
  std::int32_t operator()(std::uint64_t hash) const;

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::int32_t column = none;
  };
  std::vector<Slot> slots_;   // open addressing
  std::uint64_t shared_ = 0;  // the number of columns, when features share them
  std::int32_t first_;
};

struct CountRows {
  std::vector<std::int64_t> begin;
  std::vector<std::int32_t> column;
  std::vector<double> value;
};

// Features whose counts vary within at least `least` lists, in order of the hashes. Lists are trees
// [begin[i], begin[i + 1]).
std::vector<std::uint64_t> varying_features(const data::Forest& forest, std::span<const std::int64_t> begin,
                                            std::int32_t least, int threads);

// A row for each tree. base: a value for column 0 of each row, or empty.
CountRows feature_rows(const data::Forest& forest, std::span<const std::int64_t> begin,
                       const FeatureColumns& columns, std::span<const double> base, int threads);

// Names of the features with these hashes, as far as the trees have them; otherwise empty.
std::vector<std::string> feature_names(const data::Forest& forest, std::span<const std::uint64_t> hashes);

}  // namespace hedgerow::features
