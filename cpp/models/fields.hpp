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
#include <cstddef>
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

// The fields of a struct, and where in it their numbers are: all that saving and loading need to know, so
// that they are compiled once, not for every struct.
struct Layout {
  std::size_t size;  // of a struct, in bytes
  std::vector<Field> fields;
  std::vector<std::ptrdiff_t> offsets;

  void add(const Field& field, std::ptrdiff_t offset);
};
template <class Struct>
Layout layout_of() {
  Layout layout{sizeof(Struct), {}, {}};
  Struct any{};
  const auto* start = reinterpret_cast<const char*>(&any);
  Struct::fields(any, [&](const Field& field, double& number) {
    layout.add(field, reinterpret_cast<const char*>(&number) - start);
  });
  return layout;
}

void check_range(const std::string& name, const Range& range, std::span<const double> values);

// Arrays of a state whose numbers are in a range.
const std::vector<double>& numbers_in(const Range& range, const State& state, const std::string& name,
                                      std::size_t length);
// Whole numbers from `low` to `high`, both included: indices of tables, or counts.
template <class T>
const std::vector<T>& whole_numbers_in(T low, T high, const State& state, const std::string& name) {
  const auto& values = state.get<T>(name);
  for (const T value : values)
    if (value < low || value > high) throw std::invalid_argument(name + " is out of range");
  return values;
}
template <class T>
const std::vector<T>& whole_numbers_in(T low, T high, const State& state, const std::string& name,
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

// An array for each field, with the numbers of n structs of that layout.
void save_columns(State& state, const std::string& prefix, const Layout& layout, const void* structs,
                  std::size_t n);
void load_columns(const State& state, const std::string& prefix, const Layout& layout, void* structs,
                  std::size_t n);

template <class Struct>
void save_fields(State& state, const std::string& prefix, std::span<const Struct> structs) {
  save_columns(state, prefix, layout_of<Struct>(), structs.data(), structs.size());
}
template <class Struct>
std::vector<Struct> load_fields(const State& state, const std::string& prefix, std::size_t n) {
  std::vector<Struct> structs(n);
  load_columns(state, prefix, layout_of<Struct>(), structs.data(), n);
  return structs;
}

// Of a single struct.
template <class Struct>
void save_fields(State& state, const std::string& prefix, const Struct& one) {
  save_columns(state, prefix, layout_of<Struct>(), &one, 1);
}
template <class Struct>
void load_fields(const State& state, const std::string& prefix, Struct& one) {
  load_columns(state, prefix, layout_of<Struct>(), &one, 1);
}

}  // namespace hedgerow::models
