#include "kernels/tree_gram.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <unordered_map>

#include "kernels/symmetric.hpp"
#include "kernels/tree_evaluation.hpp"
#include "kernels/tree_norms.hpp"
#include "parallel.hpp"

namespace hedgerow::kernels {
namespace {

// Calls body(t, self-kernels of the forest's vocabulary) for every tree.
template <class Parameters, class Body>
void for_each_tree(const Parameters& parameters, const data::Forest& forest, int threads, Body&& body) {
  std::vector<std::unique_ptr<TreeSelfKernels<Parameters>>> self_kernels;
  for (int t = 0; t < threads; ++t)
    self_kernels.push_back(std::make_unique<TreeSelfKernels<Parameters>>(parameters, forest.symbols));
  parallel_rows(0, forest.size(), threads,
                [&](std::int64_t t, int thread) { body(t, *self_kernels[thread]); });
}

// The norms of the trees of a forest.
template <class Parameters>
class Norms {
 public:
  Norms(const Parameters& parameters, const data::Forest& forest, int threads) : inverse_(forest.size()) {
    std::vector<TreeNorm> norms(forest.size());
    for_each_tree<Parameters>(parameters, forest, threads, [&](std::int64_t t, auto& self_kernels) {
      norms[t] = self_kernels.norm(forest[t]);
    });
    for (std::int64_t t = 0; t < forest.size(); ++t) {
      inverse_[t] = norms[t].is_extreme ? extreme : norms[t].inverse;
      if (norms[t].is_extreme) wide_[t] = norms[t].self;
    }
  }
  bool any_extreme() const { return !wide_.empty(); }
  bool is_extreme(std::int64_t tree) const { return inverse_[tree] == extreme; }
  bool is_zero(std::int64_t tree) const { return inverse_[tree] == 0; }
  // 1 / sqrt(K), 0 for K = 0, negative for extreme ones
  const double* inverses() const { return inverse_.data(); }
  Wide self(std::int64_t tree) const {
    if (is_extreme(tree)) return wide_.at(tree);
    return is_zero(tree) ? Wide(0) : Wide(1 / (inverse_[tree] * inverse_[tree]));
  }

 private:
  static constexpr double extreme = -1;

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
  bool write(const data::TreeView& x, std::int64_t i, std::int64_t width, std::int64_t first_to_check,
             Real* out) {
    bool done = false;
    if (single_ && single_suffices(x, index_.parameters())) {
      values_.assign(index_.size(), 0.0);
      single_row_.add(x, values_.data());
      done = std::all_of(values_.begin(), values_.end(), [](double value) { return std::isfinite(value); });
    }
    if (!done) {
      values_.assign(index_.size(), 0.0);
      double_row_.add(x, values_.data());
    }
    if (left_norms_) {
      write_normalized(x, i, width, out);
      return true;
    }
    std::copy(values_.begin(), values_.begin() + width, out);
    return std::all_of(out + first_to_check, out + width, [](Real value) { return std::isfinite(value); });
  }

 private:
  template <class Real>
  void write_normalized(const data::TreeView& x, std::int64_t i, std::int64_t width, Real* out) {
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
auto over_one_vocabulary(const data::Forest& left, const data::Forest& right, Body&& body) {
  if (left.symbols == right.symbols) return body(left, right);
  auto joint = std::make_shared<data::Symbols>(*right.symbols);
  const data::Forest translated = data::translate(left, joint);
  return body(translated, right);
}

}  // namespace

template <class Parameters, class Real>
bool tree_gram(const Parameters& parameters, const data::Forest& left, const data::Forest& right,
               const GramOptions& options, Real* out) {
  return over_one_vocabulary(left, right, [&](const data::Forest& x, const data::Forest& y) {
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
bool tree_gram(const Parameters& parameters, const data::Forest& forest, const GramOptions& options,
               Real* out) {
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
void tree_gram_pairwise(const Parameters& parameters, const data::Forest& left, const data::Forest& right,
                        bool symmetric, double* out) {
  over_one_vocabulary(left, right, [&](const data::Forest& x, const data::Forest& y) {
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
std::vector<double> tree_diagonal(const Parameters& parameters, const data::Forest& forest, int threads) {
  std::vector<double> result(forest.size());
  for_each_tree<Parameters>(parameters, forest, threads, [&](std::int64_t t, auto& self_kernels) {
    result[t] = self_kernels.value(forest[t]);
  });
  return result;
}

template <class Parameters>
std::vector<double> normalized_tree_diagonal(const Parameters& parameters, const data::Forest& forest,
                                             int threads) {
  const Norms<Parameters> norms(parameters, forest, threads);
  std::vector<double> result(forest.size());
  for (std::int64_t i = 0; i < forest.size(); ++i) result[i] = norms.is_zero(i) ? 0 : 1;
  return result;
}

#define HEDGEROW_INSTANTIATE(Parameters)                                                                   \
  template bool tree_gram(const Parameters&, const data::Forest&, const data::Forest&, const GramOptions&, \
                          float*);                                                                         \
  template bool tree_gram(const Parameters&, const data::Forest&, const data::Forest&, const GramOptions&, \
                          double*);                                                                        \
  template bool tree_gram(const Parameters&, const data::Forest&, const GramOptions&, float*);             \
  template bool tree_gram(const Parameters&, const data::Forest&, const GramOptions&, double*);            \
  template void tree_gram_pairwise(const Parameters&, const data::Forest&, const data::Forest&, bool,      \
                                   double*);                                                               \
  template std::vector<double> tree_diagonal(const Parameters&, const data::Forest&, int);                 \
  template std::vector<double> normalized_tree_diagonal(const Parameters&, const data::Forest&, int)

HEDGEROW_INSTANTIATE(SubsetTreeParameters);
HEDGEROW_INSTANTIATE(PartialTreeParameters);

}  // namespace hedgerow::kernels
