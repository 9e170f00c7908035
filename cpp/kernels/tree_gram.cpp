#include "kernels/tree_gram.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

#include "kernels/partial_tree_index.hpp"
#include "kernels/subset_tree_index.hpp"
#include "kernels/symmetric.hpp"
#include "kernels/tree_pairs.hpp"
#include "parallel.hpp"

namespace hedgerow {
namespace {

// What evaluates a kernel, by its parameters: the collapsed index (made for the trees of a forest), its rows, and the
// flat pairs.
template <class Parameters>
struct Evaluation;

template <>
struct Evaluation<SubsetTreeParameters> {
  using Index = SubsetTreeIndex;
  static Index empty_index(const SubsetTreeParameters& parameters, const Forest&) { return Index(parameters); }
  template <class Real>
  using Row = SubsetTreeRow<Real>;
  template <class Number>
  using Pairs = SubsetTreePairs<Number>;
};

template <>
struct Evaluation<PartialTreeParameters> {
  using Index = PartialTreeIndex;
  static Index empty_index(const PartialTreeParameters& parameters, const Forest& forest) {
    return Index(parameters, forest);
  }
  template <class Real>
  using Row = PartialTreeRow<Real>;
  template <class Number>
  using Pairs = PartialTreePairs<Number>;
};

// Rows of one thread, in single precision where asked for and good enough.
template <class Parameters>
class Rows {
 public:
  Rows(const typename Evaluation<Parameters>::Index& index, bool single)
      : index_(index), single_(single), single_row_(index), double_row_(index) {}

  // Kernel values of x with all trees of the index.
  const double* operator()(const TreeView& x) {
    row_.assign(index_.size(), 0.0);
    if (single_ && single_suffices(x, index_.parameters()))
      single_row_.add(x, row_.data());
    else
      double_row_.add(x, row_.data());
    return row_.data();
  }

 private:
  const typename Evaluation<Parameters>::Index& index_;
  bool single_;
  typename Evaluation<Parameters>::template Row<float> single_row_;
  typename Evaluation<Parameters>::template Row<double> double_row_;
  std::vector<double> row_;
};

// Self-kernels of the trees of a forest, for normalisation. Those outside the comfortable range of doubles are kept
// as wide numbers, and so is everything that is divided by them.
template <class Parameters>
class Norms {
 public:
  Norms(const Parameters& parameters, const Forest& forest)
      : forest_(forest), wide_pairs_(parameters, *forest.symbols), inverse_(forest.size()), wide_(forest.size()) {}

  void set_all(const std::vector<double>& selves) {
    for (std::size_t t = 0; t < selves.size(); ++t) set(static_cast<std::int64_t>(t), selves[t]);
  }
  void set(std::int64_t tree, double self) {
    if (self >= smallest && self <= largest) {
      inverse_[tree] = 1 / std::sqrt(self);
      return;
    }
    wide_pairs_.set_left(forest_[tree]);
    wide_[tree] = wide_pairs_.with(forest_[tree]);
    inverse_[tree] = wide_[tree].is_zero() ? 0 : extreme;
    any_extreme_ = any_extreme_ || inverse_[tree] == extreme;
  }
  bool any_extreme() const { return any_extreme_; }
  bool is_extreme(std::int64_t tree) const { return inverse_[tree] == extreme; }
  double inverse(std::int64_t tree) const { return inverse_[tree]; }  // 1 / sqrt(K), 0 for K = 0
  const double* inverses() const { return inverse_.data(); }
  Wide self(std::int64_t tree) const {
    return is_extreme(tree) || inverse_[tree] == 0 ? wide_[tree]
                                                   : Wide(1 / (inverse_[tree] * inverse_[tree]));
  }

 private:
  static constexpr double smallest = 1e-250, largest = 1e250, extreme = -1;

  const Forest& forest_;
  typename Evaluation<Parameters>::template Pairs<Wide> wide_pairs_;
  std::vector<double> inverse_;
  std::vector<Wide> wide_;
  bool any_extreme_ = false;
};

// Turns rows of kernel values into rows of the result: normalised or not, and checked.
template <class Parameters, class Real>
class Finish {
 public:
  Finish(const Parameters& parameters, const Forest& left, const Forest& right, const GramOptions& options)
      : parameters_(parameters),
        left_(left),
        right_(right),
        normalized_(options.normalized),
        left_norms_(parameters, left),
        right_norms_(parameters, right) {
    if (!normalized_) return;
    left_norms_.set_all(tree_diagonal(parameters, left, options.threads));
    if (&left != &right) right_norms_.set_all(tree_diagonal(parameters, right, options.threads));
  }

  // Writes columns [0, width) of row i.
  void row(std::int64_t i, std::int64_t width, const double* values, Real* out) {
    if (!normalized_) {
      bool finite = true;
      for (std::int64_t j = 0; j < width; ++j) {
        out[j] = static_cast<Real>(values[j]);
        finite &= std::isfinite(out[j]);
      }
      if (!finite) all_finite_ = false;
      return;
    }
    const Norms<Parameters>& norms = &left_ == &right_ ? left_norms_ : right_norms_;
    const bool extreme = left_norms_.is_extreme(i);
    if (!extreme) {
      const double own = left_norms_.inverse(i);
      const double* const other = norms.inverses();
      for (std::int64_t j = 0; j < width; ++j) out[j] = static_cast<Real>(values[j] * own * other[j]);
      if (!norms.any_extreme()) return;
    }
    typename Evaluation<Parameters>::template Pairs<Wide> pairs(parameters_, *left_.symbols);
    pairs.set_left(left_[i]);
    for (std::int64_t j = 0; j < width; ++j)
      if (extreme || norms.is_extreme(j))
        out[j] = static_cast<Real>(Wide::normalized(pairs.with(right_[j]), left_norms_.self(i), norms.self(j)));
  }

  bool all_finite() const { return all_finite_; }

 private:
  Parameters parameters_;
  const Forest& left_;
  const Forest& right_;
  bool normalized_;
  Norms<Parameters> left_norms_, right_norms_;
  std::atomic<bool> all_finite_ = true;
};

template <class Parameters>
std::vector<std::unique_ptr<Rows<Parameters>>> rows_for_threads(const typename Evaluation<Parameters>::Index& index,
                                                                const GramOptions& options) {
  std::vector<std::unique_ptr<Rows<Parameters>>> rows;
  for (int t = 0; t < options.threads; ++t) rows.push_back(std::make_unique<Rows<Parameters>>(index, options.single));
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
bool tree_gram(const Parameters& parameters, const Forest& left, const Forest& right, const GramOptions& options,
               Real* out) {
  return over_one_vocabulary(left, right, [&](const Forest& x, const Forest& y) {
    auto index = Evaluation<Parameters>::empty_index(parameters, y);
    for (std::int64_t j = 0; j < y.size(); ++j) index.insert(y[j]);
    Finish<Parameters, Real> finish(parameters, x, y, options);
    const auto rows = rows_for_threads<Parameters>(index, options);
    const std::int64_t width = y.size();
    parallel_rows(0, x.size(), options.threads, [&](std::int64_t i, int thread) {
      finish.row(i, width, (*rows[thread])(x[i]), out + i * width);
    });
    return finish.all_finite();
  });
}

template <class Parameters, class Real>
bool tree_gram(const Parameters& parameters, const Forest& forest, const GramOptions& options, Real* out) {
  // The trees of a block join the index, then their rows against all trees so far are computed, so that little more
  // than the lower triangle costs time. Blocks grow, so that threads seldom wait for each other; within a block a
  // thread takes a strip of rows, which it mirrors while they are in the cache.
  constexpr std::int64_t strip = 32;
  const std::int64_t n = forest.size();
  auto index = Evaluation<Parameters>::empty_index(parameters, forest);
  Finish<Parameters, Real> finish(parameters, forest, forest, options);
  const auto rows = rows_for_threads<Parameters>(index, options);
  for (std::int64_t top = 0, bottom; top < n; top = bottom) {
    bottom = std::min(n, top + strip * (1 + top / (8 * strip)));
    for (std::int64_t i = top; i < bottom; ++i) index.insert(forest[i]);
    parallel_rows(0, (bottom - top + strip - 1) / strip, options.threads, [&](std::int64_t s, int thread) {
      const std::int64_t first = top + s * strip, last = std::min(bottom, first + strip);
      for (std::int64_t i = first; i < last; ++i) {
        finish.row(i, i + 1, (*rows[thread])(forest[i]), out + i * n);
        if (options.normalized && out[i * n + i] != 0) out[i * n + i] = 1;
      }
      mirror_rows(out, n, first, last);
    });
  }
  return finish.all_finite();
}

template <class Parameters>
void tree_gram_pairwise(const Parameters& parameters, const Forest& left, const Forest& right, bool symmetric,
                        double* out) {
  over_one_vocabulary(left, right, [&](const Forest& x, const Forest& y) {
    typename Evaluation<Parameters>::template Pairs<double> pairs(parameters, *x.symbols);
    for (std::int64_t i = 0; i < x.size(); ++i) {
      pairs.set_left(x[i]);
      for (std::int64_t j = 0; j < (symmetric ? i + 1 : y.size()); ++j) out[i * y.size() + j] = pairs.with(y[j]);
    }
    if (symmetric) mirror_lower(out, x.size(), 1);
  });
}

template <class Parameters>
std::vector<double> tree_diagonal(const Parameters& parameters, const Forest& forest, int threads) {
  std::vector<double> result(forest.size());
  using Pairs = typename Evaluation<Parameters>::template Pairs<double>;
  std::vector<std::unique_ptr<Pairs>> pairs;
  for (int t = 0; t < threads; ++t) pairs.push_back(std::make_unique<Pairs>(parameters, *forest.symbols));
  parallel_rows(0, forest.size(), threads, [&](std::int64_t i, int thread) {
    pairs[thread]->set_left(forest[i]);
    result[i] = pairs[thread]->with(forest[i]);
  });
  return result;
}

template <class Parameters>
std::vector<double> normalized_tree_diagonal(const Parameters& parameters, const Forest& forest, int threads) {
  Norms<Parameters> norms(parameters, forest);
  norms.set_all(tree_diagonal(parameters, forest, threads));
  std::vector<double> result(forest.size());
  for (std::int64_t i = 0; i < forest.size(); ++i) result[i] = norms.inverse(i) == 0 ? 0 : 1;
  return result;
}

#define HEDGEROW_INSTANTIATE(Parameters)                                                                  \
  template bool tree_gram(const Parameters&, const Forest&, const Forest&, const GramOptions&, float*);   \
  template bool tree_gram(const Parameters&, const Forest&, const Forest&, const GramOptions&, double*);  \
  template bool tree_gram(const Parameters&, const Forest&, const GramOptions&, float*);                  \
  template bool tree_gram(const Parameters&, const Forest&, const GramOptions&, double*);                 \
  template void tree_gram_pairwise(const Parameters&, const Forest&, const Forest&, bool, double*);       \
  template std::vector<double> tree_diagonal(const Parameters&, const Forest&, int);                      \
  template std::vector<double> normalized_tree_diagonal(const Parameters&, const Forest&, int)

HEDGEROW_INSTANTIATE(SubsetTreeParameters);
HEDGEROW_INSTANTIATE(PartialTreeParameters);

}  // namespace hedgerow
