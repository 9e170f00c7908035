// RankingLearner: learning to put the best candidate of a list first, with any linear learner.
//
// A list has candidates h with vectors phi(h), and one of them, h*, is the oracle. With w the last predictor,
//   h~ = argmax over the rivals h of h* of w.phi(h),   x = phi(h*) - phi(h~),
// and x is an example to learn from with the label +1: w.x <= 0 is a mistake.
//
// T. Xu, J. Gao, L. Xiao, A. Regan: Online classification using a voted RDA method, section 6; M. Collins:
// Discriminative reranking for natural language parsing, ICML 2000.
#pragma once

#include <memory>
#include <vector>

#include "linear/linear_learner.hpp"

namespace hedgerow::linear {

// Candidates of all lists, one after the other.
struct CandidateItems final : models::Items {
  // begin: of each list among the candidates, and the end. oracle: for each list the number of a candidate of
  // it. rival: for each candidate, whether it is a rival of its list's oracle, which itself is none.
  CandidateItems(std::shared_ptr<const models::Items> vectors, std::vector<std::int64_t> begins,
                 std::vector<std::int64_t> oracles, std::vector<std::uint8_t> rivals);

  std::int64_t size() const override { return static_cast<std::int64_t>(oracle.size()); }
  const char* kind() const override { return "candidate lists"; }
  std::shared_ptr<const models::Items> select(std::span<const std::int64_t> items) const override;

  std::shared_ptr<const models::Items> candidates;
  std::vector<std::int64_t> begin, oracle;
  std::vector<std::uint8_t> rival;
};

class RankingLearner final : public LinearLearner {
 public:
  RankingLearner(const LinearRule& rule, std::int64_t trace_every, online::Counting counting,
                 double half_life);

  void open(std::shared_ptr<const models::Items> lists) override;
  void close() override;

 private:
  // Shows x. Without rivals that is no entry at all; such lists should have the weight 0.
  bool visit(std::int64_t list, std::int64_t number, double* scores) override;
  // Of the last predictor too: the trace counts the mistakes that learning is driven by.
  void predictions(double* out) override { *out = scores_[0]; }

  std::shared_ptr<const CandidateItems> lists_;
  models::EntryScratch rival_scratch_, difference_;
};

// a - b, without zeros.
void subtract(const models::Entries& a, const models::Entries& b, models::EntryScratch& difference);

}  // namespace hedgerow::linear
