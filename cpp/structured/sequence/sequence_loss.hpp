// What a wrong label sequence costs.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace hedgerow::structured::sequence {

struct SequenceLoss {
  enum class Kind : std::uint8_t {
    hamming,   // the number of wrong labels
    mean,      // their share
    zero_one,  // 1 for any fault
    table,     // the sum of what each wrong label costs
  };
  Kind kind = Kind::hamming;
  std::int32_t labels = 1;
  std::vector<double> table{};  // true label x label

  void check() const {
    if (kind == Kind::table && static_cast<std::int64_t>(table.size()) != std::int64_t{labels} * labels)
      throw std::invalid_argument("the table must be a matrix of labels by labels");
  }
  // Whether the loss depends on nothing but the number of wrong labels.
  bool counts() const { return kind != Kind::table; }
  double of_count(std::int64_t wrong, std::int64_t length) const {
    if (wrong == 0) return 0;
    if (kind == Kind::zero_one) return 1;
    return kind == Kind::mean ? static_cast<double>(wrong) / static_cast<double>(length)
                              : static_cast<double>(wrong);
  }
  // Of one label in a sequence; the loss of the sequence is their sum, but for zero_one.
  double of_label(std::int32_t truth, std::int32_t label, std::int64_t length) const {
    if (kind == Kind::table) return table[truth * labels + label];
    return of_count(truth != label, length);
  }
  double of(std::span<const std::int32_t> truth, std::span<const std::int32_t> y) const {
    const auto length = static_cast<std::int64_t>(truth.size());
    std::int64_t wrong = 0;
    double sum = 0;
    for (std::int64_t t = 0; t < length; ++t) {
      wrong += truth[t] != y[t];
      if (kind == Kind::table) sum += of_label(truth[t], y[t], length);
    }
    return counts() ? of_count(wrong, length) : sum;
  }
};

}  // namespace hedgerow::structured::sequence
