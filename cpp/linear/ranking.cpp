#include "linear/ranking.hpp"

#include <stdexcept>
#include <string>

namespace hedgerow::linear {

CandidateItems::CandidateItems(std::shared_ptr<const models::Items> vectors, std::vector<std::int64_t> begins,
                               std::vector<std::int64_t> oracles, std::vector<std::uint8_t> rivals)
    : candidates(std::move(vectors)),
      begin(std::move(begins)),
      oracle(std::move(oracles)),
      rival(std::move(rivals)) {
  const std::int64_t n = candidates->size();
  if (begin.size() != oracle.size() + 1 || begin.front() != 0 || begin.back() != n ||
      static_cast<std::int64_t>(rival.size()) != n)
    throw std::invalid_argument("the arrays of the candidate lists do not fit together");
  for (std::size_t list = 0; list < oracle.size(); ++list)
    if (oracle[list] < begin[list] || oracle[list] >= begin[list + 1] || begin[list + 1] > n ||
        rival[oracle[list]])
      throw std::invalid_argument("the oracle of list " + std::to_string(list) + " is not of that list");
}

std::shared_ptr<const models::Items> CandidateItems::select(std::span<const std::int64_t> items) const {
  std::vector<std::int64_t> rows, begins{0}, oracles;
  std::vector<std::uint8_t> rivals;
  for (const std::int64_t list : items) {
    oracles.push_back(begins.back() + oracle[list] - begin[list]);
    for (std::int64_t row = begin[list]; row < begin[list + 1]; ++row) {
      rows.push_back(row);
      rivals.push_back(rival[row]);
    }
    begins.push_back(static_cast<std::int64_t>(rows.size()));
  }
  return std::make_shared<CandidateItems>(candidates->select(rows), std::move(begins), std::move(oracles),
                                          std::move(rivals));
}

RankingLearner::RankingLearner(const LinearRule& rule, std::int64_t trace_every, online::Counting counting,
                               double half_life)
    : LinearLearner(rule, online::Codes({-1, 1}, 2, online::Decoding::binary), trace_every, counting,
                    half_life) {}

void RankingLearner::open(std::shared_ptr<const models::Items> lists) {
  models::items_as<CandidateItems>(*lists, "candidate lists");
  lists_ = std::static_pointer_cast<const CandidateItems>(lists);
  LinearLearner::open(lists_->candidates);
}

void RankingLearner::close() {
  LinearLearner::close();
  lists_.reset();
}

bool RankingLearner::visit(std::int64_t list, std::int64_t, double* scores) {
  std::int64_t best = -1;
  double highest = 0;
  for (std::int64_t row = lists_->begin[list]; row < lists_->begin[list + 1]; ++row) {
    if (!lists_->rival[row]) continue;
    const double score = function(0).score(vectors_.entries(row, rival_scratch_));
    if (best >= 0 && !(score > highest)) continue;
    best = row;
    highest = score;
  }
  if (best >= 0) {
    subtract(vectors_.entries(lists_->oracle[list], scratch_), vectors_.entries(best, rival_scratch_),
             difference_);
  } else {
    difference_.feature.clear();
    difference_.value.clear();
  }
  return show({difference_.feature, difference_.value}, scores);
}

void subtract(const models::Entries& a, const models::Entries& b, models::EntryScratch& difference) {
  difference.feature.clear();
  difference.value.clear();
  const auto put = [&](std::int32_t feature, double value) {
    if (value == 0) return;
    difference.feature.push_back(feature);
    difference.value.push_back(value);
  };
  std::size_t i = 0, j = 0;
  while (i < a.feature.size() && j < b.feature.size()) {
    if (a.feature[i] < b.feature[j]) {
      put(a.feature[i], a.value[i]);
      ++i;
    } else if (a.feature[i] > b.feature[j]) {
      put(b.feature[j], -b.value[j]);
      ++j;
    } else {
      put(a.feature[i], a.value[i] - b.value[j]);
      ++i;
      ++j;
    }
  }
  for (; i < a.feature.size(); ++i) put(a.feature[i], a.value[i]);
  for (; j < b.feature.size(); ++j) put(b.feature[j], -b.value[j]);
}

}  // namespace hedgerow::linear
