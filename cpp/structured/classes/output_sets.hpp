// The outputs that each example may have, listed, and the choice among them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "structured/oracle.hpp"

namespace hedgerow::structured::classes {

// The outputs of one example.
struct Alternatives {
  std::span<const std::int32_t> outputs;  // none: all of them, by number
  std::span<const double> losses;         // beside the outputs; none: 0-1 loss
  std::int64_t truth;                     // where the true output stands

  std::int64_t output(std::int64_t place) const { return outputs.empty() ? place : outputs[place]; }
  double loss(std::int64_t place) const {
    return losses.empty() ? static_cast<double>(place != truth) : losses[place];
  }
};

// Those of all examples: either any of the outputs, with losses that depend on the true one, or lists.
class OutputSets {
 public:
  // Any output. `losses` is a matrix, row-major, with a row for each true output; none for 0-1 loss.
  OutputSets(std::int64_t outputs, std::span<const std::int32_t> truths, std::span<const double> losses,
             std::shared_ptr<const void> owner);
  // Those of example i are listed from begin[i] to begin[i + 1], with their losses; truths are places in
  // these lists. Outputs have numbers below `outputs`, and none is listed twice.
  OutputSets(std::int64_t outputs, std::span<const std::int64_t> begin, std::span<const std::int32_t> listed,
             std::span<const double> losses, std::span<const std::int32_t> truths,
             std::shared_ptr<const void> owner);

  std::int64_t examples() const { return static_cast<std::int64_t>(truths_.size()); }
  std::int64_t outputs() const { return outputs_; }
  Alternatives operator[](std::int64_t example) const;

 private:
  std::int64_t outputs_;
  std::span<const std::int64_t> begin_;  // none: any output
  std::span<const std::int32_t> listed_, truths_;
  std::span<const double> losses_;
  std::shared_ptr<const void> owner_;
};

// The place of the output that a question asks for, given the scores of all alternatives: the first of
// equals.
std::int64_t choose(std::span<const double> scores, const Alternatives& alternatives, Question question);

}  // namespace hedgerow::structured::classes
