// Texts as sparse vectors: words or sequences of characters, each in the column that its hash says.
//
// Tokens, hashes and signs are those of scikit-learn's HashingVectorizer (MurmurHash3, 32 bits, of UTF-8).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "features/hashed_rows.hpp"
#include "features/text_memory.hpp"

namespace hedgerow::features {

enum class Analyzer { word, character, character_in_words };

// What characters are: of words, and white space. Whoever runs the core says it, for all of Unicode.
class Characters {
 public:
  template <class IsWord, class IsSpace>
  Characters(IsWord&& is_word, IsSpace&& is_space) : kinds_(size) {
    for (char32_t c = 0; c < size; ++c) kinds_[c] = is_word(c) ? word : is_space(c) ? space : other;
  }
  bool in_word(char32_t c) const { return c < size && kinds_[c] == word; }
  bool is_space(char32_t c) const { return c < size && kinds_[c] == space; }

 private:
  enum Kind : std::uint8_t { other, word, space };
  static constexpr char32_t size = 0x110000;
  std::vector<Kind> kinds_;
};

// A sequence of words or characters of a text.
struct NamedColumn {
  std::int32_t column;
  bool negative;
  std::string name;
};

struct TextHashing {
  const Characters* characters;
  int bits = 20;
  Analyzer analyzer = Analyzer::word;
  int shortest = 1, longest = 1;  // sequences, in words or characters
  bool lowercase = true;          // of ASCII; other characters come as they should be
  bool alternate_sign = true;
  Counts counts = Counts::raw;
  Norm norm = Norm::l2;

  // Throws std::invalid_argument.
  void check() const;
  // With tf-idf by the documents that the memory has counted.
  HashedRows vectors(std::span<const std::string_view> texts, const TextMemory* memory, int threads) const;
  // Each text as the memory stood before it, which then counts it and remembers its words.
  HashedRows learn(std::span<const std::string_view> texts, TextMemory& memory) const;
  // Counts texts, or takes them back (times = -1).
  void count(std::span<const std::string_view> texts, TextMemory& memory, int times) const;
  // What is in which column, in the order of the text, each once.
  std::vector<NamedColumn> names(std::string_view text) const;
};

}  // namespace hedgerow::features
