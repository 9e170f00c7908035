#include "structured/sequence/templates.hpp"

#include <algorithm>
#include <stdexcept>

namespace hedgerow::structured::sequence {

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

class TemplateReader {
 public:
  TemplateReader(std::span<const TemplateView> views, std::span<const FeatureTemplate> templates,
                 models::Texts& names, bool grow)
      : views_(views), templates_(templates), names_(names), grow_(grow), met_(templates.size()) {
    for (std::size_t k = 0; k < templates.size(); ++k)
      if (templates[k].atoms.size() == 1)
        met_[k].assign(views[templates[k].atoms[0].view].texts.size(), not_met);
  }

  // The features of token t of a sentence.
  void read(std::int64_t begin, std::int64_t end, std::int64_t t, FeatureRows& rows) {
    for (std::size_t k = 0; k < templates_.size(); ++k) {
      const std::int32_t feature = find(k, begin, end, t);
      if (feature != models::Texts::npos) rows.add(feature, 1.0);
    }
    rows.end_row();
  }

 private:
  static constexpr std::int32_t not_met = -2;

  std::int32_t find(std::size_t k, std::int64_t begin, std::int64_t end, std::int64_t t) {
    const FeatureTemplate& one = templates_[k];
    if (one.atoms.size() != 1) return look_up(one, begin, end, t);
    const std::int64_t u = t + one.atoms[0].offset;
    if (u < begin || u >= end) return look_up(one, begin, end, t);
    const std::int32_t text = views_[one.atoms[0].view].text_of[u];
    if (text < 0) return models::Texts::npos;
    if (met_[k][text] == not_met) met_[k][text] = look_up(one, begin, end, t);
    return met_[k][text];
  }

  std::int32_t look_up(const FeatureTemplate& one, std::int64_t begin, std::int64_t end, std::int64_t t) {
    name_ = one.name;
    char separator = '=';
    for (const TemplateAtom& atom : one.atoms) {
      const TemplateView& view = views_[atom.view];
      const std::int64_t u = t + atom.offset;
      name_ += separator;
      separator = '|';
      if (u < begin || u >= end)
        name_ += beyond(u < begin ? u - begin : u - end + 1);
      else if (view.text_of[u] < 0)
        return models::Texts::npos;
      else
        name_ += view.texts[view.text_of[u]];
    }
    const std::span<const char> name(name_.data(), name_.size());
    return grow_ ? names_.intern(name) : names_.find(name);
  }

  std::span<const TemplateView> views_;
  std::span<const FeatureTemplate> templates_;
  models::Texts& names_;
  bool grow_;
  // By template with one atom and by text the feature, so that its name need not be made again.
  std::vector<std::vector<std::int32_t>> met_;
  std::string name_;
};

}  // namespace

FeatureRows template_features(std::span<const std::int64_t> sequence_begin,
                              std::span<const TemplateView> views, std::span<const FeatureTemplate> templates,
                              models::Texts& names, bool grow) {
  check(sequence_begin, views, templates);
  TemplateReader reader(views, templates, names, grow);
  FeatureRows rows;
  for (std::size_t s = 0; s + 1 < sequence_begin.size(); ++s)
    for (std::int64_t t = sequence_begin[s]; t < sequence_begin[s + 1]; ++t)
      reader.read(sequence_begin[s], sequence_begin[s + 1], t, rows);
  return rows;
}

}  // namespace hedgerow::structured::sequence
