// Fields: the numbers that a struct holds, by name. Saving, checking what is loaded, and mixing follow from
// them.
//
// A struct lists its fields in one place:
//   template <class Self, class Each>
//   static void fields(Self& self, Each&& each) {
//     each(Field{"steps", at_least_0, Mix::sum}, self.steps);
//   }
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/state.hpp"

namespace hedgerow::models {

// What becomes of a number that shards have changed, all from the same start.
enum class Mix {
  mean,   // the mean of the changes is added, in which shards weigh by their examples
  sum,    // the changes are added
  max,    // the largest is taken
  first,  // that of the start, unless it follows from other numbers
};

// The numbers that a field may hold.
struct Range {
  double low, high;
  const char* words;  // "must be ..."

  bool holds(double value) const { return low <= value && value <= high; }  // never NaN
};
inline constexpr double largest = std::numeric_limits<double>::max();
inline constexpr Range finite{-largest, largest, "finite"};
inline constexpr Range at_least_0{0, largest, "finite and at least 0"};
inline constexpr Range above_0{std::numeric_limits<double>::denorm_min(), largest, "finite and above 0"};

struct Field {
  const char* name;
  Range range = finite;
  Mix mix = Mix::first;
};

// Called with each field and its number.
using EachNumber = std::function<void(const Field&, double&)>;

struct NoFields {
  template <class Self, class Each>
  static void fields(Self&, Each&&) {}
};

template <class Struct>
std::vector<Field> fields_of() {
  std::vector<Field> found;
  Struct any{};
  Struct::fields(any, [&](const Field& field, double&) { found.push_back(field); });
  return found;
}

inline void check_range(const std::string& name, const Range& range, std::span<const double> values) {
  for (const double value : values)
    if (!range.holds(value)) throw std::invalid_argument(name + " must be " + range.words);
}

// Arrays of a state whose numbers are in a range.
inline const std::vector<double>& numbers_in(const Range& range, const State& state, const std::string& name,
                                             std::size_t length) {
  const auto& values = state.get<double>(name, length);
  check_range(name, range, values);
  return values;
}
// Whole numbers from `low` to `high`, both included: indices of tables, or counts.
template <class T>
inline const std::vector<T>& whole_numbers_in(T low, T high, const State& state, const std::string& name) {
  const auto& values = state.get<T>(name);
  for (const T value : values)
    if (value < low || value > high) throw std::invalid_argument(name + " is out of range");
  return values;
}
template <class T>
inline const std::vector<T>& whole_numbers_in(T low, T high, const State& state, const std::string& name,
                                              std::size_t length) {
  state.get<T>(name, length);
  return whole_numbers_in<T>(low, high, state, name);
}
// Counts go on growing after a model was loaded, up to the largest that a file may hold.
inline constexpr std::int64_t most_counted = std::int64_t{1} << 62;
inline void count_up(std::int64_t& count, std::int64_t by = 1) {
  count += std::min(by, most_counted - count);
}
// Refuses to learn from more examples than can be counted. Only a forged file says that there were so many.
inline void require_room(std::int64_t seen, std::size_t more) {
  if (seen > most_counted - static_cast<std::int64_t>(more))
    throw std::invalid_argument("the model counts " + std::to_string(seen) +
                                " examples that it has learned from, and can count no more");
}
inline const std::vector<std::int64_t>& counts_in(const State& state, const std::string& name,
                                                  std::size_t length) {
  return whole_numbers_in<std::int64_t>(0, most_counted, state, name, length);
}
inline std::int64_t count_in(const State& state, const std::string& name) {
  return counts_in(state, name, 1)[0];
}

// An array for each field, with the numbers of all structs.
template <class Struct>
void save_fields(State& state, const std::string& prefix, std::span<const Struct> structs) {
  const std::vector<Field> fields = fields_of<Struct>();
  std::vector<std::vector<double>> columns(fields.size());
  for (auto& column : columns) column.reserve(structs.size());
  for (const Struct& one : structs) {
    auto column = columns.begin();
    Struct::fields(one, [&](const Field&, const double& value) { (column++)->push_back(value); });
  }
  for (std::size_t i = 0; i < fields.size(); ++i) state.set(prefix + fields[i].name, std::move(columns[i]));
}

template <class Struct>
std::vector<Struct> load_fields(const State& state, const std::string& prefix, std::size_t n) {
  std::vector<const double*> columns;
  for (const Field& field : fields_of<Struct>()) {
    const auto& values = state.get<double>(prefix + field.name, n);
    check_range(prefix + field.name, field.range, values);
    columns.push_back(values.data());
  }
  std::vector<Struct> structs(n);
  for (std::size_t k = 0; k < n; ++k) {
    auto column = columns.begin();
    Struct::fields(structs[k], [&](const Field&, double& value) { value = (*column++)[k]; });
  }
  return structs;
}

// Of a single struct.
template <class Struct>
void save_fields(State& state, const std::string& prefix, const Struct& one) {
  save_fields(state, prefix, std::span(&one, 1));
}
template <class Struct>
void load_fields(const State& state, const std::string& prefix, Struct& one) {
  one = load_fields<Struct>(state, prefix, 1)[0];
}

}  // namespace hedgerow::models
