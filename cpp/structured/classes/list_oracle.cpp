#include "structured/classes/list_oracle.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "models/row_checks.hpp"
#include "structured/classes/output_sets.hpp"
#include "structured/classes/sparse_rows.hpp"

namespace hedgerow::structured::classes {

ListOracle::ListOracle(std::shared_ptr<const models::SparseItems> candidates,
                       std::span<const std::int64_t> begin, std::span<const std::int64_t> truths,
                       std::span<const double> losses, std::shared_ptr<const void> owner)
    : candidates_(std::move(candidates)),
      begin_(begin),
      truths_(truths),
      losses_(losses),
      owner_(std::move(owner)) {
  const auto n = static_cast<std::size_t>(candidates_->size());
  if (!models::rows_follow(begin, n) || begin.size() != truths.size() + 1 || losses.size() != n)
    throw std::invalid_argument("lists, their true candidates and losses do not fit together");
  for (std::size_t example = 0; example < truths.size(); ++example)
    if (truths[example] < begin[example] || truths[example] >= begin[example + 1])
      throw std::invalid_argument("list " + std::to_string(example) + " has no true candidate");
  if (!models::all_finite(losses) || std::ranges::any_of(losses, [](double loss) { return loss < 0; }))
    throw std::invalid_argument("losses must be finite and at least 0");
  if (candidates_->width > std::numeric_limits<std::int32_t>::max())
    throw std::invalid_argument("at most 2147483647 features can be numbered");
}

void ListOracle::find(std::int64_t example, std::span<const double> weights, Question question,
                      Candidate& found) const {
  static thread_local std::vector<double> scores;
  const std::int64_t begin = begin_[example], size = begin_[example + 1] - begin, truth = truths_[example];
  scores.resize(size);
  for (std::int64_t place = 0; place < size; ++place)
    scores[place] = dot(row_of(*candidates_, begin + place), weights);
  const Alternatives alternatives{{}, losses_.subspan(begin, size), truth - begin};
  const std::int64_t place = choose(scores, alternatives, question);
  found.clear();
  if (begin + place == truth) return;
  found.correct = false;
  found.loss = alternatives.loss(place);
  subtract(row_of(*candidates_, truth), row_of(*candidates_, begin + place),
           [&](std::int32_t feature, double value) { found.add(feature, value); });
}

}  // namespace hedgerow::structured::classes
