#include "structured/cuts.hpp"

#include <algorithm>
#include <stdexcept>

#include "parallel.hpp"

namespace hedgerow::structured {

namespace {

constexpr std::int64_t chunk = 1024;  // examples whose outputs are held at once

// Adds up constraints that are violated.
class Sum {
 public:
  explicit Sum(std::size_t size) : values_(size) {}

  void add(const Constraint& constraint, double violation) {
    if (!constraint.indices.empty() && static_cast<std::size_t>(constraint.indices.back()) >= values_.size())
      values_.resize(constraint.indices.back() + 1);
    for (std::size_t k = 0; k < constraint.indices.size(); ++k)
      values_[constraint.indices[k]] += constraint.values[k];
    cut_.offset += constraint.offset;
    cut_.height += violation;
  }

  Cut finish() {
    for (std::size_t k = 0; k < values_.size(); ++k)
      if (values_[k] != 0) {
        cut_.indices.push_back(static_cast<std::int32_t>(k));
        cut_.values.push_back(values_[k]);
      }
    return std::move(cut_);
  }

 private:
  std::vector<double> values_;
  Cut cut_;
};

double violation_of(const Constraint& constraint, std::span<const double> scores) {
  return constraint.offset - known_product(constraint.row(), scores);
}

}  // namespace

std::vector<double> CutSet::add(Cut cut) {
  if (!cut.indices.empty()) size_ = std::max<std::int64_t>(size_, cut.indices.back() + 1);
  std::vector<double> image(size_), products;
  space_->add_image({cut.indices, cut.values}, 1.0, image);
  cuts_.push_back(std::move(cut));
  for (const Cut& known : cuts_) {
    stop_if_asked();
    products.push_back(product({known.indices, known.values}, image));
  }
  return products;
}

std::vector<double> CutSet::combine(std::span<const double> multipliers) const {
  if (multipliers.size() != cuts_.size())
    throw std::invalid_argument("there must be a multiplier for each cut");
  std::vector<double> sum(size_);
  for (std::size_t t = 0; t < cuts_.size(); ++t) {
    if (multipliers[t] == 0) continue;
    for (std::size_t k = 0; k < cuts_[t].indices.size(); ++k)
      sum[cuts_[t].indices[k]] += multipliers[t] * cuts_[t].values[k];
  }
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
  Sum sum(scores.size());
  std::vector<Found> found(std::min(chunk, oracle_->examples()));
  for (std::int64_t begin = 0; begin < oracle_->examples(); begin += chunk) {
    const std::int64_t end = std::min(begin + chunk, oracle_->examples());
    parallel_rows(begin, end, oracle_->parallel() ? threads : 1,
                  [&](std::int64_t example, int) { find(example, scores, found[example - begin]); });
    // Added up in their order, so that sums do not depend on threads.
    for (std::int64_t example = begin; example < end; ++example) {
      const Found& one = found[example - begin];
      if (one.violation > 0) sum.add(one.constraint, one.violation);
    }
  }
  return sum.finish();
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
  Sum sum(scores.size());
  for (const Best& best : found) {
    if (!best.cached) continue;
    sum.add(best.cached->constraint, best.violation);
    best.cached->used = calls_;
  }
  return sum.finish();
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
