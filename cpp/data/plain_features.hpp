// PlainFeatures: the features of a vector as nearly all files have them, `i:v i:v ...`, read eight characters
// at a time.
//
// What is unusual or wrong is left to the thorough reader, which is slower and says what is wrong. Values are
// those of std::from_chars to the last bit: a whole number of up to 19 digits and a power of ten, both exact,
// are divided and rounded once.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace hedgerow::data {

class PlainFeatures {
 public:
  static constexpr std::size_t slack = 16;  // bytes behind the text that must be readable

  // Reads features with increasing indices, `lowest` or more and below `limit`, up to the text's end or a
  // comment. Returns the number of characters read, or npos when there is anything else. The character behind
  // the text must be the end of a line, and `slack` bytes from there on must be readable.
  std::size_t read(std::string_view text, std::int64_t lowest, std::int64_t limit);
  static constexpr std::size_t npos = SIZE_MAX;

  std::size_t size() const { return size_; }
  const std::int32_t* index() const { return index_.data(); }  // from 0
  const double* value() const { return value_.data(); }

 private:
  std::vector<std::int32_t> index_;
  std::vector<double> value_;
  std::size_t size_ = 0;
};

}  // namespace hedgerow::data
