#include "structured/cuts.hpp"

#include <algorithm>
#include <stdexcept>

#include "parallel.hpp"

namespace hedgerow::structured {

namespace {

constexpr std::int64_t chunk = 1024;  // examples whose outputs are held at once

double violation_of(const Constraint& constraint, std::span<const double> scores) {
  return constraint.offset - known_product(constraint.row(), scores);
}

}  // namespace

std::vector<double> CutSet::add(Cut cut, int threads) {
  if (!cut.indices.empty()) size_ = std::max<std::int64_t>(size_, cut.indices.back() + 1);
  std::vector<double> products(cuts_.size() + 1);
  image_.assign(size_, 0.0);
  space_->add_image({cut.indices, cut.values}, 1.0, image_);
  cuts_.push_back(std::move(cut));
  parallel_rows(0, static_cast<std::int64_t>(cuts_.size()), threads, [&](std::int64_t t, int) {
    products[t] = product({cuts_[t].indices, cuts_[t].values}, image_);
  });
  return products;
}

std::vector<double> CutSet::combine(std::span<const double> multipliers, int threads) const {
  if (multipliers.size() != cuts_.size())
    throw std::invalid_argument("there must be a multiplier for each cut");
  std::vector<Term> terms;
  for (std::size_t t = 0; t < cuts_.size(); ++t)
    if (multipliers[t] != 0) terms.push_back({{cuts_[t].indices, cuts_[t].values}, multipliers[t]});
  std::vector<double> sum(size_);
  add_rows(terms, sum, threads);
  return sum;
}

void CutSet::keep(std::span<const bool> kept) {
  if (kept.size() != cuts_.size()) throw std::invalid_argument("there must be a mark for each cut");
  std::size_t next = 0;
  for (std::size_t t = 0; t < cuts_.size(); ++t)
    if (kept[t]) std::swap(cuts_[next++], cuts_[t]);
  cuts_.resize(next);
}

CutMaker::CutMaker(std::shared_ptr<const Oracle> oracle, Question question, std::size_t cache_size)
    : oracle_(std::move(oracle)),
      question_(question),
      cache_size_(cache_size),
      cache_(static_cast<std::size_t>(oracle_->examples())) {}

Cut CutMaker::from_oracle(std::span<const double> scores, int threads) {
  ++calls_;
  clear_sum(scores);
  Cut cut;
  std::vector<Found> found(std::min(chunk, oracle_->examples()));
  std::vector<Term> terms;
  for (std::int64_t begin = 0; begin < oracle_->examples(); begin += chunk) {
    const std::int64_t end = std::min(begin + chunk, oracle_->examples());
    parallel_rows(begin, end, oracle_->parallel() ? threads : 1,
                  [&](std::int64_t example, int) { find(example, scores, found[example - begin]); });
    terms.clear();
    for (const Found& one : std::span(found).first(end - begin))
      if (one.violation > 0) note(one.constraint, one.violation, cut, terms);
    add_rows(terms, sum_, threads);
  }
  take_nonzeros(sum_, cut.indices, cut.values, threads);
  return cut;
}

void CutMaker::find(std::int64_t example, std::span<const double> scores, Found& out) {
  oracle_->find(example, scores, question_, out.candidate);
  out.violation = 0;
  if (out.candidate.correct) return;
  out.constraint = constraint_from(out.candidate, question_);
  out.violation = violation_of(out.constraint, scores);
  if (out.violation > 0) remember(example, out.constraint);
}

Cut CutMaker::from_cache(std::span<const double> scores, int threads) {
  ++calls_;
  clear_sum(scores);
  struct Best {
    Cached* cached = nullptr;
    double violation = 0;
  };
  std::vector<Best> found(cache_.size());
  parallel_rows(0, static_cast<std::int64_t>(cache_.size()), threads, [&](std::int64_t example, int) {
    Best& best = found[example];
    for (Cached& cached : cache_[example]) {
      const double violation = violation_of(cached.constraint, scores);
      if (violation > best.violation) best = {&cached, violation};
    }
  });
  Cut cut;
  std::vector<Term> terms;
  for (const Best& best : found) {
    if (!best.cached) continue;
    note(best.cached->constraint, best.violation, cut, terms);
    best.cached->used = calls_;
  }
  add_rows(terms, sum_, threads);
  take_nonzeros(sum_, cut.indices, cut.values, threads);
  return cut;
}

void CutMaker::clear_sum(std::span<const double> scores) {
  // A search that was interrupted may have left something.
  sum_.assign(std::max(sum_.size(), scores.size()), 0.0);
}

void CutMaker::note(const Constraint& constraint, double violation, Cut& cut, std::vector<Term>& terms) {
  if (!constraint.indices.empty() && static_cast<std::size_t>(constraint.indices.back()) >= sum_.size())
    sum_.resize(constraint.indices.back() + 1);
  terms.push_back({constraint.row()});
  cut.offset += constraint.offset;
  cut.height += violation;
}

void CutMaker::remember(std::int64_t example, const Constraint& constraint) {
  if (cache_size_ == 0) return;
  std::vector<Cached>& known = cache_[example];
  for (Cached& cached : known)
    if (cached.constraint.same_as(constraint)) {
      cached.used = calls_;
      return;
    }
  if (known.size() < cache_size_)
    known.push_back({constraint, calls_});
  else  // in place of the one that has been of no use for longest
    *std::ranges::min_element(known, {}, &Cached::used) = {constraint, calls_};
}

}  // namespace hedgerow::structured
