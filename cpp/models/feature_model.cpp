#include "models/feature_model.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/kmers.hpp"
#include "kernels/tree_features.hpp"
#include "kernels/vocabulary.hpp"
#include "models/fields.hpp"
#include "models/overflow.hpp"
#include "models/sequence_store.hpp"
#include "models/tree_store.hpp"
#include "parallel.hpp"

namespace hedgerow::models {

namespace {

template <class Store, class Extractor>
class FeatureModel final : public KernelModel {
 public:
  FeatureModel(std::int32_t columns, const Extractor& extractor, bool normalized)
      : KernelModel(columns),
        extractor_(extractor),
        normalized_(normalized),
        item_(extractor),
        support_(extractor) {}

  std::unique_ptr<KernelModel> empty(std::int32_t columns) const override {
    return std::make_unique<FeatureModel>(columns, extractor_, normalized_);
  }
  std::int32_t slots() const override { return store_.slots(); }
  std::size_t growth() const override {
    const std::size_t each = 192 + 32 * static_cast<std::size_t>(columns());
    return KernelModel::growth() + store_.growth() + each * index_.vocabulary.size();
  }

  void open(std::shared_ptr<const Items> batch) override {
    store_.open(std::move(batch));
    described_item_ = none;
  }
  void close() override {
    store_.close();
    described_item_ = none;
  }
  double self_kernel(std::int64_t item) override { return describe_item(item).self_kernel(normalized_); }
  void scores(std::int64_t item, std::int32_t columns, double* out) override {
    score(describe_item(item), columns, out);
  }
  void row(std::int64_t item, double* out) override { fill_row(describe_item(item), out); }

  void put(std::int32_t slot, std::int64_t item) override {
    if (slot < slots() && !store_.is_free(slot))
      throw std::invalid_argument("slot " + std::to_string(slot) + " is in use");
    describe_item(item).self_kernel(normalized_);  // throws before anything changes
    store_.put(slot, item);
    weights_.resize(static_cast<std::size_t>(slots()) * columns(), 0.0);
    index_.add(slot, store_.support(slot), support_);
    index_.fit(columns());
    joined_.resize(weights_.size(), 0);
    described_support_ = slot;
    described_item_ = none;  // features that were unknown may be known now
    factors_.resize(slots(), 0.0);
    factors_[slot] = support_.factor(normalized_);
  }

  void add_weight(std::int32_t slot, std::int32_t column, double delta) override {
    const std::size_t place = static_cast<std::size_t>(slot) * columns() + column;
    weights_[place] += delta;
    const Description& support = describe_support(slot);
    if (!joined_[place]) join(slot, column, support);
    add_to_sums(support, column, delta * factors_[slot]);
  }
  void drop_weight(std::int32_t slot, std::int32_t column) override {
    const std::size_t place = static_cast<std::size_t>(slot) * columns() + column;
    if (!joined_[place]) return;
    const Description& support = describe_support(slot);
    if (weights_[place] != 0) add_to_sums(support, column, -weights_[place] * factors_[slot]);
    weights_[place] = 0;
    joined_[place] = 0;
    // What no support of the column has any more weighs nothing at all: rounding must not decide the sign of
    // a score.
    for (const kernels::FeatureCount& e : support.counts.entries()) {
      const std::size_t at = static_cast<std::size_t>(e.feature) * columns() + column;
      if (--index_.users[at] == 0) index_.sums[at] = 0;
    }
  }
  void scale_weights(std::int32_t column, double factor) override {
    for (std::vector<double>* values : {&weights_, &index_.sums})
      for (std::size_t i = column; i < values->size(); i += columns()) (*values)[i] *= factor;
  }
  void rearrange(std::span<const std::int32_t> from) override {
    for (std::vector<double>* values : {&weights_, &index_.sums}) rearrange_rows(*values, columns(), from);
    rearrange_rows(joined_, columns(), from);
    rearrange_rows(index_.users, columns(), from);
    KernelModel::rearrange(from);
  }
  void erase(std::int32_t slot) override {
    for (std::int32_t c = 0; c < columns(); ++c) drop_weight(slot, c);
    factors_[slot] = 0;
    index_.remove(slot, describe_support(slot));
    store_.erase(slot);
    described_support_ = none;
    if (store_.is_wasteful() || index_.is_wasteful()) compact();
  }
  double support_self_kernel(std::int32_t slot) override {
    return describe_support(slot).self_kernel(normalized_);
  }
  void support_scores(std::int32_t slot, std::int32_t columns, double* out) override {
    score(describe_support(slot), columns, out);
  }
  void support_row(std::int32_t slot, double* out) override { fill_row(describe_support(slot), out); }
  std::shared_ptr<const Items> supports(std::span<const std::int32_t> slots) const override {
    return store_.supports(slots);
  }

  void score_batch(const Items& batch, std::int32_t columns, int threads, double* out) const override {
    for_each_item(batch, 0, batch.size(), threads,
                  [&](std::int64_t i, const Description& item) { score(item, columns, out + i * columns); });
  }
  void some_rows(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                 double* out) const override {
    for_each_item(batch, begin, end, threads, [&](std::int64_t i, const Description& item) {
      fill_row(item, out + (i - begin) * slots());
    });
  }
  void some_self_kernels(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                         double* out) const override {
    for_each_item(batch, begin, end, threads, [&](std::int64_t i, const Description& item) {
      out[i - begin] = item.self_kernel(normalized_);
    });
  }

  void save(State& state, const std::string& prefix) const override {
    store_.save(state, prefix);
    state.set(prefix + "weights", weights_);
    state.set(prefix + "joined", joined_);
    // Sums in the order in which `load` will find the features.
    state.set(prefix + "sums", compacted(store_).sums);
  }
  void load(const State& state, const std::string& prefix) override {
    store_.load(state, prefix);
    weights_ = numbers_in(finite, state, prefix + "weights", static_cast<std::size_t>(slots()) * columns());
    joined_.resize(weights_.size());
    std::ranges::transform(weights_, joined_.begin(), [](double weight) { return weight != 0; });
    if (state.has(prefix + "joined")) joined_ = state.get<std::uint8_t>(prefix + "joined", weights_.size());
    factors_.assign(slots(), 0.0);
    index_ = Index();
    for (std::int32_t slot = 0; slot < slots(); ++slot) {
      if (store_.is_free(slot)) continue;
      index_.add(slot, store_.support(slot), support_);
      support_.self_kernel(normalized_);
      factors_[slot] = support_.factor(normalized_);
      index_.fit(columns());
      for (std::int32_t c = 0; c < columns(); ++c)
        if (joined_[static_cast<std::size_t>(slot) * columns() + c]) join(slot, c, support_);
    }
    index_.sums = numbers_in(finite, state, prefix + "sums", index_.sums.size());
    for (std::size_t i = 0; i < index_.sums.size(); ++i)
      if (index_.users[i] == 0) index_.sums[i] = 0;
    described_item_ = described_support_ = none;
  }
  bool can_be(std::int32_t slot, bool is_free) const override { return store_.is_free(slot) == is_free; }

 private:
  static constexpr std::int64_t none = -1;

  // The features of one item, and the memory that it takes to find them.
  struct Description {
    explicit Description(const Extractor& extractor) : extract(extractor) {}

    template <class Names>
    void read(const typename Extractor::Item& item, Names& names) {
      counts.clear();
      extract(item, names, counts);
      self = counts.self_kernel();
    }
    double self_kernel(bool normalized) const {
      require_finite(self);
      return normalized ? (self > 0 ? 1.0 : 0.0) : self;
    }
    // What kernel values with the item are multiplied with.
    double factor(bool normalized) const { return !normalized ? 1.0 : self > 0 ? 1 / std::sqrt(self) : 0.0; }

    Extractor extract;
    kernels::FeatureCounts counts;
    double self = 0;
    kernels::Vocabulary unknown;
    typename Store::Scratch scratch;
  };

  struct Posting {
    std::int32_t slot;
    std::int32_t count;
  };

  // What is known of each feature. One without postings is garbage.
  struct Index {
    kernels::Vocabulary vocabulary;
    std::vector<std::vector<Posting>> postings;
    std::vector<double> sums;  // feature by feature: over supports, weight of the column * factor * count
    std::vector<std::int32_t> users;  // likewise: how many supports of the column have it
    std::int32_t garbage = 0;

    void fit(std::int32_t columns) {
      sums.resize(static_cast<std::size_t>(vocabulary.size()) * columns, 0.0);
      users.resize(sums.size(), 0);
    }

    void add(std::int32_t slot, const typename Extractor::Item& item, Description& description) {
      const std::int32_t before = vocabulary.size();
      description.read(item, vocabulary);
      postings.resize(vocabulary.size());
      for (const kernels::FeatureCount& e : description.counts.entries()) {
        if (e.feature < before && postings[e.feature].empty()) --garbage;
        postings[e.feature].push_back({slot, e.count});
      }
    }
    void remove(std::int32_t slot, const Description& description) {
      for (const kernels::FeatureCount& e : description.counts.entries()) {
        auto& list = postings[e.feature];
        const auto own = std::find_if(list.begin(), list.end(), [&](Posting p) { return p.slot == slot; });
        *own = list.back();
        list.pop_back();
        if (list.empty()) ++garbage;
      }
    }
    bool is_wasteful() const { return garbage > 1024 && garbage > vocabulary.size() / 2; }
  };

  const Description& describe_item(std::int64_t item) {
    if (described_item_ != item) {
      described_item_ = none;
      kernels::FixedVocabulary names(index_.vocabulary, item_.unknown);
      item_.read(store_.item(item), names);
      described_item_ = item;
    }
    return item_;
  }
  const Description& describe_support(std::int32_t slot) {
    if (described_support_ != slot) {
      described_support_ = none;
      kernels::FixedVocabulary names(index_.vocabulary, support_.unknown);
      support_.read(store_.support(slot), names);
      described_support_ = slot;
    }
    return support_;
  }
  template <class Body>
  void for_each_item(const Items& batch, std::int64_t begin, std::int64_t end, int threads,
                     Body&& body) const {
    const typename Store::Reader read(store_, batch, begin, end);
    const auto at_most = static_cast<int>(std::clamp<std::int64_t>(end - begin, 1, threads));
    std::vector<Description> work(at_most, Description(extractor_));
    parallel_rows(begin, end, at_most, [&](std::int64_t i, int thread) {
      Description& own = work[thread];
      kernels::FixedVocabulary names(index_.vocabulary, own.unknown);
      own.read(read(i, own.scratch), names);
      body(i, own);
    });
  }

  void join(std::int32_t slot, std::int32_t column, const Description& support) {
    joined_[static_cast<std::size_t>(slot) * columns() + column] = 1;
    for (const kernels::FeatureCount& e : support.counts.entries())
      ++index_.users[static_cast<std::size_t>(e.feature) * columns() + column];
  }
  void add_to_sums(const Description& support, std::int32_t column, double weight) {
    for (const kernels::FeatureCount& e : support.counts.entries())
      index_.sums[static_cast<std::size_t>(e.feature) * columns() + column] += weight * e.count;
  }
  void score(const Description& item, std::int32_t columns, double* out) const {
    const auto stride = static_cast<std::size_t>(this->columns());
    std::fill_n(out, columns, 0.0);
    for (const kernels::FeatureCount& e : item.counts.entries()) {
      if (e.feature >= index_.vocabulary.size()) continue;
      const double value = e.weight * e.count;
      const double* const sums = index_.sums.data() + e.feature * stride;
      for (std::int32_t c = 0; c < columns; ++c) out[c] += sums[c] * value;
    }
    const double factor = item.factor(normalized_);
    for (std::int32_t c = 0; c < columns; ++c) out[c] = require_finite(out[c] * factor);
  }
  void fill_row(const Description& item, double* out) const {
    std::fill_n(out, slots(), 0.0);
    for (const kernels::FeatureCount& e : item.counts.entries()) {
      if (e.feature >= index_.vocabulary.size()) continue;
      const double value = e.weight * e.count;
      for (const Posting p : index_.postings[e.feature]) out[p.slot] += value * p.count;
    }
    const double factor = item.factor(normalized_);
    for (std::int32_t s = 0; s < slots(); ++s)
      out[s] = require_finite(normalized_ ? out[s] * (factor * factors_[s]) : out[s]);
  }

  // The index over supports as `store` numbers their symbols, without garbage. The sums are moved, not added
  // up again, so nothing that is computed changes.
  Index compacted(const Store& store) const {
    Index result;
    Description before(extractor_), after(extractor_);
    for (std::int32_t slot = 0; slot < slots(); ++slot) {
      if (store_.is_free(slot)) continue;
      kernels::FixedVocabulary names(index_.vocabulary, before.unknown);
      before.read(store_.support(slot), names);
      result.add(slot, store.support(slot), after);
      result.fit(columns());
      for (std::size_t i = 0; i < after.counts.entries().size(); ++i) {
        const auto from = before.counts.entries()[i].feature * std::ptrdiff_t{columns()};
        const auto to = after.counts.entries()[i].feature * std::ptrdiff_t{columns()};
        std::copy_n(index_.sums.begin() + from, columns(), result.sums.begin() + to);
        std::copy_n(index_.users.begin() + from, columns(), result.users.begin() + to);
      }
    }
    return result;
  }
  void compact() {
    Store fresh = store_.compacted();
    index_ = compacted(fresh);
    store_ = std::move(fresh);
    described_item_ = described_support_ = none;
  }

  Extractor extractor_;
  bool normalized_;
  Store store_;
  Index index_;
  std::vector<double> weights_;       // slot by slot
  std::vector<std::uint8_t> joined_;  // likewise: whether the column has the support
  std::vector<double> factors_;       // of slots
  Description item_, support_;        // described last: an item of the open batch, a support
  std::int64_t described_item_ = none, described_support_ = none;
};

}  // namespace

std::unique_ptr<KernelModel> subtree_model(double decay, bool normalized) {
  return std::make_unique<FeatureModel<TreeStore, kernels::SubtreeExtractor>>(
      1, kernels::SubtreeExtractor(decay), normalized);
}

std::unique_ptr<KernelModel> path_model(double decay, bool normalized) {
  return std::make_unique<FeatureModel<TreeStore, kernels::PathExtractor>>(1, kernels::PathExtractor(decay),
                                                                           normalized);
}

std::unique_ptr<KernelModel> short_fragment_model(const kernels::ShortFragments& sizes, bool normalized) {
  sizes.check();
  return std::make_unique<FeatureModel<TreeStore, kernels::FragmentExtractor>>(
      1, kernels::FragmentExtractor(sizes), normalized);
}

std::unique_ptr<KernelModel> kmer_model(std::int64_t k, std::span<const double> weight,
                                        std::int64_t max_entries, bool normalized) {
  return std::make_unique<FeatureModel<SequenceStore, kernels::KmerExtractor>>(
      1, kernels::KmerExtractor(k, weight, max_entries), normalized);
}

}  // namespace hedgerow::models
