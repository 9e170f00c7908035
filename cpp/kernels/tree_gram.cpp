#include "kernels/tree_gram.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <unordered_map>

#include "kernels/partial_tree_row.hpp"
#include "kernels/subset_tree_index.hpp"
#include "kernels/symmetric.hpp"
#include "kernels/tree_pairs.hpp"
#include "parallel.hpp"

namespace hedgerow {
namespace {

// What evaluates a kernel, by its parameters: rows of a collapsed index, and flat pairs.
template <class Parameters>
struct Evaluation;

template <>
struct Evaluation<SubsetTreeParameters> {
  using Index = SubsetTreeIndex;
  template <class Real>
  using Row = SubsetTreeRow<Real>;
  using Pairs = SubsetTreePairs;
};

template <>
struct Evaluation<PartialTreeParameters> {
  using Index = PartialTreeIndex;
  template <class Real>
  using Row = PartialTreeRow<Real>;
  using Pairs = PartialTreePairs;
};

// An index that the trees of a forest join in order. What can be prepared beside the computation of rows is.
template <class Parameters>
class GrowingIndex;

template <>
class GrowingIndex<SubsetTreeParameters> {
 public:
  GrowingIndex(const SubsetTreeParameters& parameters, const Forest& forest)
      : forest_(forest), index_(parameters), ids_(forest.node_count()) {}
  const SubsetTreeIndex& operator*() const { return index_; }

  void prepare_until(std::int64_t end) {
    for (; prepared_ < end; ++prepared_)
      index_.number(forest_[prepared_], ids_.data() + forest_.tree_begin[prepared_]);
  }
  void insert_until(std::int64_t end) {
    prepare_until(end);
    for (std::int64_t t = index_.size(); t < end; ++t)
      index_.insert(forest_[t], ids_.data() + forest_.tree_begin[t]);
  }

 private:
  const Forest& forest_;
  SubsetTreeIndex index_;
  std::vector<std::int32_t> ids_;
  std::int64_t prepared_ = 0;
};

template <>
class GrowingIndex<PartialTreeParameters> {
 public:
  GrowingIndex(const PartialTreeParameters& parameters, const Forest& forest)
      : forest_(forest), index_(parameters, forest.symbols), ids_(forest.node_count()) {
    index_.make_room(forest, ids_.data());
  }
  const PartialTreeIndex& operator*() const { return index_; }

  void prepare_until(std::int64_t) {}
  void insert_until(std::int64_t end) {
    for (std::int64_t t = index_.size(); t < end; ++t)
      index_.insert(forest_[t], ids_.data() + forest_.tree_begin[t]);
  }

 private:
  const Forest& forest_;
  PartialTreeIndex index_;
  std::vector<std::int32_t> ids_;
};

// The kernel of one tree with itself by a collapsed index of its own: for large trees, whose parts repeat,
// and for numbers beyond the range of doubles.
template <class Real, class Parameters>
Total<Real> collapsed_self_kernel(const Parameters& parameters, const Forest& forest, std::int64_t tree) {
  const Forest alone = select(forest, std::span(&tree, 1));
  GrowingIndex<Parameters> index(parameters, alone);
  index.insert_until(1);
  typename Evaluation<Parameters>::template Row<Real> row(*index);
  Total<Real> value(0);
  row.add(alone[0], &value);
  return value;
}

// Self-kernels of the trees of a forest, for normalisation. Those outside the comfortable range of doubles
// are kept as wide numbers, and so is everything that is divided by them.
template <class Parameters>
class Norms {
 public:
  Norms(const Parameters& parameters, const Forest& forest, int threads) {
    const std::vector<double> selves = tree_diagonal(parameters, forest, threads);
    for (std::int64_t t = 0; t < forest.size(); ++t) {
      if (selves[t] >= smallest && selves[t] <= largest) {
        inverse_.push_back(1 / std::sqrt(selves[t]));
        continue;
      }
      const Wide self = collapsed_self_kernel<Wide>(parameters, forest, t);
      inverse_.push_back(self.is_zero() ? 0 : extreme);
      if (!self.is_zero()) wide_[t] = self;
    }
  }
  bool any_extreme() const { return !wide_.empty(); }
  bool is_extreme(std::int64_t tree) const { return inverse_[tree] == extreme; }
  bool is_zero(std::int64_t tree) const { return inverse_[tree] == 0; }
  const double* inverses() const {
    return inverse_.data();
  }  // 1 / sqrt(K), 0 for K = 0, negative for extreme ones
  Wide self(std::int64_t tree) const {
    if (is_extreme(tree)) return wide_.at(tree);
    return is_zero(tree) ? Wide(0) : Wide(1 / (inverse_[tree] * inverse_[tree]));
  }

 private:
  static constexpr double smallest = 1e-250, largest = 1e250, extreme = -1;

  std::vector<double> inverse_;
  std::unordered_map<std::int64_t, Wide> wide_;
};

// Computes rows of the result on one thread: kernel values of trees with all trees of an index, in single
// precision where asked for and good enough, normalised or not.
template <class Parameters>
class Rows {
 public:
  using Index = typename Evaluation<Parameters>::Index;
  template <class Real>
  using Row = typename Evaluation<Parameters>::template Row<Real>;

  Rows(const Index& index, bool single, const Norms<Parameters>* left_norms,
       const Norms<Parameters>* right_norms)
      : index_(index),
        single_(single),
        left_norms_(left_norms),
        right_norms_(right_norms),
        single_row_(index),
        double_row_(index) {}

  // Writes columns [0, width) of row i, which is that of x. Returns whether the values from first_to_check on
  // are finite.
  template <class Real>
  bool write(const TreeView& x, std::int64_t i, std::int64_t width, std::int64_t first_to_check, Real* out) {
    values_.assign(index_.size(), 0.0);
    if (single_ && single_suffices(x, index_.parameters()))
      single_row_.add(x, values_.data());
    else
      double_row_.add(x, values_.data());
    if (left_norms_) {
      write_normalized(x, i, width, out);
      return true;
    }
    std::copy(values_.begin(), values_.begin() + width, out);
    return std::all_of(out + first_to_check, out + width, [](Real value) { return std::isfinite(value); });
  }

 private:
  template <class Real>
  void write_normalized(const TreeView& x, std::int64_t i, std::int64_t width, Real* out) {
    const double own = left_norms_->inverses()[i];
    const double* const other = right_norms_->inverses();
    for (std::int64_t j = 0; j < width; ++j) out[j] = static_cast<Real>(values_[j] * own * other[j]);
    const bool extreme = left_norms_->is_extreme(i);
    if (!extreme && !right_norms_->any_extreme()) return;
    Row<Wide> row(index_);
    std::vector<Wide> values(index_.size());
    row.add(x, values.data());
    for (std::int64_t j = 0; j < width; ++j)
      if (extreme || right_norms_->is_extreme(j))
        out[j] = static_cast<Real>(Wide::normalized(values[j], left_norms_->self(i), right_norms_->self(j)));
  }

  const Index& index_;
  bool single_;
  const Norms<Parameters>* left_norms_;  // null: not normalised
  const Norms<Parameters>* right_norms_;
  Row<float> single_row_;
  Row<double> double_row_;
  std::vector<double> values_;
};

template <class Parameters>
std::vector<std::unique_ptr<Rows<Parameters>>> rows_for_threads(
    const typename Evaluation<Parameters>::Index& index, const GramOptions& options,
    const Norms<Parameters>* left_norms, const Norms<Parameters>* right_norms) {
  std::vector<std::unique_ptr<Rows<Parameters>>> rows;
  for (int t = 0; t < options.threads; ++t)
    rows.push_back(std::make_unique<Rows<Parameters>>(index, options.single, left_norms, right_norms));
  return rows;
}

// Calls body(left, right) with the two forests over one vocabulary.
template <class Body>
auto over_one_vocabulary(const Forest& left, const Forest& right, Body&& body) {
  if (left.symbols == right.symbols) return body(left, right);
  auto joint = std::make_shared<Symbols>(*right.symbols);
  const Forest translated = translate(left, joint);
  return body(translated, right);
}

}  // namespace

template <class Parameters, class Real>
bool tree_gram(const Parameters& parameters, const Forest& left, const Forest& right,
               const GramOptions& options, Real* out) {
  return over_one_vocabulary(left, right, [&](const Forest& x, const Forest& y) {
    GrowingIndex<Parameters> index(parameters, y);
    index.insert_until(y.size());
    std::optional<Norms<Parameters>> x_norms, y_norms;
    if (options.normalized) {
      x_norms.emplace(parameters, x, options.threads);
      y_norms.emplace(parameters, y, options.threads);
    }
    const auto rows =
        rows_for_threads(*index, options, x_norms ? &*x_norms : nullptr, y_norms ? &*y_norms : nullptr);
    std::atomic<bool> finite = true;
    parallel_rows(0, x.size(), options.threads, [&](std::int64_t i, int thread) {
      if (!rows[thread]->write(x[i], i, y.size(), 0, out + i * y.size())) finite = false;
    });
    return finite.load();
  });
}

template <class Parameters, class Real>
bool tree_gram(const Parameters& parameters, const Forest& forest, const GramOptions& options, Real* out) {
  // The trees of a block join the index, then their rows against all trees so far are computed, so that
  // little more than the lower triangle costs time. Blocks grow, so that threads seldom wait for each other;
  // within a block a thread takes a strip of rows, which it mirrors while they are in the cache.
  constexpr std::int64_t strip = 256 / sizeof(Real);  // writes to memory are best long
  const std::int64_t growth = options.threads > 1 ? 8 * strip : INT64_MAX;
  const std::int64_t n = forest.size();
  GrowingIndex<Parameters> index(parameters, forest);
  std::optional<Norms<Parameters>> norms;
  if (options.normalized) norms.emplace(parameters, forest, options.threads);
  const Norms<Parameters>* const both = norms ? &*norms : nullptr;
  const auto rows = rows_for_threads(*index, options, both, both);
  std::atomic<bool> finite = true;
  const auto end_of_block = [&](std::int64_t top) { return std::min(n, top + strip * (1 + top / growth)); };
  for (std::int64_t top = 0, bottom; top < n; top = bottom) {
    bottom = end_of_block(top);
    index.insert_until(bottom);
    const std::int64_t strips = (bottom - top + strip - 1) / strip;
    parallel_rows(-1, strips, options.threads, [&](std::int64_t s, int thread) {
      if (s < 0)
        return index.prepare_until(end_of_block(bottom));  // one thread has the next block ready meanwhile
      const std::int64_t first = top + s * strip, last = std::min(bottom, first + strip);
      for (std::int64_t i = first; i < last; ++i) {
        if (thread == 0) stop_if_asked();
        // K(x, y)^2 <= K(x, x) K(y, y): what is finite on the diagonal is finite everywhere.
        if (!rows[thread]->write(forest[i], i, i + 1, i, out + i * n)) finite = false;
        if (norms) out[i * n + i] = norms->is_zero(i) ? 0 : 1;
      }
      mirror_rows(out, n, first, last);
    });
  }
  return finite;
}

template <class Parameters>
void tree_gram_pairwise(const Parameters& parameters, const Forest& left, const Forest& right, bool symmetric,
                        double* out) {
  over_one_vocabulary(left, right, [&](const Forest& x, const Forest& y) {
    typename Evaluation<Parameters>::Pairs pairs(parameters, *x.symbols);
    for (std::int64_t i = 0; i < x.size(); ++i) {
      pairs.set_left(x[i]);
      for (std::int64_t j = 0; j < (symmetric ? i + 1 : y.size()); ++j)
        out[i * y.size() + j] = pairs.with(y[j]);
    }
    if (symmetric) mirror_lower(out, x.size(), 1);
  });
}

template <class Parameters>
std::vector<double> tree_diagonal(const Parameters& parameters, const Forest& forest, int threads) {
  std::vector<double> result(forest.size());
  constexpr std::int32_t large = 2000;  // nodes
  using Pairs = typename Evaluation<Parameters>::Pairs;
  std::vector<std::unique_ptr<Pairs>> pairs;
  for (int t = 0; t < threads; ++t) pairs.push_back(std::make_unique<Pairs>(parameters, *forest.symbols));
  parallel_rows(0, forest.size(), threads, [&](std::int64_t i, int thread) {
    if (forest.tree_size(i) > large) {
      result[i] = collapsed_self_kernel<double>(parameters, forest, i);
    } else {
      pairs[thread]->set_left(forest[i]);
      result[i] = pairs[thread]->with(forest[i]);
    }
  });
  return result;
}

template <class Parameters>
std::vector<double> normalized_tree_diagonal(const Parameters& parameters, const Forest& forest,
                                             int threads) {
  const Norms<Parameters> norms(parameters, forest, threads);
  std::vector<double> result(forest.size());
  for (std::int64_t i = 0; i < forest.size(); ++i) result[i] = norms.is_zero(i) ? 0 : 1;
  return result;
}

#define HEDGEROW_INSTANTIATE(Parameters)                                                                 \
  template bool tree_gram(const Parameters&, const Forest&, const Forest&, const GramOptions&, float*);  \
  template bool tree_gram(const Parameters&, const Forest&, const Forest&, const GramOptions&, double*); \
  template bool tree_gram(const Parameters&, const Forest&, const GramOptions&, float*);                 \
  template bool tree_gram(const Parameters&, const Forest&, const GramOptions&, double*);                \
  template void tree_gram_pairwise(const Parameters&, const Forest&, const Forest&, bool, double*);      \
  template std::vector<double> tree_diagonal(const Parameters&, const Forest&, int);                     \
  template std::vector<double> normalized_tree_diagonal(const Parameters&, const Forest&, int)

HEDGEROW_INSTANTIATE(SubsetTreeParameters);
HEDGEROW_INSTANTIATE(PartialTreeParameters);

}  // namespace hedgerow
