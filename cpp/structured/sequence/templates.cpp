#include "structured/sequence/templates.hpp"

#include <algorithm>
#include <stdexcept>

namespace hedgerow {

namespace {

void check(std::span<const std::int64_t> sequence_begin, std::span<const TemplateView> views,
           std::span<const FeatureTemplate> templates) {
  if (sequence_begin.empty() || sequence_begin.front() != 0 || !std::ranges::is_sorted(sequence_begin))
    throw std::invalid_argument("the arrays of the sequences do not fit together");
  for (const TemplateView& view : views) {
    if (static_cast<std::int64_t>(view.text_of.size()) != sequence_begin.back())
      throw std::invalid_argument("a view must show something for each token");
    for (const std::int32_t text : view.text_of)
      if (text < -1 || text >= static_cast<std::int64_t>(view.texts.size()))
        throw std::invalid_argument("a view shows a text that it does not have");
  }
  for (const FeatureTemplate& one : templates)
    for (const TemplateAtom& atom : one.atoms)
      if (atom.view < 0 || atom.view >= static_cast<std::int64_t>(views.size()))
        throw std::invalid_argument("a template looks at a view that is not there");
}

// What stands `distance` tokens before the first token or behind the last.
std::string beyond(std::int64_t distance) { return (distance < 0 ? "_B" : "_B+") + std::to_string(distance); }

}  // namespace

FeatureRows template_features(std::span<const std::int64_t> sequence_begin,
                              std::span<const TemplateView> views, std::span<const FeatureTemplate> templates,
                              Texts& names, bool grow) {
  check(sequence_begin, views, templates);
  FeatureRows rows;
  std::string name;
  for (std::size_t s = 0; s + 1 < sequence_begin.size(); ++s) {
    const std::int64_t begin = sequence_begin[s], end = sequence_begin[s + 1];
    for (std::int64_t t = begin; t < end; ++t) {
      for (const FeatureTemplate& one : templates) {
        name = one.name;
        bool silent = false;
        char separator = '=';
        for (const TemplateAtom& atom : one.atoms) {
          const TemplateView& view = views[atom.view];
          const std::int64_t u = t + atom.offset;
          name += separator;
          separator = '|';
          if (u < begin || u >= end) {
            name += beyond(u < begin ? u - begin : u - end + 1);
          } else if (view.text_of[u] < 0) {
            silent = true;
            break;
          } else {
            name += view.texts[view.text_of[u]];
          }
        }
        if (silent) continue;
        const std::int32_t feature =
            grow ? names.intern({name.data(), name.size()}) : names.find({name.data(), name.size()});
        if (feature != Texts::npos) rows.add(feature, 1.0);
      }
      rows.end_row();
    }
  }
  return rows;
}

}  // namespace hedgerow
