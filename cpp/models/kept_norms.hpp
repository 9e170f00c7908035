// Norms of the trees of a batch, which every pass over the same trees needs anew.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "brief_mutex.hpp"
#include "data/forest.hpp"
#include "kernels/tree_norms.hpp"
#include "kernels/tree_parameters.hpp"

namespace hedgerow::models {

// Those of one kernel, the last that was asked about: one number for each tree, TreeNorm::inverse, or not a
// number for extreme ones, which are computed anew.
class KeptNorms {
 public:
  using Parameters = std::variant<kernels::SubsetTreeParameters, kernels::PartialTreeParameters>;
  using Values = std::shared_ptr<const std::vector<double>>;

  // Null when there are none.
  Values find(const Parameters& parameters) const {
    const std::lock_guard lock(brief_mutex(this));
    return parameters == parameters_ ? values_ : nullptr;
  }
  void keep(const Parameters& parameters, Values values) {
    const std::lock_guard lock(brief_mutex(this));
    parameters_ = parameters;
    values_.swap(values);
  }
  // Takes over those of some trees of another batch.
  void select(const KeptNorms& other, std::span<const std::int64_t> trees) {
    const std::lock_guard lock(brief_mutex(&other));
    if (!other.values_) return;
    std::vector<double> values;
    values.reserve(trees.size());
    for (const std::int64_t tree : trees) values.push_back((*other.values_)[tree]);
    parameters_ = other.parameters_;
    values_ = std::make_shared<const std::vector<double>>(std::move(values));
  }

 private:
  Parameters parameters_;
  Values values_;
};

// Norms for a pass over trees [begin, end) of a batch: as they are kept, or else computed, and kept if these
// are all.
template <class Parameters>
class PassNorms {
 public:
  PassNorms(KeptNorms& kept, const Parameters& parameters, const data::Forest& forest, std::int64_t begin,
            std::int64_t end)
      : kept_(kept), parameters_(parameters), forest_(forest), known_(kept.find(parameters)) {
    constexpr std::int64_t worth_keeping = 32;  // trees
    if (!known_ && end - begin == forest.size() && forest.size() >= worth_keeping)
      fresh_.resize(forest.size());
  }

  // For several threads, each with self-kernels of its own.
  kernels::TreeNorm operator()(std::int64_t tree, kernels::TreeSelfKernels<Parameters>& self_kernels) {
    if (known_ && !std::isnan((*known_)[tree])) return {(*known_)[tree], false, {}};
    const kernels::TreeNorm norm = self_kernels.norm(forest_[tree]);
    if (!fresh_.empty())
      fresh_[tree] = norm.is_extreme ? std::numeric_limits<double>::quiet_NaN() : norm.inverse;
    return norm;
  }

  // At the end of the pass, if it has asked for all of them.
  void keep() {
    if (!fresh_.empty())
      kept_.keep(parameters_, std::make_shared<const std::vector<double>>(std::move(fresh_)));
  }

 private:
  KeptNorms& kept_;
  Parameters parameters_;
  const data::Forest& forest_;
  KeptNorms::Values known_;
  std::vector<double> fresh_;
};

}  // namespace hedgerow::models
