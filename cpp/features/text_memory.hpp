// What is remembered of texts: in how many a column occurs, and the words of columns, as many as have room.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lock.hpp"

namespace hedgerow::features {

// A column as the hash of a token says it.
struct HashedToken {
  std::int32_t hash;
  std::int32_t column;
};

class TextMemory : public Guarded {
 public:
  // Words that share a column and are remembered; of further ones it is known that there are some.
  static constexpr std::size_t words_of_column = 3;

  struct Word {
    std::int32_t hash;  // negative: it counts negatively where signs alternate
    std::string text;
  };
  struct Column {
    std::int32_t column;
    std::vector<Word> words;
    bool more = false;
  };

  // Counts documents of 2^bits columns if that is wanted; remembers words of so many columns.
  TextMemory(int bits, bool counts_documents, std::int64_t room);

  bool counts_documents() const { return !frequencies_.empty(); }
  std::int64_t width() const { return static_cast<std::int64_t>(frequencies_.size()); }  // that is counted
  std::int64_t documents() const { return documents_; }
  std::uint32_t frequency(std::int32_t column) const { return frequencies_[column]; }
  void count_document(int times) { documents_ += times; }
  void count_column(std::int32_t column, int times) { frequencies_[column] += times; }

  std::int64_t room() const { return room_; }
  bool full() const { return static_cast<std::int64_t>(columns_.size()) >= room_; }
  void meet(HashedToken token, std::string_view text);
  // Forgets the words of other columns.
  void keep(std::span<const std::int32_t> columns);
  // Nullptr where nothing is known.
  const Column* find(std::int32_t column) const;
  const std::vector<Column>& columns() const { return columns_; }

  // For files: throws std::invalid_argument for what cannot be.
  void set_documents(std::int64_t documents, std::span<const std::int32_t> columns,
                     std::span<const std::int64_t> counts);
  void add_word(std::int32_t column, std::int32_t hash, std::string text, bool more);

 private:
  std::int64_t width_;
  std::int64_t documents_ = 0;
  std::vector<std::uint32_t> frequencies_;
  std::int64_t room_;
  std::vector<Column> columns_;
  std::vector<std::int32_t> slots_;  // open addressing: places in columns_, -1 where there is none

  std::size_t slot_of(std::int32_t column) const;
  void build_slots();
};

}  // namespace hedgerow::features
