// The inner sum of the partial tree kernel, over common subsequences of two lists of children.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hedgerow {

// S = sum over pairs of equally long child subsequences of decay^gaps * prod D. All lengths at once:
//
//   S(i, j) = D(i, j) (1 + R(i-1, j-1)),   R(i, j) = sum over i' <= i, j' <= j of decay^(i-i' + j-j') S(i', j')
//
// in O(k1 k2) steps. `value(i, j)` returns a pointer to D(i, j), or null where the children do not match; `rows` is
// scratch memory.
template <class Number, class Value>
Number sum_all_child_sequences(std::int32_t k1, std::int32_t k2, double decay, const Value& value,
                               std::vector<Number>& rows) {
  const Number factor(decay);
  Number total(0);
  if (k1 == 1 || k2 == 1) {  // no sequences, just pairs
    for (std::int32_t i = 0; i < k1; ++i)
      for (std::int32_t j = 0; j < k2; ++j)
        if (const Number* d = value(i, j)) total += *d;
    return total;
  }
  rows.assign(k2, Number(0));  // R(i-1, .)
  for (std::int32_t i = 0; i < k1; ++i) {
    Number before(0);   // R(i-1, j-1)
    Number current(0);  // sum over j' <= j of decay^(j-j') S(i, j')
    for (std::int32_t j = 0; j < k2; ++j) {
      current = factor * current;
      if (const Number* d = value(i, j)) {
        const Number s = *d * (Number(1) + before);
        total += s;
        current += s;
      }
      before = rows[j];
      rows[j] = current + factor * rows[j];
    }
  }
  return total;
}

// The same for subsequences of at most max_length children: S and R for each length p, and
// S_p(i, j) = D(i, j) R_{p-1}(i-1, j-1) with R_0 = 1.
template <class Number, class Value>
Number sum_short_child_sequences(std::int32_t k1, std::int32_t k2, double decay, std::int32_t max_length,
                                 const Value& value, std::vector<Number>& rows) {
  const Number factor(decay);
  Number total(0);
  rows.assign(static_cast<std::size_t>(max_length) * (k2 + 2), Number(0));
  Number* const before = rows.data() + static_cast<std::size_t>(max_length) * k2;
  Number* const current = before + max_length;
  for (std::int32_t i = 0; i < k1; ++i) {
    std::fill(before, before + 2 * max_length, Number(0));
    for (std::int32_t j = 0; j < k2; ++j) {
      const Number* d = value(i, j);
      for (std::int32_t p = max_length - 1; p >= 0; --p) {  // downwards: before[p - 1] is still the old one
        current[p] = factor * current[p];
        if (d) {
          const Number s = p == 0 ? *d : *d * before[p - 1];
          total += s;
          current[p] += s;
        }
        Number& row = rows[static_cast<std::size_t>(j) * max_length + p];
        before[p] = row;
        row = current[p] + factor * row;
      }
    }
  }
  return total;
}

// max_length 0 means any length.
template <class Number, class Value>
Number sum_child_sequences(std::int32_t k1, std::int32_t k2, double decay, std::int32_t max_length,
                           const Value& value, std::vector<Number>& rows) {
  if (max_length > 0 && max_length < std::min(k1, k2))
    return sum_short_child_sequences(k1, k2, decay, max_length, value, rows);
  return sum_all_child_sequences(k1, k2, decay, value, rows);
}

}  // namespace hedgerow
