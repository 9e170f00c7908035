// Joint features of nodes and the words that they span.
//
// A template looks at some places of a span: at the words at its borders, at those beside it, at all of them
// if they are few, at how many they are. What it sees is an attribute of the span. A feature is an attribute
// and the class of a node upon the span; pairs of the two that true trees have get weights, others have none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "structured/grammar/derivation.hpp"

namespace hedgerow::structured::grammar {

inline constexpr std::int32_t unknown_form = -1;  // of a token: templates that look at it see nothing
inline constexpr std::int32_t beyond_end = -2;    // what stands before and after a sentence

struct SpanPart {
  enum class Place : std::int32_t { begin, end, length, inside };
  Place place;
  std::int32_t offset;  // of the token from there; for `inside`, how many words a span has at most
  std::int32_t form;    // which form of the token
};
using SpanTemplate = std::vector<SpanPart>;

// The forms of the tokens of a sentence, `width` numbers for each.
struct TokenForms {
  std::span<const std::int32_t> values;
  std::int32_t width = 0;

  std::int64_t tokens() const { return width ? static_cast<std::int64_t>(values.size()) / width : 0; }
  std::int32_t at(std::int64_t token, std::int32_t form) const {
    return token < 0 || token >= tokens() ? beyond_end : values[token * width + form];
  }
};

class SpanFeatures {
 public:
  struct Pair {
    std::int32_t attribute, node_class, feature;
  };
  struct Weighted {
    std::int32_t node_class, feature;
  };

  // forms: how many a token has. Throws std::invalid_argument for templates that look at others.
  SpanFeatures(std::vector<SpanTemplate> templates, std::int32_t forms);

  std::int32_t forms() const { return forms_; }
  std::int32_t classes() const { return classes_; }
  // All features are below it.
  std::int64_t features() const { return features_; }
  const std::vector<SpanTemplate>& templates() const { return templates_; }

  // Numbers pairs that the nodes of a derivation have and that are not known yet, from `feature` on; gives
  // the next number. `settle` must follow before anything else, or, if one of them throws, `take_back`.
  std::int64_t meet(const Grammar& grammar, std::span<const Step> derivation, TokenForms forms,
                    std::int64_t feature);
  void settle();
  struct Known {
    std::size_t attributes, pairs;
  };
  Known known() const { return {state_.templates.size(), state_.pairs.size()}; }
  // Forgets what was met since then, settled or not.
  void take_back(Known known) noexcept;

  // Calls visit(attribute) for every known attribute of a span; only those of templates that look at no more
  // than one border, or at both, if so asked.
  enum class Border : std::uint8_t { begin, end, both };
  template <class Visit>
  void for_each_attribute(TokenForms forms, std::int64_t begin, std::int64_t end, Border border,
                          Visit&& visit) const {
    for (std::size_t t = 0; t < templates_.size(); ++t)
      if (borders_[t] == border) {
        const std::int32_t attribute = find(t, forms, begin, end);
        if (attribute >= 0) visit(attribute);
      }
  }
  std::span<const Weighted> weighted(std::int32_t attribute) const {
    return {weighted_.data() + weighted_begin_[attribute], weighted_.data() + weighted_begin_[attribute + 1]};
  }
  // Calls add(feature) for the features of a node.
  template <class Add>
  void for_each_feature(TokenForms forms, std::int64_t begin, std::int64_t end, std::int32_t node_class,
                        Add&& add) const {
    for (const Border border : {Border::begin, Border::end, Border::both})
      for_each_attribute(forms, begin, end, border, [&](std::int32_t attribute) {
        for (const Weighted& pair : weighted(attribute))
          if (pair.node_class == node_class) add(pair.feature);
      });
  }

  // -- copies: attributes are a template and what it saw ----------------------------------------------------

  struct State {
    std::vector<std::int32_t> templates;  // one entry an attribute
    std::vector<std::int32_t> values;
    std::vector<std::int64_t> value_begin{0};
    std::vector<Pair> pairs;  // by feature
  };
  const State& state() const { return state_; }
  // Throws std::invalid_argument when the parts do not fit together.
  void assign(State state);

 private:
  bool look(std::size_t number, TokenForms forms, std::int64_t begin, std::int64_t end,
            std::vector<std::int32_t>& seen) const;
  std::int32_t find(std::size_t number, TokenForms forms, std::int64_t begin, std::int64_t end) const;
  std::int32_t enter(std::size_t number, std::span<const std::int32_t> seen);
  std::size_t place_of(std::uint64_t key) const;
  void grow();
  void count_pairs() noexcept;
  std::int32_t attributes() const { return static_cast<std::int32_t>(state_.templates.size()); }

  std::vector<SpanTemplate> templates_;
  std::vector<Border> borders_;
  std::int32_t forms_, classes_ = 0;
  std::int64_t features_ = 0;
  State state_;
  // Attributes by the fingerprints of what was seen: open addressing, 0 is an empty place.
  std::vector<std::uint64_t> keys_;
  std::vector<std::int32_t> numbers_;
  // Pairs by attribute; those that were met since come in lists, while derivations are met.
  std::vector<std::int64_t> weighted_begin_{0};
  std::vector<Weighted> weighted_;
  std::vector<std::vector<std::int32_t>> met_;
};

}  // namespace hedgerow::structured::grammar
