// Psi(x, y) - Psi(x, z) of one sequence of tokens.
#pragma once

#include <span>

#include "structured/oracle.hpp"
#include "structured/sequence/chain.hpp"
#include "structured/sequence/token_sequences.hpp"

namespace hedgerow::structured::sequence {

// Indices and values only. An empty z means zero: the result is Psi(x, y) itself.
void sequence_difference(const Chain& chain, const TokenSequences& tokens, std::int64_t sequence,
                         std::span<const std::int32_t> y, std::span<const std::int32_t> z,
                         Candidate& difference);

}  // namespace hedgerow::structured::sequence
