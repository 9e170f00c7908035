#include "linear/cell_history.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <stdexcept>

#include "linear/vote_loops.hpp"

namespace hedgerow::linear {

void CellHistory::begin(const void* clock) {
  const auto* numbers = static_cast<const double*>(clock);
  clocks_.insert(clocks_.end(), numbers, numbers + clock_width());
  counts_.push_back(0);
}

void CellHistory::touch(std::int32_t feature, const double* cell) {
  touches_[feature].push_back(static_cast<std::int64_t>(features_.size()));
  features_.push_back(feature);
  predictors_.push_back(static_cast<std::int64_t>(counts_.size()) - 1);
  cells_.insert(cells_.end(), cell, cell + cell_width());
}

void CellHistory::touch(std::span<const std::int32_t> features, const CellColumn& cells) {
  for (const std::int32_t feature : features) touch(feature, cells[feature]);
  if (cells.bias) touch(bias, cells.bias);
}

void CellHistory::touch_all(const CellColumn& cells) {
  for (std::int64_t j = 0; j < cells.size; ++j)
    if (!cells.is_untouched(cells[j])) touch(static_cast<std::int32_t>(j), cells[j]);
  if (cells.bias) touch(bias, cells.bias);
}

std::size_t CellHistory::growth() const {
  return 2 * (clocks_.capacity() * sizeof(double) + counts_.capacity() * 8 +
              cells_.capacity() * sizeof(double) + features_.capacity() * 12) +
         64 * touches_.size();
}

// A few predictors at a time, and all rows: the weights that these predictors have for a feature stand beside
// each other in a table, made from the touches of the feature, and are added to the scores of all these
// predictors at once. Sums are those of each predictor alone, to the last bit.
void CellHistory::vote(const PastPredictors& rule, std::span<const models::Entries> rows, bool has_bias,
                       double* out, std::size_t stride) const {
  std::vector<std::int32_t> features;
  for (const models::Entries& x : rows)
    std::ranges::copy_if(x.feature, std::back_inserter(features),
                         [&](std::int32_t feature) { return rule.looks_at(feature); });
  if (has_bias) features.push_back(bias);
  std::ranges::sort(features);
  features.erase(std::unique(features.begin(), features.end()), features.end());
  std::vector<Line> lines;
  for (const std::int32_t feature : features)
    if (const auto found = touches_.find(feature); found != touches_.end())
      lines.push_back({found->second});
    else
      lines.push_back({});

  // The entries of all rows, the bias last.
  std::vector<VoteEntry> entries;
  std::vector<std::size_t> ends;
  for (const models::Entries& x : rows) {
    for (std::size_t i = 0; i < x.feature.size(); ++i) {
      if (!rule.looks_at(x.feature[i])) continue;
      const std::size_t line = std::ranges::lower_bound(features, x.feature[i]) - features.begin();
      entries.push_back({line * voters, x.value[i]});
    }
    if (has_bias) entries.push_back({0, 1.0});
    ends.push_back(entries.size());
  }

  const double total = std::accumulate(counts_.begin(), counts_.end(), 0.0);
  std::vector<double> table(lines.size() * voters), votes(rows.size(), 0.0);
  for (std::size_t first = 0; first < counts_.size(); first += voters) {
    const std::size_t n = std::min(voters, counts_.size() - first);
    for (std::size_t line = 0; line < lines.size(); ++line)
      fill(rule, lines[line], first, n, table.data() + line * voters);
    Voters group;
    for (std::size_t k = 0; k < n; ++k) {
      group.factors[k] = rule.factor(clock(first + k));
      group.constants[k] = rule.constant(clock(first + k));
      group.counts[k] = total > 0 ? static_cast<double>(counts_[first + k]) : first + k + 1 == counts_.size();
    }
    add_votes(table.data(), group, entries, ends, votes.data());
  }
  for (std::size_t row = 0; row < rows.size(); ++row)
    out[row * stride] = total > 0 ? votes[row] / total : votes[row];
}

void CellHistory::keep_only(std::span<const std::int32_t> features) {
  CellHistory kept(cell_, clock_);
  std::size_t event = 0;
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    kept.begin(clock(k));
    kept.counts_.back() = counts_[k];
    for (; event < features_.size() && predictors_[event] == static_cast<std::int64_t>(k); ++event)
      if (features_[event] == bias || std::ranges::binary_search(features, features_[event]))
        kept.touch(features_[event], cell(event));
  }
  *this = std::move(kept);
}

void CellHistory::save(models::State& state, const std::string& prefix) const {
  state.set(prefix + "features", features_);
  state.set(prefix + "predictors", predictors_);
  state.set(prefix + "counts", counts_);
  models::save_columns(state, prefix, cell_, cells_.data(), features_.size());
  models::save_columns(state, prefix, clock_, clocks_.data(), counts_.size());
}

void CellHistory::load(const models::State& state, const std::string& prefix, std::int64_t size) {
  const auto last = static_cast<std::int32_t>(std::min<std::int64_t>(size - 1, INT32_MAX));
  const auto& features = models::whole_numbers_in<std::int32_t>(bias, last, state, prefix + "features");
  const auto& predictors = state.get<std::int64_t>(prefix + "predictors", features.size());
  const auto& counts =
      models::whole_numbers_in<std::int64_t>(0, models::most_counted, state, prefix + "counts");
  std::vector<double> cells(features.size() * cell_width()), clocks(counts.size() * clock_width());
  models::load_columns(state, prefix, cell_, cells.data(), features.size());
  models::load_columns(state, prefix, clock_, clocks.data(), counts.size());
  CellHistory loaded(cell_, clock_);
  std::size_t event = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    loaded.begin(clocks.data() + k * clock_width());
    loaded.counts_.back() = counts[k];
    for (; event < features.size() && predictors[event] == static_cast<std::int64_t>(k); ++event)
      loaded.touch(features[event], cells.data() + event * cell_width());
  }
  if (event != features.size()) throw std::invalid_argument(prefix + "predictors are out of order");
  *this = std::move(loaded);
}

// The weights, before common factors, that n predictors from `first` on have for a feature.
void CellHistory::fill(const PastPredictors& rule, Line& line, std::size_t first, std::size_t n,
                       double* weights) const {
  const std::size_t last = first + n;
  for (std::size_t k = first; k < last;) {
    std::size_t end = last;
    for (; line.passed < line.touches.size(); ++line.passed)
      if (const auto at = static_cast<std::size_t>(predictors_[line.touches[line.passed]]); at > k) {
        end = std::min(end, at);
        break;
      }
    const double* now = line.passed > 0 ? cell(line.touches[line.passed - 1]) : nullptr;
    rule.weights(now, clock(k), end - k, weights + (k - first));
    k = end;
  }
}

}  // namespace hedgerow::linear
