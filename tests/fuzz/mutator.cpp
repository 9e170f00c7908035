#include "mutator.hpp"

#include <algorithm>
#include <charconv>

namespace hedgerow::fuzz {

// SplitMix64 (Steele, Lea and Flood 2014).
std::uint64_t Mutator::next() {
  std::uint64_t z = state_ += 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

std::string Mutator::mutate(const Inputs& corpus, std::size_t max_length) {
  std::string text = corpus[below(corpus.size())];
  // Mostly few changes, since most changes break something.
  for (std::size_t changes = 1 + below(1 + below(8)); changes > 0; --changes) change(text, corpus);
  if (text.size() > max_length) text.resize(max_length);
  return text;
}

void Mutator::change(std::string& text, const Inputs& corpus) {
  const std::size_t at = below(text.size() + 1);
  const std::size_t length = std::min(text.size() - at, 1 + below(1 + below(64)));
  switch (below(9)) {
    case 0:  // flip a bit
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
      break;
    case 1:  // any byte
      if (at < text.size()) text[at] = static_cast<char>(next());
      break;
    case 2:  // a byte from elsewhere in the text
      if (at < text.size()) text[at] = text[below(text.size())];
      break;
    case 3:
      text.erase(at, length);
      break;
    case 4:  // repeat a stretch
      text.insert(at, text.substr(at, length));
      break;
    case 5:  // move a stretch
    {
      const std::string stretch = text.substr(at, length);
      text.erase(at, length);
      text.insert(below(text.size() + 1), stretch);
      break;
    }
    case 6:  // splice: the beginning of this and the end of another
    {
      const std::string& other = corpus[below(corpus.size())];
      text.replace(at, std::string::npos, other, below(other.size() + 1), std::string::npos);
      break;
    }
    default:  // a token, inserted or written over what is there
      if (!dictionary_.empty())
        text.replace(at, below(2) == 0 ? 0 : length, dictionary_[below(dictionary_.size())]);
  }
}

Inputs parse_dictionary(std::string_view text) {
  Inputs tokens;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t open = line.find('"'), close = line.rfind('"');
    if (line.starts_with('#') || open == close) continue;
    std::string token;
    for (std::size_t i = open + 1; i < close; ++i) {
      unsigned char byte = static_cast<unsigned char>(line[i]);
      if (line.substr(i).starts_with("\\x")) {
        std::from_chars(line.data() + i + 2, line.data() + i + 4, byte, 16);
        i += 3;
      }
      token += static_cast<char>(byte);
    }
    tokens.push_back(std::move(token));
  }
  return tokens;
}

}  // namespace hedgerow::fuzz
