// Vectors in slots, and their dot products with another vector.
//
// An index by feature: of a feature that many supports have, a column with a value for every slot; of others
// a list of slots and values. So dense vectors are a dense matrix, feature by feature, whose columns are
// added up with vector instructions; sparse ones an inverted index; and most data something between the two.
// As long as all supports are vectors of small whole numbers, as most counts and indicators are, columns are
// kept in bytes too, which are faster to add up.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/feature_numbers.hpp"
#include "models/state.hpp"
#include "models/unit_parts.hpp"
#include "models/vector_batch.hpp"

namespace hedgerow::models {

// A number of a support vector, in the list of its feature.
struct SlotValue {
  std::int32_t slot;
  double value;
};

class VectorSupports {
 public:
  // Memory for dot products, one for each thread.
  struct Scratch {
    std::vector<const double*> column;
    std::vector<double> factor, dense;
    std::vector<std::size_t> begin;
    // of whole numbers
    std::vector<const std::int8_t*> bytes;
    std::vector<std::int16_t> whole_factor, whole_sum;
  };

  // Without parts the index holds the vectors as they are, else their unit parts; likewise for the vectors
  // that are multiplied with them.
  explicit VectorSupports(UnitParts parts = {}) : parts_(parts) {}

  std::int32_t slots() const { return static_cast<std::int32_t>(rows_.size()); }
  const UnitParts& parts() const { return parts_; }
  const FeatureNumbers& numbers() const { return numbers_; }
  // The number of a feature below the width.
  std::int32_t add_feature(std::int32_t feature);
  bool has_feature(std::int32_t feature) const { return feature >= 0 && feature < width_; }

  // Throws invalid_argument when vectors of this width cannot join the supports: dense ones have the same
  // width, but sparse ones may have features that no support has, which count for their own lengths.
  void check_width(std::int64_t width, bool dense) const;
  void put(std::int32_t slot, std::int64_t width, const Entries& vector, bool dense);
  void erase(std::int32_t slot);
  Entries operator[](std::int32_t slot) const { return {rows_[slot].feature, rows_[slot].value}; }
  // Dense when all of them came so.
  std::shared_ptr<const Items> items(std::span<const std::int32_t> slots) const;

  // A vector, and where its dot products with all supports go.
  struct Request {
    Entries vector;
    UnitPart part;
    double* out;
  };
  // The index is read once for all vectors of a call.
  void dots(std::span<const Request> requests, Scratch& scratch) const;
  // Whether squared_distances can be used: there are columns only.
  bool in_columns() const { return listed_ == 0; }
  // Sets out[s] to |vector - support s|^2, summed up so that rounding stays small.
  void squared_distances(const Entries& vector, Scratch& scratch, double* out) const;

  std::size_t growth() const {  // as KernelModel has it
    return features_.size() * (128 + 20 * static_cast<std::size_t>(capacity_));
  }

  void save(State& state, const std::string& prefix) const;
  void load(const State& state, const std::string& prefix);

 private:
  struct Row {
    std::vector<std::int32_t> feature;
    std::vector<double> value;
    bool dense = false;
  };
  struct Feature {
    std::vector<double> column;      // as many as `capacity_`, or none
    std::vector<std::int8_t> bytes;  // likewise; the same numbers, if `whole_`
    std::vector<SlotValue> list;
    std::int32_t supports = 0;
  };

  void set_width(std::int64_t width);
  void grow();
  void check_whole(const Row& row);
  void whole_dots(const Request& request, Scratch& scratch) const;
  void add_row(std::int32_t slot);
  void add(Feature& feature, std::int32_t slot, double value);
  void make_column(Feature& feature);
  void to_column(Feature& feature);
  void to_list(Feature& feature);

  UnitParts parts_;
  std::int64_t width_ = -1;  // not known yet
  FeatureNumbers numbers_;
  std::vector<Feature> features_;
  std::vector<Row> rows_;
  std::int32_t capacity_ = 0;  // a power of two
  std::int64_t listed_ = 0;    // postings in all lists
  bool whole_ = true;          // whether all supports so far are small whole numbers
};

}  // namespace hedgerow::models
