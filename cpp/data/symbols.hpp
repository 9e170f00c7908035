// The vocabulary of a forest: its labels and its productions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "data/sequence_table.hpp"

namespace hedgerow::data {

struct Symbols {
  SequenceTable<char> labels;
  SequenceTable<std::int32_t> productions;  // label of the node, then the labels of its children

  std::int32_t intern_label(std::string_view text) { return labels.intern({text.data(), text.size()}); }
  std::string_view label(std::int32_t id) const {
    const auto bytes = labels[id];
    return {bytes.data(), bytes.size()};
  }
};

// How the ids of one vocabulary read in another.
struct SymbolMap {
  std::vector<std::int32_t> label;
  std::vector<std::int32_t> production;
};

// Adds all symbols of `source` to `target` and says where they went.
SymbolMap merge_symbols(const Symbols& source, Symbols& target);

}  // namespace hedgerow::data
