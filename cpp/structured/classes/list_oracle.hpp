// Reranking: every example has a list of candidates, which have their own features.
//
// Psi(x, y) are the features of candidate y. M. Collins, N. Duffy: New ranking algorithms for parsing and
// tagging, ACL 2002.
#pragma once

#include <memory>

#include "models/items.hpp"
#include "structured/oracle.hpp"

namespace hedgerow::structured::classes {

class ListOracle final : public Oracle {
 public:
  // `candidates` has a row of features for each candidate; those of example i are begin[i] to begin[i + 1].
  // `truths` are rows too. `losses` has a value for each candidate, 0 for the true ones.
  ListOracle(std::shared_ptr<const models::SparseItems> candidates, std::span<const std::int64_t> begin,
             std::span<const std::int64_t> truths, std::span<const double> losses,
             std::shared_ptr<const void> owner);

  std::int64_t examples() const override { return static_cast<std::int64_t>(truths_.size()); }
  std::int64_t features() const override { return candidates_->width; }
  void find(std::int64_t example, std::span<const double> weights, Question question,
            Candidate& found) const override;

 private:
  std::shared_ptr<const models::SparseItems> candidates_;
  std::span<const std::int64_t> begin_, truths_;
  std::span<const double> losses_;
  std::shared_ptr<const void> owner_;
};

}  // namespace hedgerow::structured::classes
