// The best trees of many sentences.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "structured/grammar/derivation.hpp"
#include "structured/grammar/sentences.hpp"

namespace hedgerow::structured::grammar {

// Derivations, one after the other; a sentence without a tree has none.
struct Parses {
  std::vector<Step> steps;
  std::vector<std::int64_t> begin{0};
};
// Several of each sentence, best first: how many, and their scores.
struct RankedParses : Parses {
  std::vector<std::int64_t> found;
  std::vector<double> scores;
};

// With a beam (see Chart) that leaves no tree, a sentence is parsed again without it.
Parses parse(const Grammar& grammar, std::span<const double> weights, const Sentences& sentences, double beam,
             int threads);
// The k best trees of each sentence, of those that the beam leaves.
RankedParses parse_k(const Grammar& grammar, std::span<const double> weights, const Sentences& sentences,
                     std::int32_t k, double beam, int threads);

}  // namespace hedgerow::structured::grammar
