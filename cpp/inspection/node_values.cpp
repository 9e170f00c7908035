#include "inspection/node_values.hpp"

#include <algorithm>
#include <stdexcept>

#include "parallel.hpp"

namespace hedgerow::inspection {
namespace {

// D of the subtrees of an example, each a vector over those of the model that it can match, kept as long as a
// subtree above needs it.
class Rows {
 public:
  explicit Rows(const CollapsedForest& example) : rows_(example.size()), needed_(example.size(), 0) {
    for (std::int32_t u = 0; u < example.size(); ++u)
      for (const std::int32_t c : example.children(u)) ++needed_[c];
  }
  std::vector<double>& operator[](std::int32_t subtree) { return rows_[subtree]; }
  const std::vector<double>& operator[](std::int32_t subtree) const { return rows_[subtree]; }
  void done_with_children(const CollapsedForest& example, std::int32_t subtree) {
    for (const std::int32_t c : example.children(subtree))
      if (--needed_[c] == 0) rows_[c] = {};
  }

 private:
  std::vector<std::vector<double>> rows_;
  std::vector<std::int32_t> needed_;
};

// Adds up weight * row(u, s, rows), which is D(u, s), over the subtrees s in matches(u), for every u,
// children first.
template <class Matches, class Row>
std::vector<double> values(const CollapsedForest& model, std::span<const double> weights,
                           const CollapsedForest& example, Matches&& matches, Row&& row) {
  const auto functions = weights.size() / std::max(model.size(), 1);
  if (functions * model.size() != weights.size())
    throw std::invalid_argument("there must be one weight for each subtree and function");
  std::vector<double> result(functions * example.size(), 0.0);
  Rows rows(example);
  for (std::int32_t u = 0; u < example.size(); ++u) {
    stop_if_asked();
    const std::span<const std::int32_t> with = matches(u);
    rows[u].resize(with.size());
    for (std::size_t i = 0; i < with.size(); ++i) rows[u][i] = row(u, with[i], rows);
    for (std::size_t f = 0; f < functions; ++f) {
      const double* const weight = weights.data() + f * model.size();
      double sum = 0;
      for (std::size_t i = 0; i < with.size(); ++i) sum += weight[with[i]] * rows[u][i];
      result[u * functions + f] = sum;
    }
    rows.done_with_children(example, u);
  }
  return result;
}

// The sum over pairs of equally long selections of children, by where they end.
class ChildSequences {
 public:
  explicit ChildSequences(const kernels::PartialTreeParameters& kernel) : kernel_(kernel) {}

  // d(i, j): of the i-th child of one and the j-th of the other.
  template <class D>
  double sum(std::size_t rows, std::size_t columns, D&& d) {
    const std::size_t longest = std::min(rows, columns);
    const std::size_t lengths =
        kernel_.max_length > 0 ? std::min<std::size_t>(kernel_.max_length, longest) : longest;
    pairs_.resize(rows * columns);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) pairs_[i * columns + j] = d(i, j);
    return lengths == longest ? of_any_length(rows, columns) : of_lengths(rows, columns, lengths);
  }

 private:
  // All lengths at once: S(i, j) = d(i, j) (1 + sum over i' < i, j' < j of decay^gaps S(i', j')).
  double of_any_length(std::size_t rows, std::size_t columns) {
    before_.assign(columns, 0.0);  // sums over i' and j' for the row above
    column_.assign(columns, 0.0);  // sums over i' up to the present row
    double total = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      double diagonal = 0, along = 0;
      for (std::size_t j = 0; j < columns; ++j) {
        const double s = pairs_[i * columns + j] * (1 + diagonal);
        total += s;
        diagonal = before_[j];
        column_[j] = s + kernel_.decay * column_[j];
        along = column_[j] + kernel_.decay * along;
        before_[j] = along;
      }
    }
    return total;
  }
  double of_lengths(std::size_t rows, std::size_t columns, std::size_t lengths) {
    ending_ = pairs_;
    double total = 0;
    for (std::size_t length = 1;; ++length) {
      for (const double value : ending_) total += value;
      if (length == lengths) return total;
      before_.assign(columns, 0.0);
      column_.assign(columns, 0.0);
      for (std::size_t i = 0; i < rows; ++i) {
        double diagonal = 0, along = 0;
        for (std::size_t j = 0; j < columns; ++j) {
          const double s = ending_[i * columns + j];
          ending_[i * columns + j] = pairs_[i * columns + j] * diagonal;
          diagonal = before_[j];
          column_[j] = s + kernel_.decay * column_[j];
          along = column_[j] + kernel_.decay * along;
          before_[j] = along;
        }
      }
    }
  }

  kernels::PartialTreeParameters kernel_;
  std::vector<double> pairs_, ending_, before_, column_;
};

}  // namespace

std::vector<double> subset_tree_node_values(const CollapsedForest& model, std::span<const double> weights,
                                            const CollapsedForest& example,
                                            const kernels::SubsetTreeParameters& kernel) {
  const auto matches = [&](std::int32_t u) -> std::span<const std::int32_t> {
    if (!example.is_leaf(u)) return model.with_production(example.production(u));
    return kernel.bag_of_words ? model.with_label(example.label(u)) : std::span<const std::int32_t>();
  };
  const auto row = [&](std::int32_t u, std::int32_t s, const Rows& rows) {
    if (example.is_leaf(u)) return model.is_leaf(s) ? kernel.decay : 0.0;
    double d = kernel.decay;
    const auto of_u = example.children(u), of_s = model.children(s);
    for (std::size_t i = 0; i < of_u.size(); ++i)
      if (example.production(of_u[i]) >= 0 && example.production(of_u[i]) == model.production(of_s[i]))
        d *= 1 + rows[of_u[i]][model.place_in_production(of_s[i])];
    return d;
  };
  return values(model, weights, example, matches, row);
}

std::vector<double> subtree_node_values(const CollapsedForest& model, std::span<const double> weights,
                                        const CollapsedForest& example, double decay) {
  std::vector<std::int32_t> same(example.size());
  std::vector<double> d(example.size(), 1.0);
  for (std::int32_t u = 0; u < example.size(); ++u) {
    same[u] = example.same_in_vocabulary(u);
    if (example.is_leaf(u)) continue;
    d[u] = decay;
    for (const std::int32_t c : example.children(u)) d[u] *= d[c];
  }
  const auto matches = [&](std::int32_t u) {
    const bool has = same[u] >= 0 && !example.is_leaf(u);
    return std::span<const std::int32_t>(&same[u], has ? 1 : 0);
  };
  const auto row = [&](std::int32_t u, std::int32_t, const Rows&) { return d[u]; };
  return values(model, weights, example, matches, row);
}

std::vector<double> partial_tree_node_values(const CollapsedForest& model, std::span<const double> weights,
                                             const CollapsedForest& example,
                                             const kernels::PartialTreeParameters& kernel) {
  ChildSequences sequences(kernel);
  const auto matches = [&](std::int32_t u) { return model.with_label(example.label(u)); };
  // Without single nodes D is needed whole below, but counts at the root without what two nodes share alone.
  const auto base = [&](std::int32_t u, std::int32_t s) {
    if (example.is_leaf(u)) return model.is_leaf(s) ? kernel.base_leaves() : kernel.base_mixed();
    return model.is_leaf(s) ? kernel.base_mixed() : kernel.base();
  };
  const auto row = [&](std::int32_t u, std::int32_t s, const Rows& rows) {
    const double alone = base(u, s);
    const auto of_u = example.children(u), of_s = model.children(s);
    if (std::ranges::none_of(of_u, [&](std::int32_t c) {
          return std::ranges::any_of(of_s,
                                     [&](std::int32_t d) { return example.label(c) == model.label(d); });
        }))
      return alone;
    return alone +
           kernel.vertical_decay * sequences.sum(of_u.size(), of_s.size(), [&](std::size_t i, std::size_t j) {
             if (example.label(of_u[i]) != model.label(of_s[j])) return 0.0;
             return rows[of_u[i]][model.place_in_label(of_s[j])];
           });
  };
  std::vector<double> result = values(model, weights, example, matches, row);
  if (kernel.lexical) return result;
  const std::size_t functions = example.size() == 0 ? 0 : result.size() / example.size();
  for (std::int32_t u = 0; u < example.size(); ++u)
    for (std::size_t f = 0; f < functions; ++f)
      for (const std::int32_t s : matches(u))
        result[u * functions + f] -= weights[f * model.size() + s] * base(u, s);
  return result;
}

}  // namespace hedgerow::inspection
