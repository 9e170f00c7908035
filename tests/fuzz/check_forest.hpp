// What must hold for every forest that a reader returns.
#pragma once

#include "data/brackets.hpp"

namespace hedgerow::fuzz {

// Prints the message and aborts, which a fuzzer takes for a crash.
void require(bool condition, const char* message, const char* detail = "");

// The arrays describe trees: post-order, every link within its tree, productions as the labels say.
void check_arrays(const data::Forest& forest);

// What was read prints and reads back to an equal forest, tree by tree and as a text of many lines, and is
// the same with the smallest vocabulary that it can have.
void check_copies(const data::Forest& forest, data::BracketOptions options);

}  // namespace hedgerow::fuzz
