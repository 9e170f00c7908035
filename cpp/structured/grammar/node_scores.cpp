#include "structured/grammar/node_scores.hpp"

namespace hedgerow::structured::grammar {

void NodeScores::fill(const Grammar& grammar, std::span<const double> weights, TokenForms forms,
                      std::int64_t words) {
  using Border = SpanFeatures::Border;
  grammar_ = &grammar;
  const SpanFeatures* features = grammar.span_features();
  any_ = features != nullptr && features->classes() > 0;
  if (!any_) return;
  classes_ = features->classes();
  begins_.assign(words * classes_, 0.0);
  ends_.assign(words * classes_, 0.0);
  for (std::int64_t word = 0; word < words; ++word) {
    features->for_each_attribute(forms, word, word + 1, Border::begin, [&](std::int32_t a) {
      add(*features, weights, a, begins_.data() + word * classes_);
    });
    features->for_each_attribute(forms, word, word + 1, Border::end, [&](std::int32_t a) {
      add(*features, weights, a, ends_.data() + word * classes_);
    });
  }
  scores_.resize(span_count(words) * classes_);
  for (std::int64_t last = 0; last < words; ++last)
    for (std::int64_t first = 0; first <= last; ++first) {
      double* row = scores_.data() + span_number(first, last + 1) * classes_;
      for (std::int64_t c = 0; c < classes_; ++c)
        row[c] = begins_[first * classes_ + c] + ends_[last * classes_ + c];
      features->for_each_attribute(forms, first, last + 1, Border::both,
                                   [&](std::int32_t a) { add(*features, weights, a, row); });
    }
}

}  // namespace hedgerow::structured::grammar
