#include "features/feature_hash.hpp"

#include <algorithm>

namespace hedgerow::features {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string word_shape(std::string_view word) {
  std::string shape;
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 && byte < 0xc0) continue;  // UTF-8: within a character
    const bool is_letter = is_lower(c) || byte >= 0xc0;
    const char kind = is_upper(c) ? 'X' : is_letter ? 'x' : is_digit(c) ? '0' : c;
    const std::size_t n = shape.size();
    if (n < 2 || shape[n - 1] != kind || shape[n - 2] != kind) shape += kind;
  }
  return shape;
}

std::string lower_case(std::string_view word) {
  std::string lower(word);
  std::transform(word.begin(), word.end(), lower.begin(),
                 [](char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

SymbolHashes::SymbolHashes(const data::Symbols& vocabulary) : symbols(vocabulary) {
  const std::int32_t n = vocabulary.labels.size();
  forms.reserve(n);
  for (std::int32_t id = 0; id < n; ++id) {
    const std::string_view text = vocabulary.label(id);
    forms.push_back({hash_text(text), hash_text(lower_case(text)), hash_text(word_shape(text))});
  }
}

}  // namespace hedgerow::features
