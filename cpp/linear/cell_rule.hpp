// CellRule: what linear learners share, so that each of them can read like its paper.
//
// A learner keeps a Cell for every feature and a Clock: what the weights of all features depend on, such as
// the number of updates. With both, regularisation costs nothing for features that an example does not have:
// their cells stay, the clock goes on, and a weight is a function of the two. Numbers are what else it keeps.
// All three are structs that list their fields by name.
//
// Derived has
//   double weight(const Cell&, const Clock&) const   the weight of a feature
//   double average(const Cell&) const                the mean of its weights over all predictors so far
//   bool update(x, score, y, weight)                 whether there is a new predictor; it changes the cells
//   of
//                                                    x and of the bias only, see `each` and `rewrote_all_`
//   void count(double)                               the predictor counts so much more in the average
//   void scale_counts(double)
// and may have
//   bool looks_at(feature) const                     whether votes do
//   double constant(const Clock&) const, double average_constant() const   what is added to all scores
//   bool update_against(Derived& rival, Derived& keeper, x, score, rival_score, weight)
//                                                    makes the score higher than that of a rival, see
//                                                    LinearRule::learn_against
//   double share(const Cell&, const Clock&) const, double common_factor(const Clock&) const
//                                                    factors of weight, the second one positive: scores are
//                                                    summed up before it comes in, lest it rounds them off 0
//   void save_rest(State&, prefix) const, void load_rest(const State&, prefix), void more_numbers(each)
// and what mixing asks for, see mixing.hpp.
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "linear/cell_history.hpp"
#include "linear/cells.hpp"
#include "linear/class_loops.hpp"
#include "linear/linear_rule.hpp"
#include "platform.hpp"

namespace hedgerow::linear {

template <class Derived, class Cell_, class Clock_ = models::NoFields, class Numbers_ = models::NoFields>
class CellRule : public LinearRule {
 public:
  using Cell = Cell_;
  using Clock = Clock_;
  using Numbers = Numbers_;
  using Stored = CellRule;

  // bias: a feature that is 1 in every example is learned, and regularised, like any other.
  CellRule(Averaging averaging, bool bias) : averaging_(averaging), has_bias_(bias) {
    if ((averaging == Averaging::average || averaging == Averaging::normalized) != Derived::has_total)
      throw std::invalid_argument("this learner does not average so");
    if (averaging == Averaging::vote) history_.emplace(models::layout_of<Cell>(), layout_of_clock());
  }

  void stand_beside(const LinearRule& other) override {
    if (&other == this) return;
    cells_ = Cells<Cell>(dynamic_cast<const Derived&>(other).Stored::cells_.table());
  }
  void grow(std::int64_t width) override { cells_.grow(width); }

  double score(const Entries& x) const override {
    if constexpr (Derived::scores_are_sums)
      return read(x, self().scorer());
    else
      return 0;  // it has its own
  }
  void scores(Functions all, const Entries& x, double* out) const override {
    if constexpr (Derived::scores_are_sums)
      if (all.size() >= many)
        return read_all(all, {&x, 1}, [](const Derived& rule) { return rule.scorer(); }, out);
    LinearRule::scores(all, x, out);
  }

  bool learn(const Entries& x, double score, double y, double weight) override {
    if (history_ && history_->empty()) history_->begin(&clock_);
    const bool is_new = self().update(x, score, y, weight);
    if (history_ && is_new) {
      history_->begin(&clock_);
      if (rewrote_all_)
        history_->touch_all(column());
      else
        history_->touch(x.feature, column());
      rewrote_all_ = false;
    }
    return is_new;
  }
  bool learn_against(LinearRule& rival, LinearRule& keeper, const Entries& x, double score,
                     double rival_score, double weight) override {
    if constexpr (requires(Derived& rule) { rule.update_against(rule, rule, x, score, score, weight); })
      return self().update_against(static_cast<Derived&>(rival), static_cast<Derived&>(keeper), x, score,
                                   rival_score, weight);
    else
      return LinearRule::learn_against(rival, keeper, x, score, rival_score, weight);
  }
  void survive(double count) override {
    self().count(count);
    if (history_) history_->survive();
  }

  std::size_t growth() const override { return history_ ? history_->growth() : 0; }

  double predict(const Entries& x) const override {
    if (history_) {
      double votes = 0;
      predict_rows({&x, 1}, &votes, 1);
      return votes;
    }
    if constexpr (averages() && Derived::scores_are_sums)
      return read(x, self().averager());
    else
      return self().score(x);
  }

  Averaging averaging() const override { return averaging_; }
  void predict_rows(std::span<const Entries> rows, double* out, std::size_t stride) const override {
    if (history_)
      vote(rows, out, stride);
    else
      LinearRule::predict_rows(rows, out, stride);
  }
  void predict_rows_of(Functions all, std::span<const Entries> rows, double* out) const override {
    if constexpr (Derived::scores_are_sums)
      if (all.size() >= many && !history_) {
        if constexpr (averages())
          return read_all(all, rows, [](const Derived& rule) { return rule.averager(); }, out);
        else
          return read_all(all, rows, [](const Derived& rule) { return rule.scorer(); }, out);
      }
    LinearRule::predict_rows_of(all, rows, out);
  }

  void nonzeros(std::vector<std::int32_t>& features, std::vector<double>& weights) const override {
    for (std::int64_t j = 0; j < cells_.size(); ++j) {
      const double weight = final_weight(cells_[j]);
      if (weight == 0) continue;
      features.push_back(static_cast<std::int32_t>(j));
      weights.push_back(weight);
    }
  }
  std::int64_t nonzero_count() const override {
    std::int64_t count = 0;
    for (std::int64_t j = 0; j < cells_.size(); ++j) count += final_weight(cells_[j]) != 0;
    return count;
  }
  double intercept() const override {
    const double constant = averages() ? self().average_constant() : self().constant(clock_);
    return has_bias_ ? constant + final_weight(bias_cell_) : constant;
  }

  void keep_only(std::span<const std::int32_t> features) override {
    auto next = features.begin();
    for (std::int64_t j = 0; j < cells_.size(); ++j) {
      if (next != features.end() && *next == j)
        ++next;
      else if (!Cells<Cell>::is_untouched(cells_[j]))
        cells_[j] = Cell{};
    }
    if (history_) history_->keep_only(features);
    self().after_new_cells();
  }

  void save(State& state, const std::string& prefix) const override {
    cells_.save(state, prefix);
    if (has_bias_) models::save_fields(state, prefix + "bias.", bias_cell_);
    models::save_fields(state, prefix, clock_);
    models::save_fields(state, prefix, numbers_);
    if (history_) history_->save(state, prefix + "history.");
    self().save_rest(state, prefix);
  }
  void load(const State& state, const std::string& prefix, std::int64_t width) override {
    cells_.load(state, prefix, width);
    if (has_bias_) models::load_fields(state, prefix + "bias.", bias_cell_);
    models::load_fields(state, prefix, clock_);
    models::load_fields(state, prefix, numbers_);
    if (history_) history_->load(state, prefix + "history.", width);
    self().load_rest(state, prefix);
  }

  // ---- mixing

  void numbers(const models::EachNumber& each) override {
    Clock::fields(clock_, each);
    Numbers::fields(numbers_, each);
    self().more_numbers(each);
  }
  std::vector<Field> coordinates_of_cells() const override { return MixerOf<Derived>::fields(); }
  CellChange change_since(const LinearRule& start) const override {
    if (history_) throw std::invalid_argument("votes of several learners are not those of any one");
    const auto& from = dynamic_cast<const Derived&>(start);
    const MixerOf<Derived> mixer(from, self());
    return change_between(from.Stored::column(), column(), self().moved_all(from),
                          MixerOf<Derived>::fields().size(), mixer);
  }
  void mix(const LinearRule& start, const CellChange& change, const std::vector<double>& values) override {
    auto value = values.begin();
    numbers([&](const Field&, double& number) { number = *value++; });
    const auto& from = dynamic_cast<const Derived&>(start);
    const MixerOf<Derived> mixer(from, self());
    self().before_mixed_cells();
    put_change(from.Stored::column(), change, column(), mixer);
    self().after_new_cells();
  }

  // How scores come about: `finish` of the sum of value * part(cell) over the features of an example.
  struct Scorer {
    const Derived& rule;
    const Clock clock;
    HEDGEROW_INLINE double part(const Cell& cell) const { return rule.share_of_score(cell, clock); }
    double finish(double sum) const { return rule.factor_of_score(clock) * sum + rule.constant(clock); }
  };
  struct Averager {
    const Derived& rule;
    HEDGEROW_INLINE double part(const Cell& cell) const { return rule.average(cell); }
    double finish(double sum) const { return sum + rule.average_constant(); }
  };

  // Defaults of what Derived may have.
  static constexpr bool scores_are_sums = true;
  static constexpr bool scores_are_weights = false;  // whether share_of_score is what a cell begins with
  Scorer scorer() const { return {self(), clock_}; }
  auto averager() const { return Averager{self()}; }
  double share_of_score(const Cell& cell, const Clock& clock) const { return self().share(cell, clock); }
  double factor_of_score(const Clock& clock) const { return self().common_factor(clock); }
  bool looks_at(std::int32_t) const { return true; }
  double constant(const Clock&) const { return 0; }
  double share(const Cell& cell, const Clock& clock) const { return self().weight(cell, clock); }
  double common_factor(const Clock&) const { return 1; }
  double average_constant() const { return 0; }
  void save_rest(State&, const std::string&) const {}
  void load_rest(const State&, const std::string&) {}
  void more_numbers(const models::EachNumber&) {}
  bool moved_all(const Derived&) const { return false; }
  double weight_in_total(const Cell& cell) const { return self().weight(cell, clock_); }
  double life() const { return 0; }
  void before_mixed_cells() {}
  void after_new_cells() {}
  auto change(const Derived& start, const Cell& before, const Cell& now) const {
    return difference_of(self().coordinates(now), start.coordinates(before));
  }
  Cell changed(const Derived& start, const Cell& before, const auto& added) const {
    return self().cell_at(sum_of(start.coordinates(before), added));
  }

 protected:
  // Kinds of cells are made for averages or for all else.
  static constexpr bool averages() { return Derived::has_total; }

  // Calls body(cell, value) for the features of an example to learn from, and for the bias.
  template <class Body>
  HEDGEROW_INLINE void each(const Entries& x, Body&& body) {
    Cell* cells = cells_.data();
    if (const std::int64_t stride = cells_.stride(); stride == 1)
      for (std::size_t i = 0; i < x.feature.size(); ++i) body(cells[x.feature[i]], x.value[i]);
    else
      for (std::size_t i = 0; i < x.feature.size(); ++i) body(cells[x.feature[i] * stride], x.value[i]);
    if (has_bias_) body(bias_cell_, 1.0);
  }

  // Calls body(cell) for all features so far, and for the bias.
  template <class Body>
  void each_cell(Body&& body) {
    for (std::int64_t j = 0; j < cells_.size(); ++j)
      if (!Cells<Cell>::is_untouched(cells_[j])) body(cells_[j]);
    body(bias_cell_);
  }

  // The sum of value * of(cell) over the features of any example.
  template <class Of>
  HEDGEROW_INLINE double dot(const Entries& x, Of&& of) const {
    return sum(x, [&](const Cell& cell, double value) HEDGEROW_INLINE_BODY { return value * of(cell); });
  }
  // The sum of term(cell, value). Several sums at once, because one would wait for itself; always the same
  // ones, so that the same example has the same score whatever comes with it.
  template <class Term>
  HEDGEROW_INLINE double sum(const Entries& x, Term&& term) const {
    const Cell* cells = cells_.data();
    if (const std::int64_t stride = cells_.stride(); stride == 1)
      return sum(x, [=](std::int32_t feature) HEDGEROW_INLINE_BODY { return cells + feature; }, term);
    else
      return sum(
          x, [=](std::int32_t feature) HEDGEROW_INLINE_BODY { return cells + feature * stride; }, term);
  }
  template <class CellOf, class Term>
  HEDGEROW_INLINE double sum(const Entries& x, CellOf&& cell_of, Term&& term) const {
    const std::size_t n = known_entries(x);
    const std::int32_t* feature = x.feature.data();
    const double* value = x.value.data();
    double sums[4] = {0, 0, 0, 0};
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4)
      for (int lane = 0; lane < 4; ++lane) sums[lane] += term(*cell_of(feature[i + lane]), value[i + lane]);
    for (; i < n; ++i) sums[0] += term(*cell_of(feature[i]), value[i]);
    if (has_bias_) sums[1] += term(bias_cell_, 1.0);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
  // Without features that were not there in learning.
  std::size_t known_entries(const Entries& x) const {
    std::size_t n = x.feature.size();
    while (n > 0 && x.feature[n - 1] >= cells_.size()) --n;
    return n;
  }

  // The sum of squares of the values, that of the bias included.
  double squared_length(const Entries& x) const {
    double sums[4] = {has_bias_ ? 1.0 : 0.0, 0, 0, 0};
    std::size_t i = 0;
    for (; i + 4 <= x.value.size(); i += 4)
      for (int lane = 0; lane < 4; ++lane) sums[lane] += x.value[i + lane] * x.value[i + lane];
    for (; i < x.value.size(); ++i) sums[0] += x.value[i] * x.value[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  const Averaging averaging_;
  const bool has_bias_;
  Cells<Cell> cells_;
  Cell bias_cell_{};
  Clock clock_{};
  Numbers numbers_{};
  // Set by an update that put all cells in a new form, because their numbers were leaving their range.
  bool rewrote_all_ = false;

 private:
  static constexpr std::size_t many = 8;  // functions: fewer are read faster one by one

  const Derived& self() const { return static_cast<const Derived&>(*this); }
  Derived& self() { return static_cast<Derived&>(*this); }

  template <class Reader>
  HEDGEROW_INLINE double read(const Entries& x, const Reader& reader) const {
    return reader.finish(dot(x, [&](const Cell& cell) HEDGEROW_INLINE_BODY { return reader.part(cell); }));
  }

  // The same for all functions of a table at several rows, row-major. For each of them the same sums as in
  // `sum`, to the last bit.
  template <class ReaderOf>
  void read_all(Functions all, std::span<const Entries> rows, ReaderOf&& reader_of, double* out) const {
    using Reader = decltype(reader_of(self()));
    const std::size_t n = cells_.table()->columns();
    std::vector<Reader> readers;
    std::vector<std::size_t> columns;
    // A column without a function is read as if it were the first one's, and its sum left out.
    std::vector<const Derived*> in_column(n, &self());
    for (const auto& function : all) {
      const auto& rule = static_cast<const Derived&>(*function);
      columns.push_back(rule.Stored::cells_.column());
      in_column[columns.back()] = &rule;
    }
    readers.reserve(n);
    for (const Derived* rule : in_column) readers.push_back(reader_of(*rule));
    std::vector<double> sums(4 * n);
    for (const Entries& x : rows) {
      std::ranges::fill(sums, 0.0);
      add_entries_of(x, readers, sums.data());
      for (std::size_t j = 0; j < all.size(); ++j) {
        const std::size_t k = columns[j];
        const double first = sums[k] + sums[n + k];
        out[j] = readers[k].finish(first + (sums[2 * n + k] + sums[3 * n + k]));
      }
      out += all.size();
    }
  }
  template <class Reader>
  void add_entries_of(const Entries& x, const std::vector<Reader>& readers, double* __restrict sums) const {
    const std::size_t entries = known_entries(x), n = readers.size();
    const std::int64_t stride = cells_.stride();
    const Cell* table = cells_.all();
    if constexpr (std::is_same_v<Reader, Scorer> && Derived::scores_are_weights) {
      constexpr std::size_t width = sizeof(Cell) / sizeof(double);
      static_assert(width <= 4);
      add_entries(reinterpret_cast<const double*>(table), stride, width, x.feature.data(), x.value.data(),
                  entries, n, sums);
    } else {
      const std::size_t whole = entries / 4 * 4;
      for (std::size_t i = 0; i < entries; ++i) {
        const Cell* row = table + x.feature[i] * stride;
        const double value = x.value[i];
        double* __restrict to = sums + (i < whole ? i % 4 * n : 0);
        for (std::size_t k = 0; k < n; ++k) to[k] += value * readers[k].part(row[k]);
      }
    }
    if (!has_bias_) return;
    for (std::size_t k = 0; k < n; ++k)
      sums[n + k] += 1.0 * readers[k].part(readers[k].rule.Stored::bias_cell_);
  }

  // The cells as numbers; those of the start of a mixture are only read.
  CellColumn column() const { return cells_.numbers(has_bias_ ? const_cast<Cell*>(&bias_cell_) : nullptr); }

  static models::Layout layout_of_clock() {
    models::Layout layout = models::layout_of<Clock>();
    if (layout.fields.empty()) layout.size = 0;
    return layout;
  }
  // The predictors that this rule went through.
  struct Past final : PastPredictors {
    const Derived& rule;

    explicit Past(const Derived& rule_) : rule(rule_) {}
    bool looks_at(std::int32_t feature) const override { return rule.looks_at(feature); }
    double factor(const double* clock) const override { return rule.common_factor(clock_at(clock, 0)); }
    double constant(const double* clock) const override { return rule.constant(clock_at(clock, 0)); }
    void weights(const double* cell, const double* clocks, std::size_t n, double* out) const override {
      const Cell now = cell ? *reinterpret_cast<const Cell*>(cell) : Cell{};
      for (std::size_t k = 0; k < n; ++k) out[k] = rule.share(now, clock_at(clocks, k));
    }
    static Clock clock_at(const double* clocks, std::size_t k) {
      if constexpr (std::is_empty_v<Clock>)
        return {};
      else
        return reinterpret_cast<const Clock*>(clocks)[k];
    }
  };
  void vote(std::span<const Entries> rows, double* out, std::size_t stride) const {
    if constexpr (!averages()) history_->vote(Past(self()), rows, has_bias_, out, stride);
  }

  double final_weight(const Cell& cell) const {
    if (Cells<Cell>::is_untouched(cell)) return 0;
    return averages() ? self().average(cell) : self().weight(cell, clock_);
  }

  std::optional<CellHistory> history_;  // when it votes
};

}  // namespace hedgerow::linear
