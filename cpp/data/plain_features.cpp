#include "data/plain_features.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "data/text.hpp"
#include "parallel.hpp"

namespace hedgerow {
namespace {

constexpr std::uint64_t whole_powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr std::uint64_t most_exact = std::uint64_t{1} << 53;

// The digits that eight characters begin with, as values 0 to 9 in bytes, and their number. The first
// character is the lowest byte.
struct Digits {
  std::uint64_t bytes;
  int count;

  explicit Digits(const char* at) {
    std::memcpy(&bytes, at, 8);
    bytes ^= 0x3030303030303030u;
    // The lowest byte above 9 is marked rightly; a carry may spoil bytes behind it.
    const std::uint64_t others = ((bytes + 0x7676767676767676u) | bytes) & 0x8080808080808080u;
    count = others == 0 ? 8 : std::countr_zero(others) / 8;
  }

  // Of one digit or more: neighbours are joined to pairs, pairs to fours, and fours to eight.
  std::uint64_t number() const {
    const std::uint64_t padded = bytes << (64 - 8 * count);  // zeros before them
    const std::uint64_t pairs = padded * 10 + (padded >> 8);
    return ((pairs & 0x000000FF000000FFu) * (100 + (std::uint64_t{1000000} << 32)) +
            ((pairs >> 16) & 0x000000FF000000FFu) * (1 + (std::uint64_t{10000} << 32))) >>
           32;
  }
};

// Appends the digits at `at` to the number and moves behind them; returns how many there were. The number is
// good for up to 19 digits.
int read_digits(const char*& at, std::uint64_t& number) {
  int total = 0;
  for (;;) {
    const Digits digits(at);
    if (digits.count == 0) return total;
    number = number * whole_powers[digits.count] + digits.number();
    total += digits.count;
    at += digits.count;
    if (digits.count < 8) return total;
  }
}

// Reads any decimal number that begins with a digit, and moves behind it.
bool read_decimal(const char*& at, const char* end, double& value) {
  const char* const start = at;
  std::uint64_t number = 0;
  const int whole = read_digits(at, number);
  int fraction = 0;
  if (whole == 0) return false;
  if (*at == '.') {
    ++at;
    fraction = read_digits(at, number);
  }
  const bool has_exponent = *at == 'e' || *at == 'E';
  if (!has_exponent && whole + fraction <= 19 && number <= most_exact) {
    value = static_cast<double>(number) / powers[fraction];
    return true;
  }
  const auto [stop, error] = std::from_chars(start, end, value);
  at = stop;
  return error == std::errc() && std::isfinite(value);
}

// The same for d and d.ddd with up to seven digits behind the point, as most values are; false: it is none of
// these.
HEDGEROW_INLINE bool read_short_decimal(const char*& at, double& value) {
  const auto first = static_cast<unsigned char>(at[0] - '0');
  if (first > 9) return false;
  if (at[1] == ' ') {
    value = first;
    at += 1;
    return true;
  }
  if (at[1] != '.') return false;
  const Digits fraction(at + 2);
  if (fraction.count == 0 || fraction.count == 8 || at[2 + fraction.count] != ' ') return false;
  value = static_cast<double>(
              static_cast<std::int64_t>(first * whole_powers[fraction.count] + fraction.number())) /
          powers[fraction.count];
  at += 2 + fraction.count;
  return true;
}

}  // namespace

std::size_t PlainFeatures::read(std::string_view text, std::int64_t lowest, std::int64_t limit) {
  size_ = 0;
  if constexpr (std::endian::native != std::endian::little) return npos;
  if (index_.size() < text.size() / 4 + 1) {  // a feature takes four characters at least, a blank included
    index_.resize(text.size() / 4 + 1);
    value_.resize(text.size() / 4 + 1);
  }
  const char *at = text.data(), *const end = at + text.size();
  std::int64_t least = lowest;
  std::int32_t* next_index = index_.data();
  double* next_value = value_.data();
  for (;;) {
    const Digits digits(at);
    std::uint64_t place = 0;
    if (digits.count > 0 && digits.count < 8) {
      place = digits.number();
      at += digits.count;
    } else {
      // The end of the line lies behind the text, so that no digits are read there.
      while (at < end && is_space(*at)) ++at;
      if (at >= end || *at == '#') break;
      if (const int count = read_digits(at, place); count == 0 || count > 10) return npos;
    }
    const auto index = static_cast<std::int64_t>(place);
    if (*at != ':' || index < least || index - lowest >= limit) return npos;
    ++at;
    const bool negative = *at == '-';
    at += negative || *at == '+';
    double value;
    if (!read_short_decimal(at, value) &&
        (!read_decimal(at, end, value) || (at < end && !is_space(*at) && *at != '#')))
      return npos;
    at += *at == ' ';
    *next_index++ = static_cast<std::int32_t>(index - lowest);
    *next_value++ = negative ? -value : value;
    least = index + 1;
  }
  size_ = static_cast<std::size_t>(next_index - index_.data());
  return static_cast<std::size_t>(at - text.data());
}

}  // namespace hedgerow
