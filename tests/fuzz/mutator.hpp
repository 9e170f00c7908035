// Makes new inputs from old ones: small random changes, the same for the same seed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hedgerow::fuzz {

using Inputs = std::vector<std::string>;

class Mutator {
 public:
  Mutator(Inputs dictionary, std::uint64_t seed) : dictionary_(std::move(dictionary)), state_(seed) {}

  // A changed copy of one of the inputs (there must be one), at most `max_length` bytes long.
  std::string mutate(const Inputs& corpus, std::size_t max_length);

 private:
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : next() % bound; }
  std::uint64_t next();
  void change(std::string& text, const Inputs& corpus);

  Inputs dictionary_;
  std::uint64_t state_;
};

// Reads a dictionary in libFuzzer's format: a quoted token a line, with \xNN for bytes; # begins a comment.
Inputs parse_dictionary(std::string_view text);

}  // namespace hedgerow::fuzz
