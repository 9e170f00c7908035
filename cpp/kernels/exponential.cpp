#include "kernels/exponential.hpp"

#include <cstring>

#include "kernels/lanes.hpp"
#include "parallel.hpp"

namespace hedgerow::kernels {

namespace {

using Four = Lanes<double>::Vector;
using FourBits = VectorOf<std::uint64_t, 32>;

constexpr double log2_e = 0x1.71547652b82fep+0;
// ln 2 in two parts; the first has so few digits that its products with whole numbers up to 2^11 are exact.
constexpr double ln2_high = 0x1.62e42fefa3000p-1, ln2_low = 0x1.3de6af278ece6p-42;
// Adding it rounds to a whole number, which then stands in the last bits.
constexpr double rounder = 0x1.8p52;
constexpr std::uint64_t rounder_bits = 0x4338000000000000;
constexpr double lowest = -746, highest = 710;  // exp is 0 below and infinite above

// (exp(r) - 1 - r) / r^2 for |r| <= ln(2)/2, interpolated in Chebyshev nodes: exp(r) to 2e-17.
constexpr double series[] = {0x1.0000000000001p-1,  0x1.5555555555556p-3,  0x1.5555555553d63p-5,
                             0x1.11111111109b3p-7,  0x1.6c16c1788bd90p-10, 0x1.a01a01a7c41d5p-13,
                             0x1.a019b90d2ae7ap-16, 0x1.71de0dae63bb3p-19, 0x1.289185613a3d6p-22,
                             0x1.af38a9b0ec855p-26};

// x = k ln(2) + r, exp(x) = 2^k exp(r)
HEDGEROW_INLINE void exponential(Four& x) {
  x = x < lowest ? lowest - Four{} : x;
  x = x > highest ? highest - Four{} : x;
  const Four shifted = x * log2_e + rounder, k = shifted - rounder;
  const Four r = (x - k * ln2_high) - k * ln2_low;
  Four sum = series[9] - Four{};
  for (int i = 8; i >= 0; --i) sum = sum * r + series[i];
  sum = 1.0 + (r + r * r * sum);

  // Two factors, since 2^k alone may be no normal number. 2048 keeps the numbers positive.
  FourBits whole;
  std::memcpy(&whole, &shifted, sizeof whole);
  whole += 2048 - rounder_bits;
  const FourBits half = whole >> 1, rest = whole - half;
  const FourBits first_bits = (half - 1) << 52, second_bits = (rest - 1) << 52;  // 1023 - 1024 = -1
  Four first, second;
  std::memcpy(&first, &first_bits, sizeof first);
  std::memcpy(&second, &second_bits, sizeof second);
  x = sum * first * second;
}

}  // namespace

HEDGEROW_CLONES(void, exponentials, (double* values, std::int64_t n), (values, n)) {
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8) {  // two at a time: one computes while the other waits
    Four a, b;
    load(values + i, a);
    load(values + i + 4, b);
    exponential(a);
    exponential(b);
    store(a, values + i);
    store(b, values + i + 4);
  }
  for (; i < n; i += 4) {
    Four a = {};
    const std::size_t bytes = static_cast<std::size_t>(n - i < 4 ? n - i : 4) * sizeof(double);
    std::memcpy(&a, values + i, bytes);
    exponential(a);
    std::memcpy(values + i, &a, bytes);
  }
}

}  // namespace hedgerow::kernels
