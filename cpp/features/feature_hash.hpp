// Features as numbers of 64 bits that depend on texts only, so that they mean the same in every forest.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/symbols.hpp"

namespace hedgerow::features {

constexpr std::uint64_t hash_text(std::string_view text) {
  std::uint64_t h = 14695981039346656037ULL;  // FNV-1a
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return h;
}

constexpr std::uint64_t hash_step(std::uint64_t h, std::uint64_t part) {
  h = (h ^ part) * 0x9fb21c651e98df25ULL;
  return h ^ (h >> 29);
}

// Letters as X or x, digits as 0, other ASCII characters as they are, all others as x; at most two of a kind
// in a row.
std::string word_shape(std::string_view word);
// ASCII letters in lower case.
std::string lower_case(std::string_view word);

// The hashes of all symbols of a forest, in the forms in which features use them.
struct SymbolHashes {
  explicit SymbolHashes(const data::Symbols& vocabulary);

  struct Forms {
    std::uint64_t label, word, shape;
  };
  const data::Symbols& symbols;
  std::vector<Forms> forms;
};

// The name of a kind of feature.
struct FeatureKind {
  consteval FeatureKind(const char* text) : name(text), seed(hash_text(text)) {}
  const char* name;
  std::uint64_t seed;
};

// A feature that is put together from its parts. Parts are symbols, -1 for what is outside of the sentence or
// tree, or small numbers.
class HashedFeature {
 public:
  HashedFeature(FeatureKind kind, const SymbolHashes& hashes) : hash_(kind.seed), hashes_(hashes) {}
  HashedFeature& label(std::int32_t symbol) { return add(symbol < 0 ? 1 : hashes_.forms[symbol].label); }
  HashedFeature& word(std::int32_t symbol) { return add(symbol < 0 ? 2 : hashes_.forms[symbol].word); }
  HashedFeature& shape(std::int32_t symbol) { return add(symbol < 0 ? 3 : hashes_.forms[symbol].shape); }
  HashedFeature& number(std::int64_t value) { return add(static_cast<std::uint64_t>(value) + 1000); }
  HashedFeature& mark(FeatureKind text) { return add(text.seed); }
  std::uint64_t hash() const { return hash_ ^ (hash_ >> 32); }

 private:
  HashedFeature& add(std::uint64_t part) {
    hash_ = hash_step(hash_, part);
    return *this;
  }

  std::uint64_t hash_;
  const SymbolHashes& hashes_;
};

// The same feature as a text.
class NamedFeature {
 public:
  NamedFeature(FeatureKind kind, const SymbolHashes& hashes) : name_(kind.name), symbols_(hashes.symbols) {
    name_ += ':';
  }
  NamedFeature& label(std::int32_t symbol) { return add(symbol < 0 ? "|" : symbols_.label(symbol)); }
  NamedFeature& word(std::int32_t symbol) {
    return add(symbol < 0 ? "|" : lower_case(symbols_.label(symbol)));
  }
  NamedFeature& shape(std::int32_t symbol) {
    return add(symbol < 0 ? "|" : word_shape(symbols_.label(symbol)));
  }
  NamedFeature& number(std::int64_t value) { return add(std::to_string(value)); }
  NamedFeature& mark(FeatureKind text) { return add(text.name); }
  std::string& name() { return name_; }

 private:
  NamedFeature& add(std::string_view part) {
    name_ += ' ';
    for (const char c : part) name_ += c == '\n' ? ' ' : c;  // a name is one line
    return *this;
  }

  std::string name_;
  const data::Symbols& symbols_;
};

}  // namespace hedgerow::features
