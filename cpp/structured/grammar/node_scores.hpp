// What the nodes of a sentence's trees score by the words that they span.
#pragma once

#include <span>
#include <vector>

#include "structured/grammar/span_features.hpp"

namespace hedgerow::structured::grammar {

class NodeScores {
 public:
  // Of all classes of nodes over all spans of so many words, which have no forms when features look at none.
  void fill(const Grammar& grammar, std::span<const double> weights, TokenForms forms, std::int64_t words);

  bool any() const { return any_; }
  double of_base(std::int64_t span, std::int32_t symbol) const {
    return any_ ? of_class(span, grammar_->node_class(symbol)) : 0.0;
  }
  // Of the nodes of a chain, without its base.
  double of_chain(std::int64_t span, const UnaryChain& chain) const {
    double sum = 0;
    if (any_)
      for (const std::int32_t node_class : chain.classes) sum += of_class(span, node_class);
    return sum;
  }
  double of_class(std::int64_t span, std::int32_t node_class) const {
    return node_class < 0 || node_class >= classes_ ? 0.0 : scores_[span * classes_ + node_class];
  }

 private:
  void add(const SpanFeatures& features, std::span<const double> weights, std::int32_t attribute,
           double* row) const {
    for (const SpanFeatures::Weighted& pair : features.weighted(attribute))
      row[pair.node_class] += weights[pair.feature];
  }

  const Grammar* grammar_ = nullptr;
  bool any_ = false;
  std::int64_t classes_ = 0;
  std::vector<double> scores_;         // one entry a span and class
  std::vector<double> begins_, ends_;  // of what is seen at one border only: one entry a token and class
};

}  // namespace hedgerow::structured::grammar
