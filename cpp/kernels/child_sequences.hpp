// The inner sum of the partial tree kernel, over common subsequences of two lists of children.
//
//   S = sum over pairs of equally long child subsequences of decay^gaps * prod D
//
// `value(i, j)` returns a pointer to D(i, j), or null where the children do not match.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "limits.hpp"

namespace hedgerow::kernels {

template <class Number>
struct ChildSequenceScratch {
  std::vector<Number> rows;
  std::vector<std::int32_t> changed;
};

// Powers of a decay end in denormal numbers, which are slow and, for a decay above 0.5, never become 0.
template <class Number>
Number without_denormal(const Number& value) {
  if constexpr (std::is_floating_point_v<Number>) {
    constexpr Number smallest = sizeof(Number) == 4 ? Number(1e-35) : Number(1e-290);
    return value < smallest ? Number(0) : value;
  } else {
    return value;
  }
}

// All lengths at once, in O(k1 k2) steps:
//
//   S(i, j) = D(i, j) (1 + R(i-1, j-1)),   R(i, j) = sum over i' <= i, j' <= j of decay^(i-i' + j-j') S(i',
//   j')
template <class Number, class Value>
Number sum_all_child_sequences(std::int32_t k1, std::int32_t k2, double decay, const Value& value,
                               ChildSequenceScratch<Number>& scratch) {
  const Number factor(decay);
  Number total(0);
  if (k1 == 1 || k2 == 1) {  // no sequences, just pairs
    for (std::int32_t i = 0; i < k1; ++i)
      for (std::int32_t j = 0; j < k2; ++j)
        if (const Number* d = value(i, j)) total += *d;
    return total;
  }
  scratch.rows.assign(k2, Number(0));  // R(i-1, .)
  Number* const rows = scratch.rows.data();
  const bool long_lists = k1 > 100 || k2 > 100;
  LongWork work;
  for (std::int32_t i = 0; i < k1; ++i) {
    if (long_lists) work.add(k2);
    Number before(0);   // R(i-1, j-1)
    Number current(0);  // sum over j' <= j of decay^(j-j') S(i, j')
    for (std::int32_t j = 0; j < k2; ++j) {
      current = factor * current;
      if (long_lists) {
        current = without_denormal(current);
        rows[j] = without_denormal(rows[j]);
      }
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

// The same for nodes with very many children of which few pairs match: a row of R is only touched where a
// match in that row can still be felt (powers of a decay below 1 soon are 0 in floating point), and brought
// up to date when it is touched next. `matches(i)` lists the children j that match i, in increasing order.
template <class Number, class Value, class Matches>
Number sum_sparse_child_sequences(std::int32_t k1, std::int32_t k2, double decay, const Value& value,
                                  const Matches& matches, ChildSequenceScratch<Number>& scratch) {
  const Number factor(decay);
  Number total(0);
  scratch.rows.assign(k2, Number(0));
  scratch.changed.assign(k2, 0);
  // R(i, j), given that it was last changed in an earlier row
  const auto row_at = [&](std::int32_t i, std::int32_t j) {
    return scratch.rows[j] * Number(std::pow(decay, i - scratch.changed[j]));
  };
  LongWork work;
  for (std::int32_t i = 0; i < k1; ++i) {
    const auto list = matches(i);
    work.add(1 + static_cast<std::int64_t>(list.size()));
    Number before(0), current(0);
    std::size_t next = 0;
    for (std::int32_t j = 0; j < k2; ++j) {
      if (current == 0) {  // faded: on to the next match
        if (next == list.size()) break;
        if (list[next] > j) {
          j = list[next];
          before = row_at(i - 1, j - 1);
        }
      }
      current = without_denormal(factor * current);
      if (next < list.size() && list[next] == j) {
        ++next;
        const Number s = *value(i, j) * (Number(1) + before);
        total += s;
        current += s;
      }
      before = row_at(i - 1, j);
      scratch.rows[j] = current + factor * before;
      scratch.changed[j] = i;
    }
  }
  return total;
}

// For each child of one node the children of another that have its label.
class MatchingChildren {
 public:
  // label1(i) and label2(j) are the labels of the children.
  template <class Label1, class Label2>
  MatchingChildren(std::int32_t k1, std::int32_t k2, const Label1& label1, const Label2& label2) {
    std::unordered_map<std::int32_t, std::int32_t> list_of_label;
    for (std::int32_t j = 0; j < k2; ++j) {
      const auto [entry, added] =
          list_of_label.try_emplace(label2(j), static_cast<std::int32_t>(lists_.size()));
      if (added) lists_.emplace_back();
      lists_[entry->second].push_back(j);
    }
    lists_.emplace_back();  // for labels without a match
    for (std::int32_t i = 0; i < k1; ++i) {
      const auto entry = list_of_label.find(label1(i));
      list_of_child_.push_back(entry == list_of_label.end() ? static_cast<std::int32_t>(lists_.size()) - 1
                                                            : entry->second);
      pairs_ += static_cast<std::int64_t>(lists_[list_of_child_.back()].size());
    }
  }
  std::int64_t pairs() const { return pairs_; }
  std::span<const std::int32_t> operator()(std::int32_t i) const { return lists_[list_of_child_[i]]; }

 private:
  std::vector<std::vector<std::int32_t>> lists_;
  std::vector<std::int32_t> list_of_child_;
  std::int64_t pairs_ = 0;
};

// Subsequences of at most max_length children: S and R for each length p, and
// S_p(i, j) = D(i, j) R_{p-1}(i-1, j-1) with R_0 = 1.
template <class Number, class Value>
Number sum_short_child_sequences(std::int32_t k1, std::int32_t k2, double decay, std::int32_t max_length,
                                 const Value& value, ChildSequenceScratch<Number>& scratch) {
  check_pairs(static_cast<double>(k1) * k2 * max_length, "tree");
  const Number factor(decay);
  Number total(0);
  LongWork work;
  scratch.rows.assign(static_cast<std::size_t>(max_length) * (static_cast<std::size_t>(k2) + 2), Number(0));
  Number* const rows = scratch.rows.data();
  Number* const before = rows + static_cast<std::size_t>(max_length) * k2;
  Number* const current = before + max_length;
  for (std::int32_t i = 0; i < k1; ++i) {
    work.add(std::int64_t{k2} * max_length);
    std::fill(before, before + 2 * max_length, Number(0));
    for (std::int32_t j = 0; j < k2; ++j) {
      const Number* d = value(i, j);
      for (std::int32_t p = max_length - 1; p >= 0; --p) {  // downwards: before[p - 1] is still the old one
        current[p] = without_denormal(factor * current[p]);
        if (d) {
          const Number s = p == 0 ? *d : *d * before[p - 1];
          total += s;
          current[p] += s;
        }
        Number& row = rows[static_cast<std::size_t>(j) * max_length + p];
        row = without_denormal(row);
        before[p] = row;
        row = current[p] + factor * row;
      }
    }
  }
  return total;
}

// Whether there are longer sequences than those of max_length children, where 0 means any length.
inline bool bounds_length(std::int32_t max_length, std::int32_t k1, std::int32_t k2) {
  return max_length > 0 && max_length < std::min(k1, k2);
}

template <class Number, class Value>
Number sum_child_sequences(std::int32_t k1, std::int32_t k2, double decay, std::int32_t max_length,
                           const Value& value, ChildSequenceScratch<Number>& scratch) {
  if (bounds_length(max_length, k1, k2))
    return sum_short_child_sequences(k1, k2, decay, max_length, value, scratch);
  return sum_all_child_sequences(k1, k2, decay, value, scratch);
}

}  // namespace hedgerow::kernels
