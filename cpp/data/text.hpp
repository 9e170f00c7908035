// What the readers of text share: character classes, UTF-8, and errors with a place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hedgerow::data {

// What is wrong at which byte of the text that was being read.
struct TextError {
  std::size_t offset;
  std::string message;
};

// The same for people: lines and columns count from 1, columns in characters.
struct LineError {
  std::int64_t line;
  std::int64_t column;
  std::string message;
};

// White space is ASCII's only: other Unicode spaces may be part of a label.
inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

inline std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

// The end of the run of characters from `at` on that are neither white space nor brackets.
std::size_t token_end(std::string_view text, std::size_t at);

// Where the text stops being UTF-8 without NUL bytes, and why.
std::optional<TextError> check_utf8(std::string_view text);

// Number of characters in the valid UTF-8 text (a stray byte counts as one).
std::int64_t count_characters(std::string_view text);

// The character at `at`, quoted for a message; "the end of the text" behind it.
std::string quote_at(std::string_view text, std::size_t at);

}  // namespace hedgerow::data
