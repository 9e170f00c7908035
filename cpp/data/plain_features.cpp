#include "data/plain_features.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "data/text.hpp"
#include "parallel.hpp"

namespace hedgerow::data {
namespace {

constexpr int most_digits = 19;  // that 64 bits hold, whatever they are
constexpr auto whole_powers = [] {
  std::array<std::uint64_t, most_digits + 1> powers_of_ten{1};
  for (int i = 1; i <= most_digits; ++i) powers_of_ten[i] = 10 * powers_of_ten[i - 1];
  return powers_of_ten;
}();
constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                             1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19};
constexpr std::uint64_t most_exact = std::uint64_t{1} << 53;

std::uint64_t eight_characters(const char* at) {
  std::uint64_t characters;
  std::memcpy(&characters, at, 8);
  return characters;
}

// The digits that eight characters begin with, as values 0 to 9 in bytes; the first is the lowest byte.
class Digits {
 public:
  explicit Digits(std::uint64_t characters) : bytes_(characters ^ 0x3030303030303030u) {
    // The lowest byte above 9 is marked rightly; a carry may spoil bytes behind it.
    others_ = ((bytes_ + 0x7676767676767676u) | bytes_) & 0x8080808080808080u;
    end_ = std::countr_zero(others_);
  }

  bool all() const { return others_ == 0; }
  int count() const { return end_ / 8; }
  // The number that they write, if there are any: neighbours become pairs, pairs fours, and fours eight.
  std::uint64_t number() const {
    std::uint64_t joined = bytes_ << ((all() ? 0 : 7 - end_) & 63);  // zeros before them
    joined = (joined * (1 + (10u << 8)) >> 8) & 0x00FF00FF00FF00FFu;
    joined = (joined * (1 + (100u << 16)) >> 16) & 0x0000FFFF0000FFFFu;
    return joined * (1 + (std::uint64_t{10000} << 32)) >> 32;
  }

 private:
  std::uint64_t bytes_, others_;  // others: the highest bit of each byte that is no digit
  int end_;                       // the lowest bit of these
};

// Appends the digits at `at` to the number and moves behind them; returns how many there were. The number is
// right for up to most_digits of them.
int read_digits(const char*& at, std::uint64_t& number) {
  int total = 0;
  for (;;) {
    const Digits digits(eight_characters(at));
    if (digits.count() == 0) return total;
    number = number * whole_powers[digits.count()] + digits.number();
    total += digits.count();
    at += digits.count();
    if (!digits.all()) return total;
  }
}

// A power of ten as divisor: shifted up until its highest bit is set, and floor((2^128 - 1) / that) - 2^64.
struct Divisor {
  std::uint64_t shifted, reciprocal;
  int up;
};
constexpr auto divisors = [] {
  std::array<Divisor, most_digits + 1> all{};
  for (int i = 0; i <= most_digits; ++i) {
    const int up = std::countl_zero(whole_powers[i]);
    const std::uint64_t shifted = whole_powers[i] << up;
    all[i] = {shifted, static_cast<std::uint64_t>(~Unsigned128{0} / shifted), up};
  }
  return all;
}();

// number / 10^power, the number not 0, rounded to the nearest double, or to the even one of two. Division by
// multiplication: Moeller, Granlund: Improved division by invariant integers, 2011, algorithm 4. Without
// branches, since digits do not repeat themselves.
double divide(std::uint64_t number, int power) {
  const Divisor& divisor = divisors[power];
  const int up = std::countl_zero(number);
  const Unsigned128 dividend = static_cast<Unsigned128>(number << up) << 63;
  const Unsigned128 guess =
      static_cast<Unsigned128>(divisor.reciprocal) * static_cast<std::uint64_t>(dividend >> 64) + dividend;
  std::uint64_t quotient = static_cast<std::uint64_t>(guess >> 64) + 1;  // of 63 or 64 bits
  std::uint64_t remainder = static_cast<std::uint64_t>(dividend) - quotient * divisor.shifted;
  const bool too_large = remainder > static_cast<std::uint64_t>(guess);
  quotient -= too_large;
  remainder += too_large ? divisor.shifted : 0;
  if (remainder >= divisor.shifted) [[unlikely]] {
    ++quotient;
    remainder -= divisor.shifted;
  }
  const int dropped = 10 + static_cast<int>(quotient >> 63);
  const std::uint64_t rest = quotient & ((std::uint64_t{1} << dropped) - 1);
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  std::uint64_t kept = quotient >> dropped;
  kept += (rest > half) | ((rest == half) & ((remainder != 0) | (kept & 1)));
  const int exponent = dropped - 63 + divisor.up - up;
  return static_cast<double>(static_cast<std::int64_t>(kept)) *
         std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

// Reads any decimal number that begins with a digit, and the blank behind it, if that is what follows; false
// when anything else does than white space, a comment or the end.
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
  if (!has_exponent && whole + fraction <= most_digits) {
    value = number <= most_exact ? static_cast<double>(number) / powers[fraction] : divide(number, fraction);
  } else {
    const auto [stop, error] = read_number(start, end, value);
    if (error != std::errc() || !std::isfinite(value)) return false;
    at = stop;
  }
  if (at >= end) return true;
  at += *at == ' ';
  return is_space(at[-1]) || is_space(*at) || *at == '#';
}

// The same for d and d.ddd with up to six digits behind the point, as most values are, and the blank behind
// it; false: it is none of these.
HEDGEROW_INLINE bool read_short_decimal(const char*& at, double& value) {
  if (at[1] == '.') {
    // Without the point they are all one number.
    const Digits digits((eight_characters(at + 1) & ~std::uint64_t{0xFF}) |
                        static_cast<unsigned char>(at[0]));
    const int count = digits.count();
    if (digits.all() || count < 2 || at[count + 1] != ' ') return false;
    value = static_cast<double>(static_cast<std::int64_t>(digits.number())) / powers[count - 1];
    at += count + 2;
    return true;
  }
  const auto digit = static_cast<unsigned char>(at[0] - '0');
  if (at[1] != ' ' || digit > 9) return false;
  value = digit;
  at += 2;
  return true;
}

// The same for d.ddd with 16 to 18 digits behind the point, as numbers with all their digits are. The places
// of the first ones are fixed, so that nothing has to wait until they are read.
HEDGEROW_INLINE bool read_long_decimal(const char*& at, double& value) {
  const auto first = static_cast<unsigned char>(at[0] - '0');
  if (at[1] != '.' || first > 9) return false;
  const Digits high(eight_characters(at + 2));
  if (!high.all()) return false;
  const Digits low(eight_characters(at + 10));
  if (!low.all()) return false;
  const Digits last(eight_characters(at + 18));
  const int count = last.count();
  if (count > 2 || at[18 + count] != ' ') return false;
  const std::uint64_t upper = (first * whole_powers[8] + high.number()) * whole_powers[8] + low.number();
  const std::uint64_t number = upper * whole_powers[count] + (count > 0 ? last.number() : 0);
  if (number == 0) return false;
  value = divide(number, 16 + count);
  at += 19 + count;
  return true;
}

}  // namespace

std::size_t PlainFeatures::read(std::string_view text, std::int64_t lowest, std::int64_t limit) {
  size_ = 0;
  if constexpr (std::endian::native != std::endian::little) return npos;
  const std::size_t start = skip_space(text, 0);
  if (start < text.size() && text[start] != '#' && (text[start] < '0' || text[start] > '9')) return npos;
  if (index_.size() < text.size() / 4 + 1) {  // a feature takes four characters at least, a blank included
    index_.resize(text.size() / 4 + 1);
    value_.resize(text.size() / 4 + 1);
  }
  const char *at = text.data() + start, *const end = text.data() + text.size();
  const std::int64_t above = lowest + limit;
  std::int64_t least = lowest;
  std::int32_t* next_index = index_.data();
  double* next_value = value_.data();
  for (;;) {
    const Digits digits(eight_characters(at));
    std::uint64_t place = 0;
    if (digits.count() > 0 && !digits.all()) {
      place = digits.number();
      at += digits.count();
    } else {
      // The end of the line lies behind the text, so that no digits are read there.
      while (at < end && is_space(*at)) ++at;
      if (at >= end || *at == '#') break;
      if (const int count = read_digits(at, place); count == 0 || count > 10) return npos;
    }
    const auto index = static_cast<std::int64_t>(place);
    if (*at != ':' || index < least || index >= above) return npos;
    least = index + 1;
    ++at;
    double value;
    // Signs are branches, because arithmetic would make all that follows wait for them.
    if (*at == '-') [[unlikely]] {
      ++at;
      if (!read_short_decimal(at, value) && !read_long_decimal(at, value) && !read_decimal(at, end, value))
        return npos;
      value = -value;
    } else {
      if (*at == '+') [[unlikely]]
        ++at;
      if (!read_short_decimal(at, value) && !read_long_decimal(at, value) && !read_decimal(at, end, value))
        return npos;
    }
    *next_index++ = static_cast<std::int32_t>(index - lowest);
    *next_value++ = value;
  }
  size_ = static_cast<std::size_t>(next_index - index_.data());
  return static_cast<std::size_t>(at - text.data());
}

}  // namespace hedgerow::data
