#include "structured/grammar/sentences.hpp"

#include <algorithm>
#include <stdexcept>

namespace hedgerow::structured::grammar {

namespace {

std::int32_t forms_of_tokens(const Grammar& grammar) {
  return grammar.span_features() ? grammar.span_features()->forms() : 0;
}

}  // namespace

void Sentences::check(const Grammar& grammar) const {
  if (begin.empty() || begin.front() != 0 || !std::ranges::is_sorted(begin) ||
      begin.back() != static_cast<std::int64_t>(words.size()))
    throw std::invalid_argument("the arrays of the sentences do not fit together");
  for (const std::int32_t word : words)
    if (word < -1 || word >= grammar.word_kinds()) throw std::invalid_argument("an unknown kind of word");
  if (forms.size() != words.size() * forms_of_tokens(grammar))
    throw std::invalid_argument("words and their forms do not fit together");
}

TokenForms Sentences::forms_of(const Grammar& grammar, std::int64_t i) const {
  const std::int32_t width = forms_of_tokens(grammar);
  return {forms.subspan(begin[i] * width, (begin[i + 1] - begin[i]) * width), width};
}

}  // namespace hedgerow::structured::grammar
