// Feature templates: names of features from what stands in columns around a token.
//
// What a template looks at (a word, its last letters, its shape) is a view: for each token the number of a
// text, or -1 where there is nothing to see. A template joins what its atoms see, and is silent when one sees
// nothing.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/texts.hpp"
#include "structured/sequence/feature_rows.hpp"

namespace hedgerow::structured::sequence {

struct TemplateView {
  std::vector<std::int32_t> text_of;  // by token
  std::vector<std::string> texts;
};

struct TemplateAtom {
  std::int32_t view;
  std::int32_t offset;  // of the token looked at
};

struct FeatureTemplate {
  std::string name;
  std::vector<TemplateAtom> atoms;
};

// Features are named NAME=TEXT|TEXT..., just NAME without atoms. Names that are new are added to `names` when
// it may grow, and left out otherwise.
FeatureRows template_features(std::span<const std::int64_t> sequence_begin,
                              std::span<const TemplateView> views, std::span<const FeatureTemplate> templates,
                              models::Texts& names, bool grow);

}  // namespace hedgerow::structured::sequence
