// Sentences as a grammar sees them.
#pragma once

#include <span>

#include "structured/grammar/span_features.hpp"

namespace hedgerow::structured::grammar {

// Sentences of word kinds, where -1 is a word that the grammar does not know; sentence i begins at begin[i].
struct Sentences {
  std::span<const std::int32_t> words;
  std::span<const std::int64_t> begin;
  std::span<const std::int32_t> forms;  // of every word as many as the grammar's span features look at

  // Throws std::invalid_argument unless all fits together.
  void check(const Grammar& grammar) const;
  std::int64_t size() const { return static_cast<std::int64_t>(begin.size()) - 1; }
  std::span<const std::int32_t> kinds(std::int64_t i) const {
    return words.subspan(begin[i], begin[i + 1] - begin[i]);
  }
  TokenForms forms_of(const Grammar& grammar, std::int64_t i) const;
};

}  // namespace hedgerow::structured::grammar
