#include "features/text_memory.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace hedgerow::features {

TextMemory::TextMemory(int bits, bool counts_documents, std::int64_t room)
    : width_(std::int64_t{1} << bits), room_(std::min(room, width_)) {
  if (counts_documents) frequencies_.resize(width_);
  build_slots();
}

std::size_t TextMemory::slot_of(std::int32_t column) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = (static_cast<std::uint32_t>(column) * 0x9e3779b1u) & mask;
  while (slots_[slot] >= 0 && columns_[slots_[slot]].column != column) slot = (slot + 1) & mask;
  return slot;
}

void TextMemory::build_slots() {
  const auto wanted = std::max<std::size_t>(16, 2 * (columns_.size() + 1));
  slots_.assign(std::bit_ceil(wanted), -1);
  for (std::size_t i = 0; i < columns_.size(); ++i)
    slots_[slot_of(columns_[i].column)] = static_cast<std::int32_t>(i);
}

void TextMemory::meet(HashedToken token, std::string_view text) {
  const std::size_t slot = slot_of(token.column);
  if (slots_[slot] < 0) {
    if (full()) return;
    slots_[slot] = static_cast<std::int32_t>(columns_.size());
    columns_.push_back({token.column, {{token.hash, std::string(text)}}});
    if (2 * columns_.size() > slots_.size()) build_slots();
    return;
  }
  Column& known = columns_[slots_[slot]];
  if (known.words.front().hash == token.hash || known.more) return;
  const auto is_it = [&](const Word& word) { return word.hash == token.hash; };
  if (std::ranges::any_of(known.words, is_it)) return;
  if (known.words.size() < words_of_column)
    known.words.push_back({token.hash, std::string(text)});
  else
    known.more = true;
}

void TextMemory::keep(std::span<const std::int32_t> columns) {
  std::vector<Column> kept;
  for (const std::int32_t column : columns) {
    const std::int32_t place = slots_[slot_of(column)];
    if (place >= 0 && !columns_[place].words.empty()) kept.push_back(std::move(columns_[place]));
  }
  columns_ = std::move(kept);
  build_slots();
}

const TextMemory::Column* TextMemory::find(std::int32_t column) const {
  const std::int32_t place = slots_[slot_of(column)];
  return place < 0 ? nullptr : &columns_[place];
}

void TextMemory::set_documents(std::int64_t documents, std::span<const std::int32_t> columns,
                               std::span<const std::int64_t> counts) {
  if (!counts_documents()) throw std::invalid_argument("only tf-idf counts documents");
  if (documents < 0 || columns.size() != counts.size())
    throw std::invalid_argument("the counts of documents do not fit their columns");
  std::vector<std::uint32_t> frequencies(width_);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool fits = columns[i] >= 0 && columns[i] < width_ && counts[i] >= 0 && counts[i] <= documents &&
                      counts[i] <= 0xffffffff;
    if (!fits) throw std::invalid_argument("the counts of documents are out of range");
    frequencies[columns[i]] = static_cast<std::uint32_t>(counts[i]);
  }
  documents_ = documents;
  frequencies_ = std::move(frequencies);
}

void TextMemory::add_word(std::int32_t column, std::int32_t hash, std::string text, bool more) {
  if (column < 0 || column >= width_) throw std::invalid_argument("a word's column is out of range");
  meet({hash, column}, text);
  const std::int32_t place = slots_[slot_of(column)];
  if (place >= 0 && more) columns_[place].more = true;
}

}  // namespace hedgerow::features
