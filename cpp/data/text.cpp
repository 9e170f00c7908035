#include "data/text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

namespace hedgerow::data {
namespace {

constexpr std::array<bool, 256> ends_token = [] {
  std::array<bool, 256> table{};
  for (unsigned char c : {' ', '\t', '\n', '\v', '\f', '\r', '(', ')'}) table[c] = true;
  return table;
}();

// Length of the well-formed UTF-8 character at `at`, or 0.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : static_cast<unsigned char>(0);
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned char first = byte(at), second = byte(at + 1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(at + 1) ? 2 : 0;
  if ((first & 0xF0) == 0xE0) {
    if (first == 0xE0 && second < 0xA0) return 0;  // overlong
    if (first == 0xED && second > 0x9F) return 0;  // surrogate
    return continues(at + 1) && continues(at + 2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (first == 0xF0 && second < 0x90) return 0;  // overlong
    if (first == 0xF4 && second > 0x8F) return 0;  // beyond U+10FFFF
    return continues(at + 1) && continues(at + 2) && continues(at + 3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::size_t token_end(std::string_view text, std::size_t at) {
  while (at < text.size() && !ends_token[static_cast<unsigned char>(text[at])]) ++at;
  return at;
}

std::optional<TextError> check_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (at + 8 <= text.size()) {  // eight ASCII characters at once, none of them NUL
      std::uint64_t word;
      std::memcpy(&word, text.data() + at, 8);
      constexpr std::uint64_t low = 0x0101010101010101ull, high = 0x8080808080808080ull;
      if (!(word & high) && !((word - low) & ~word & high)) {
        at += 8;
        continue;
      }
    }
    if (text[at] == '\0') return TextError{at, "a NUL byte; the text must be UTF-8 without NUL bytes"};
    const std::size_t length = utf8_length(text, at);
    if (length == 0) {
      char message[64];
      std::snprintf(message, sizeof message, "byte 0x%02X is not UTF-8 here",
                    static_cast<unsigned char>(text[at]));
      return TextError{at, message};
    }
    at += length;
  }
  return std::nullopt;
}

std::int64_t count_characters(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

std::string quote_at(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] == '\n' || text[at] == '\r') return "the end of the line";
  std::size_t end = std::max(at + 1, std::min(token_end(text, at), at + 40));
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return "'" + std::string(text.substr(at, end - at)) + "'";
}

}  // namespace hedgerow::data
