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
#include <string>
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

template <class Rule>
class CellMixing {
  using Cell = typename Rule::Cell;
  using Coordinates = typename Rule::Coordinates;
  using Stored = typename Rule::Stored;  // the CellRule that a rule is

 public:
  static std::vector<Field> fields() {
    std::vector<Field> found = models::fields_of<Coordinates>();
    if (Rule::has_total) found.push_back({"total", models::finite, Mix::sum});
    return found;
  }

  // What `now` has changed since it was `start`. Totals are told without what they grow by untouched.
  static CellChange between(const Rule& start, const Rule& now) {
    CellChange found;
    found.coordinates.resize(fields().size());
    const bool all = now.moved_all(start);
    const double life = now.life() - start.life();
    const auto look = [&](std::int64_t feature, const Cell& before, const Cell& after) {
      const bool is_new = Cells<Cell>::is_untouched(before);
      if ((is_new && Cells<Cell>::is_untouched(after)) || !(all || Cells<Cell>::differ(before, after)))
        return;
      const Coordinates change = now.change(start, before, after);
      double total = 0;
      if constexpr (Rule::has_total)
        total = now.total_of(after) - start.total_of(before) - life * start.weight_in_total(before);
      // A feature may be new though its weight is the one that unknown features have.
      bool tell = is_new || total != 0;
      Coordinates::fields(change, [&](const Field&, const double& value) { tell |= value != 0; });
      if (!tell) return;
      found.features.push_back(feature);
      auto column = found.coordinates.begin();
      Coordinates::fields(change, [&](const Field&, const double& value) { (column++)->push_back(value); });
      if (Rule::has_total) column->push_back(total);
    };
    const Stored &from = start, &to = now;
    for (std::int64_t j = 0; j < to.cells_.size(); ++j) look(j, from.cell_or_none(j), to.cells_[j]);
    if (to.has_bias_) look(bias_feature, from.bias_cell_, to.bias_cell_);
    return found;
  }

  // Gives `mixed`, which has its numbers, the cells of the start with a change.
  static void put(const Rule& start, const CellChange& change, Rule& mixed) {
    const double life = mixed.life() - start.life();
    mixed.before_mixed_cells();
    std::size_t row = 0;
    const auto take = [&](std::int64_t feature, const Cell& before, Cell& cell) {
      const bool told = row < change.features.size() && change.features[row] == feature;
      if (!told && Cells<Cell>::is_untouched(before)) return;
      Coordinates added{};
      auto column = change.coordinates.begin();
      if (told) Coordinates::fields(added, [&](const Field&, double& value) { value = (*column++)[row]; });
      cell = mixed.changed(start, before, added);
      if constexpr (Rule::has_total)
        mixed.put_total(cell, start.total_of(before) +
                                  ((told ? (*column)[row] : 0.0) + life * start.weight_in_total(before)));
      if (told) ++row;
    };
    const Stored& from = start;
    Stored& to = mixed;
    for (std::int64_t j = 0; j < to.cells_.size(); ++j) take(j, from.cell_or_none(j), to.cells_[j]);
    if (to.has_bias_) take(bias_feature, from.bias_cell_, to.bias_cell_);
    mixed.after_new_cells();
  }
};

}  // namespace hedgerow::linear
