// HeadTable: which child of a phrase is its head, in trees with the labels of the Penn Treebank.
//
// After the rules of M. Collins (Head-driven statistical models for natural language parsing, 1999,
// appendix A): for each label of a phrase, labels of children in order of preference. A phrase with another
// label has its last child as head; punctuation is a head only where there is nothing else.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/symbols.hpp"

namespace hedgerow::features {

// Of a verb phrase "has been seen", "has" is the syntactic head and "seen" the content; of "in Rome", "in"
// and "Rome".
enum class HeadKind { syntax, content };

class HeadTable {
 public:
  explicit HeadTable(const data::Symbols& symbols);

  // Position among the children, whose labels are given in order; there is at least one.
  std::size_t head(std::int32_t phrase, std::span<const std::int32_t> children, HeadKind kind) const;
  bool is_punctuation(std::int32_t label) const { return category_[label] == punctuation; }
  bool is_conjunction(std::int32_t label) const { return is_conjunction_[label]; }

 private:
  static constexpr std::uint8_t other = 0, punctuation = 1;

  std::size_t noun_phrase_head(std::span<const std::int32_t> children) const;
  // The child that stands first in a list of preferences, the leftmost or rightmost of several.
  template <class Preferences>
  std::size_t preferred(const Preferences& preferences, bool from_left,
                        std::span<const std::int32_t> children) const;

  std::vector<std::uint8_t> category_;  // of each label: other, punctuation, or 2 + its place in the table
  std::vector<bool> is_conjunction_;
};

}  // namespace hedgerow::features
