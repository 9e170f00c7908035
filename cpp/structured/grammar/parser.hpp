// The best trees of many sentences.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "structured/grammar/derivation.hpp"

namespace hedgerow::structured::grammar {

// Derivations, one after the other; a sentence without a tree has none.
struct Parses {
  std::vector<Step> steps;
  std::vector<std::int64_t> begin{0};
};

// Sentences of word kinds, where -1 is a word that the grammar does not know; sentence i begins at
// word_begin[i]. With a beam (see Chart) that leaves no tree, a sentence is parsed again without it.
Parses parse(const Grammar& grammar, std::span<const double> weights, std::span<const std::int32_t> words,
             std::span<const std::int64_t> word_begin, double beam, int threads);

}  // namespace hedgerow::structured::grammar
