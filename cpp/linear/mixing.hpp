// Iterative parameter mixing of one linear function: shards begin with the same rule, and what they change is
// mixed.
//
// A cell is mixed by coordinates in which a mean makes sense. For averages its total, the sum of all weights
// that the feature has had, is one more, which adds up. A rule has, beside what CellRule asks for,
//   struct Coordinates                              with fields that say how each is mixed
//   Coordinates coordinates(const Cell&) const      of a cell, with the numbers of the function as they are
//   Cell cell_at(const Coordinates&) const          the reverse, with the numbers of the mixture
// and may have its own, where defaults do not fit,
//   change(start, before, now), changed(start, before, change)   in place of differences and sums of
//   coordinates bool moved_all(start) const                     whether weights changed whose cells look the
//   same void before_mixed_cells(), after_new_cells()  settle numbers that follow from others, or from
//   cells
// For averages, with has_total:
//   double total_of(const Cell&) const, void put_total(Cell&, double) const
//   double weight_in_total(const Cell&) const       what the total of a cell that nobody touches grows by,
//   double life() const                             whenever this grows by 1
//   void begin_average()                            of the predictors so far none counts
#pragma once

#include <cstdint>
#include <vector>

#include "linear/cells.hpp"
#include "models/fields.hpp"

namespace hedgerow::linear {

using models::Field;
using models::Mix;

inline constexpr std::int64_t bias_feature = std::int64_t{1} << 31;  // comes after all others

// What was added to the coordinates of the cells of some features, in their order.
struct CellChange {
  std::vector<std::int64_t> features;
  std::vector<std::vector<double>> coordinates;  // by feature
};

// Numbers of two structs of the same fields, combined.
template <class Struct, class Combine>
Struct combined(Struct a, const Struct& b, Combine&& combine) {
  constexpr std::size_t most = 8;
  static_assert(sizeof(Struct) <= most * sizeof(double));
  double others[most];
  std::size_t n = 0, i = 0;
  Struct::fields(b, [&](const Field&, const double& value) { others[n++] = value; });
  Struct::fields(a, [&](const Field&, double& value) { value = combine(value, others[i++]); });
  return a;
}
template <class Struct>
Struct sum_of(const Struct& a, const Struct& b) {
  return combined(a, b, [](double x, double y) { return x + y; });
}
template <class Struct>
Struct difference_of(const Struct& a, const Struct& b) {
  return combined(a, b, [](double x, double y) { return x - y; });
}

// The two directions of mixing, for cells as numbers.
class CellMixer {
 public:
  virtual ~CellMixer() = default;
  // The change of the coordinates of a cell, and of its total, without what that grows by untouched.
  virtual void find_change(const double* before, const double* after, double* change) const = 0;
  virtual void apply(const double* before, const double* change, double* cell) const = 0;
};

// What cells have changed since they were those of `start`; all: whether weights changed whose cells look the
// same. coordinates: how many a change has.
CellChange change_between(const CellColumn& start, const CellColumn& now, bool all, std::size_t coordinates,
                          const CellMixer& mixer);
// Gives `mixed` the cells of the start with a change.
void put_change(const CellColumn& start, const CellChange& change, const CellColumn& mixed,
                const CellMixer& mixer);

// Of a rule, as it was at the start and as it is, or becomes.
template <class Rule>
class MixerOf final : public CellMixer {
  using Cell = typename Rule::Cell;
  using Coordinates = typename Rule::Coordinates;

 public:
  MixerOf(const Rule& start, const Rule& now) : start_(start), now_(now), life_(now.life() - start.life()) {}

  static std::vector<Field> fields() {
    std::vector<Field> found = models::layout_of<Coordinates>().fields;
    if (Rule::has_total) found.push_back({"total", models::finite, Mix::sum});
    return found;
  }

  void find_change(const double* before, const double* after, double* change) const override {
    const Cell &was = *reinterpret_cast<const Cell*>(before), &is = *reinterpret_cast<const Cell*>(after);
    const Coordinates found = now_.change(start_, was, is);
    Coordinates::fields(found, [&](const Field&, const double& value) { *change++ = value; });
    if constexpr (Rule::has_total)
      *change = now_.total_of(is) - start_.total_of(was) - life_ * start_.weight_in_total(was);
  }
  void apply(const double* before, const double* change, double* cell) const override {
    const Cell& was = *reinterpret_cast<const Cell*>(before);
    Cell& is = *reinterpret_cast<Cell*>(cell);
    Coordinates added{};
    Coordinates::fields(added, [&](const Field&, double& value) { value = *change++; });
    is = now_.changed(start_, was, added);
    if constexpr (Rule::has_total)
      now_.put_total(is, start_.total_of(was) + (*change + life_ * start_.weight_in_total(was)));
  }

 private:
  const Rule &start_, &now_;
  const double life_;
};

}  // namespace hedgerow::linear
