// Complete subtrees: every feature is a group, so lists by group give the values themselves.
#include <cmath>
#include <stdexcept>

#include "kernels/tree_features.hpp"
#include "neighbors/indexed_kernel.hpp"
#include "parallel.hpp"

namespace hedgerow::neighbors {
namespace {

void take(const kernels::FeatureCounts& counts, std::int32_t known, Described& x) {
  x.self = counts.self_kernel();
  x.norm = {x.self > 0 ? 1 / std::sqrt(x.self) : 0, false, {}};
  x.has_bounds = true;
  x.parts.clear();
  for (const kernels::FeatureCount& each : counts.entries())
    if (each.feature < known) x.parts.push_back({each.feature, static_cast<double>(each.count)});
}

class SubtreeComparison final : public Comparison {
 public:
  SubtreeComparison(double decay, const kernels::Vocabulary& subtrees, const data::Symbols& index)
      : extract_(decay), subtrees_(subtrees), index_(index) {}

  void set(const data::TreeView& own, const data::TreeView& known, Described& x) override {
    // Labels that the index lacks still differ from each other.
    labels_.resize(own.size);
    for (std::int32_t v = 0; v < own.size; ++v)
      labels_[v] = known.label[v] >= 0 ? known.label[v] : index_.labels.size() + own.label[v];
    data::TreeView tree = own;
    tree.label = labels_.data();
    counts_.clear();
    kernels::FixedVocabulary names(subtrees_, unknown_);
    extract_({tree}, names, counts_);
    take(counts_, subtrees_.size(), x);
  }

  double kernel(const data::TreeView&) override { throw std::logic_error("the parts give the value"); }
  double normalized(const data::TreeView& y, const kernels::TreeNorm&) override { return kernel(y); }
  std::vector<double> row(std::span<const data::TreeView>, bool) override {
    throw std::logic_error("the parts give the values");
  }

 private:
  kernels::SubtreeExtractor extract_;
  const kernels::Vocabulary& subtrees_;
  const data::Symbols& index_;
  kernels::Vocabulary unknown_;
  kernels::FeatureCounts counts_;
  std::vector<std::int32_t> labels_;
};

class SubtreeKernel final : public IndexedKernel {
 public:
  explicit SubtreeKernel(double decay) : decay_(decay) {}

  std::unique_ptr<IndexedKernel> empty() const override { return std::make_unique<SubtreeKernel>(decay_); }
  std::int32_t groups() const override { return subtrees_.size(); }
  const double* feature_weights() const override { return subtrees_.weights().data(); }

  void describe(std::span<const data::TreeView> trees, int,
                const std::function<void(const Described&)>& each) override {
    kernels::SubtreeExtractor extract(decay_);
    kernels::FeatureCounts counts;
    Described x;
    for (const data::TreeView& tree : trees) {
      stop_if_asked();
      counts.clear();
      extract({tree}, subtrees_, counts);
      take(counts, subtrees_.size(), x);
      each(x);
    }
  }

  std::unique_ptr<Comparison> comparison(const std::shared_ptr<const data::Symbols>& index) const override {
    return std::make_unique<SubtreeComparison>(decay_, subtrees_, *index);
  }

 private:
  double decay_;
  kernels::Vocabulary subtrees_;
};

}  // namespace

std::unique_ptr<IndexedKernel> indexed_subtrees(double decay) {
  return std::make_unique<SubtreeKernel>(decay);
}

}  // namespace hedgerow::neighbors
