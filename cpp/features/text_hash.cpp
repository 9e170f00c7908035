#include "features/text_hash.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "parallel.hpp"

namespace hedgerow::features {
namespace {

std::int32_t murmur3(std::string_view text) {
  constexpr std::uint32_t c1 = 0xcc9e2d51, c2 = 0x1b873593;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  const std::size_t blocks = text.size() / 4;
  std::uint32_t h = 0;
  for (std::size_t i = 0; i < blocks; ++i) {
    std::uint32_t k;
    std::memcpy(&k, bytes + 4 * i, 4);
    if constexpr (std::endian::native == std::endian::big) k = reversed_bytes(k);
    h = std::rotl(h ^ (std::rotl(k * c1, 15) * c2), 13) * 5 + 0xe6546b64;
  }
  std::uint32_t k = 0;
  const unsigned char* tail = bytes + 4 * blocks;
  switch (text.size() & 3) {
    case 3:
      k ^= std::uint32_t{tail[2]} << 16;
      [[fallthrough]];
    case 2:
      k ^= std::uint32_t{tail[1]} << 8;
      [[fallthrough]];
    case 1:
      h ^= std::rotl((k ^ tail[0]) * c1, 15) * c2;
  }
  h ^= static_cast<std::uint32_t>(text.size());
  h = (h ^ (h >> 16)) * 0x85ebca6b;
  h = (h ^ (h >> 13)) * 0xc2b2ae35;
  return static_cast<std::int32_t>(h ^ (h >> 16));
}

// As scikit-learn has it, whose columns models rely on.
std::int32_t column_of(std::int32_t hash, int bits) {
  const std::int32_t last = static_cast<std::int32_t>((std::int64_t{1} << bits) - 1);
  if (hash == std::numeric_limits<std::int32_t>::min())
    return (std::numeric_limits<std::int32_t>::max() - last) & last;
  return std::abs(hash) & last;
}

// The character at `at`, which it moves behind; the text is UTF-8.
char32_t next_character(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at++);
  if (first < 0x80) return first;
  const int more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
  char32_t c = first & (0x3F >> more);
  for (int i = 0; i < more && at < text.size(); ++i) c = (c << 6) | (byte(at++) & 0x3F);
  return c;
}

// What becomes of the characters of ASCII.
constexpr auto ascii_table = [](bool lowercase) {
  std::array<char, 128> table{};
  for (int c = 0; c < 128; ++c)
    table[c] = static_cast<char>(lowercase && c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return table;
};
constexpr std::array<char, 128> ascii_lower = ascii_table(true), ascii_same = ascii_table(false);

// Finds the tokens of texts, one text at a time, and calls what is given with each.
class Tokens {
 public:
  explicit Tokens(const TextHashing& hashing)
      : hashing_(hashing), ascii_(hashing.lowercase ? ascii_lower : ascii_same) {}

  template <class Take>
  void visit(std::string_view text, Take&& take) {
    buffer_.clear();
    begins_.clear();
    ends_.clear();
    if (hashing_.analyzer == Analyzer::word) {
      find_words(text);
      sequences(take);
    } else {
      characters(text, take);
    }
  }

 private:
  const TextHashing& hashing_;
  const std::array<char, 128>& ascii_;
  std::string buffer_;  // words with one space between, or the text
  std::vector<std::size_t> begins_, ends_;

  void add(std::string_view text, std::size_t begin, std::size_t end) {
    const auto first = static_cast<unsigned char>(text[begin]);
    if (first < 0x80)
      buffer_ += ascii_[first];
    else
      buffer_.append(text, begin, end - begin);
  }

  // Words of two characters at least.
  void find_words(std::string_view text) {
    const Characters& characters = *hashing_.characters;
    buffer_.resize(text.size() + 1);  // a word takes what it takes in the text, and a space
    char* const buffer = buffer_.data();
    std::size_t filled = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t begin = filled;
      std::size_t length = 0;
      for (; at < text.size(); ++length) {
        if (const auto byte = static_cast<unsigned char>(text[at]); byte < 0x80) {
          ++at;
          if (!characters.in_word(byte)) break;
          buffer[filled++] = ascii_[byte];
        } else {
          const std::size_t first = at;
          if (!characters.in_word(next_character(text, at))) break;
          for (std::size_t i = first; i < at; ++i) buffer[filled++] = text[i];
        }
      }
      if (length < 2) {
        filled = begin;
        continue;
      }
      begins_.push_back(begin);
      ends_.push_back(filled);
      buffer[filled++] = ' ';
    }
  }

  // Words in a row, or characters.
  template <class Take>
  void sequences(Take&& take) {
    const std::string_view all = buffer_;
    const std::size_t n = begins_.size();
    for (std::size_t length = hashing_.shortest; length <= std::min<std::size_t>(hashing_.longest, n);
         ++length)
      for (std::size_t first = 0; first + length <= n; ++first)
        take(all.substr(begins_[first], ends_[first + length - 1] - begins_[first]));
  }

  template <class Take>
  void characters(std::string_view text, Take&& take) {
    const Characters& kinds = *hashing_.characters;
    const bool in_words = hashing_.analyzer == Analyzer::character_in_words;
    for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
      if (!kinds.is_space(next_character(text, next))) {
        if (in_words && begins_.empty()) put(" ", 0, 1);
        put(text, at, next);
        continue;
      }
      // Several spaces are one; a single one is kept as it is.
      const std::size_t first_end = next;
      for (std::size_t peek = next; peek < text.size() && kinds.is_space(next_character(text, peek));)
        next = peek;
      if (in_words)
        word_sequences(take);
      else if (next > first_end)
        put(" ", 0, 1);
      else
        put(text, at, next);
    }
    if (in_words)
      word_sequences(take);
    else
      sequences(take);
  }

  void put(std::string_view text, std::size_t begin, std::size_t end) {
    begins_.push_back(buffer_.size());
    add(text, begin, end);
    ends_.push_back(buffer_.size());
  }

  // Sequences of one word with a space before and behind; a word that is too short counts whole, once.
  template <class Take>
  void word_sequences(Take&& take) {
    if (!begins_.empty()) {
      put(" ", 0, 1);
      const std::size_t n = begins_.size();
      const std::string_view all = buffer_;
      for (std::size_t length = hashing_.shortest; length <= static_cast<std::size_t>(hashing_.longest);
           ++length) {
        for (std::size_t first = 0; first == 0 || first + length <= n; ++first)
          take(all.substr(begins_[first], ends_[std::min(first + length, n) - 1] - begins_[first]));
        if (length >= n) break;
      }
    }
    buffer_.clear();
    begins_.clear();
    ends_.clear();
  }
};

// Makes rows of texts, one after the other.
class RowMaker {
 public:
  explicit RowMaker(const TextHashing& hashing)
      : hashing_(hashing), tokens_(hashing), row_(hashing.bits, hashing.norm) {}

  // Columns of the text with their counts; words are remembered if that is wanted.
  void count(std::string_view text, TextMemory* memory) {
    row_.clear();
    tokens_.visit(text, [&](std::string_view token) {
      const std::int32_t hash = murmur3(token), column = column_of(hash, hashing_.bits);
      row_.add(column, hashing_.alternate_sign && hash < 0);
      if (memory) memory->meet({hash, column}, token);
    });
    row_.count();
  }

  void add_row(HashedRows& rows, const TextMemory* memory) {
    row_.add_to(rows, [&](double count, std::int32_t column) {
      if (hashing_.counts != Counts::tf_idf) return value_of(hashing_.counts, count);
      // As if one more document had every column.
      const double documents = 1.0 + static_cast<double>(memory->documents());
      return count * (std::log(documents / (1.0 + memory->frequency(column))) + 1.0);
    });
  }

  const std::vector<std::pair<std::int32_t, double>>& counted() const { return row_.counted(); }

 private:
  const TextHashing& hashing_;
  Tokens tokens_;
  HashedRow row_;
};

void count_in(const RowMaker& row, TextMemory& memory, int times) {
  memory.count_document(times);
  for (const auto& [column, _] : row.counted()) memory.count_column(column, times);
}

}  // namespace

void TextHashing::check() const {
  if (bits < 1 || bits > 30) throw std::invalid_argument("bits must be from 1 to 30");
  if (shortest < 1 || longest < shortest)
    throw std::invalid_argument("lengths of sequences are out of range");
}

HashedRows TextHashing::vectors(std::span<const std::string_view> texts, const TextMemory* memory,
                                int threads) const {
  if (counts == Counts::tf_idf && !(memory && memory->counts_documents()))
    throw std::invalid_argument("tf-idf needs counts of documents");
  return hashed_rows(static_cast<std::int64_t>(texts.size()), threads, [&] {
    return [&, row = RowMaker(*this)](std::int64_t i, HashedRows& rows) mutable {
      row.count(texts[i], nullptr);
      row.add_row(rows, memory);
    };
  });
}

HashedRows TextHashing::learn(std::span<const std::string_view> texts, TextMemory& memory) const {
  if (counts == Counts::tf_idf && !memory.counts_documents())
    throw std::invalid_argument("tf-idf needs counts of documents");
  HashedRows rows;
  RowMaker row(*this);
  for (const std::string_view text : texts) {
    row.count(text, &memory);
    row.add_row(rows, &memory);
    if (memory.counts_documents()) count_in(row, memory, 1);
  }
  return rows;
}

void TextHashing::count(std::span<const std::string_view> texts, TextMemory& memory, int times) const {
  if (!memory.counts_documents()) return;
  RowMaker row(*this);
  for (const std::string_view text : texts) {
    row.count(text, nullptr);
    count_in(row, memory, times);
  }
}

std::vector<NamedColumn> TextHashing::names(std::string_view text) const {
  std::vector<NamedColumn> found;
  std::unordered_set<std::string> known;
  Tokens(*this).visit(text, [&](std::string_view token) {
    const std::int32_t hash = murmur3(token);
    if (known.emplace(token).second)
      found.push_back({column_of(hash, bits), alternate_sign && hash < 0, std::string(token)});
  });
  return found;
}

}  // namespace hedgerow::features
