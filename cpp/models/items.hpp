// Examples as expansions take them: a batch of trees, vectors or sequences, or of pairs of these.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "data/forest.hpp"
#include "data/sequence_table.hpp"
#include "kernels/strings.hpp"
#include "models/kept_norms.hpp"
#include "models/kept_subtrees.hpp"

namespace hedgerow::models {

struct Items {
  virtual ~Items() = default;
  virtual std::int64_t size() const = 0;
  virtual const char* kind() const = 0;  // for messages: what a user would call them
  // Copies of some of the items, in the given order, over the same vocabulary. Numbers must be in range.
  virtual std::shared_ptr<const Items> select(std::span<const std::int64_t> items) const = 0;
};

struct TreeItems final : Items {
  explicit TreeItems(std::shared_ptr<const data::Forest> trees) : forest(std::move(trees)) {}
  std::int64_t size() const override { return forest->size(); }
  const char* kind() const override { return "trees"; }
  std::shared_ptr<const Items> select(std::span<const std::int64_t> items) const override;

  std::shared_ptr<const data::Forest> forest;
  mutable KeptNorms norms;
  mutable KeptSubtrees subtrees;
};

// Rows of a matrix, row-major; `owner` keeps the memory.
struct DenseItems final : Items {
  DenseItems(const double* data, std::int64_t n_rows, std::int64_t n_columns,
             std::shared_ptr<const void> kept)
      : values(data), rows(n_rows), width(n_columns), owner(std::move(kept)) {}
  std::int64_t size() const override { return rows; }
  const char* kind() const override { return "vectors"; }
  std::shared_ptr<const Items> select(std::span<const std::int64_t> items) const override;
  std::span<const double> operator[](std::int64_t i) const {
    return {values + i * width, static_cast<std::size_t>(width)};
  }

  const double* values;
  std::int64_t rows, width;
  std::shared_ptr<const void> owner;
};

// Rows of a sparse matrix; within a row indices increase.
struct SparseItems final : Items {
  std::int64_t size() const override { return static_cast<std::int64_t>(begin.size()) - 1; }
  const char* kind() const override { return "vectors"; }
  std::shared_ptr<const Items> select(std::span<const std::int64_t> items) const override;

  std::span<const std::int64_t> begin;  // one more than there are rows
  std::span<const std::int32_t> index;
  std::span<const double> value;
  std::int64_t width = 0;
  std::shared_ptr<const void> owner;
};

// Strings, whose symbols are code points, or lists of tokens, whose symbols are their numbers in `tokens`.
struct SequenceItems final : Items {
  std::int64_t size() const override { return sequences.size(); }
  const char* kind() const override { return tokens ? "token lists" : "strings"; }
  std::shared_ptr<const Items> select(std::span<const std::int64_t> items) const override;

  kernels::Sequences sequences;
  std::shared_ptr<const data::SequenceTable<char>> tokens;
  std::shared_ptr<const void> owner;
};

// Two descriptions of the same examples, for sums and products of kernels.
struct PairItems final : Items {
  PairItems(std::shared_ptr<const Items> a, std::shared_ptr<const Items> b)
      : left(std::move(a)), right(std::move(b)) {
    if (left->size() != right->size()) throw std::invalid_argument("the parts differ in length");
  }
  std::int64_t size() const override { return left->size(); }
  const char* kind() const override { return "pairs"; }
  std::shared_ptr<const Items> select(std::span<const std::int64_t> items) const override;

  std::shared_ptr<const Items> left, right;
};

// The items as the type that a model works with.
template <class Kind>
const Kind& items_as(const Items& items, const char* expected) {
  if (const auto* fitting = dynamic_cast<const Kind*>(&items)) return *fitting;
  throw std::invalid_argument(std::string("the model takes ") + expected + ", got " + items.kind());
}

}  // namespace hedgerow::models
