#include "structured/grammar/span_features.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace hedgerow::structured::grammar {

namespace {

void check(bool fine, const char* what) {
  if (!fine) throw std::invalid_argument(std::string("span features with ") + what);
}

std::uint64_t mixed(std::uint64_t x) {  // the finaliser of splitmix64
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// Two attributes with one fingerprint would share their weights; among millions that is one in a million.
std::uint64_t fingerprint(std::size_t number, std::span<const std::int32_t> seen) {
  std::uint64_t key = mixed(number + 0x9e3779b97f4a7c15ULL);
  for (const std::int32_t value : seen)
    key = mixed(key + 0x9e3779b97f4a7c15ULL + static_cast<std::uint32_t>(value));
  return key ? key : 1;
}

// Lengths that are alike: exact ones up to five words, then ever wider classes.
std::int32_t length_class(std::int64_t length) {
  constexpr std::int64_t limits[] = {1, 2, 3, 4, 5, 7, 10, 15, 20, 30};
  return static_cast<std::int32_t>(std::ranges::lower_bound(limits, length) - std::begin(limits));
}

SpanFeatures::Border border_of(const SpanTemplate& parts) {
  using enum SpanPart::Place;
  if (std::ranges::all_of(parts, [](const SpanPart& part) { return part.place == begin; }))
    return SpanFeatures::Border::begin;
  if (std::ranges::all_of(parts, [](const SpanPart& part) { return part.place == end; }))
    return SpanFeatures::Border::end;
  return SpanFeatures::Border::both;
}

}  // namespace

SpanFeatures::SpanFeatures(std::vector<SpanTemplate> templates, std::int32_t forms)
    : templates_(std::move(templates)), forms_(forms), keys_(16), numbers_(16) {
  check(forms >= 0 && forms <= 64, "too many forms of tokens");
  for (const SpanTemplate& parts : templates_) {
    check(!parts.empty(), "an empty template");
    for (const SpanPart& part : parts) {
      check(part.form >= 0 && (part.form < forms || part.place == SpanPart::Place::length),
            "a template of an unknown form");
      check(part.offset >= -64 && part.offset <= 64, "a template that looks too far");
    }
    borders_.push_back(border_of(parts));
  }
}

bool SpanFeatures::look(std::size_t number, TokenForms forms, std::int64_t begin, std::int64_t end,
                        std::vector<std::int32_t>& seen) const {
  seen.clear();
  for (const SpanPart& part : templates_[number]) switch (part.place) {
      case SpanPart::Place::length:
        seen.push_back(length_class(end - begin));
        break;
      case SpanPart::Place::inside:
        if (end - begin > part.offset) return false;
        for (std::int64_t token = begin; token < end; ++token) {
          seen.push_back(forms.at(token, part.form));
          if (seen.back() == unknown_form) return false;
        }
        break;
      default:
        seen.push_back(
            forms.at((part.place == SpanPart::Place::begin ? begin : end) + part.offset, part.form));
        if (seen.back() == unknown_form) return false;
    }
  return true;
}

std::size_t SpanFeatures::place_of(std::uint64_t key) const {
  const std::size_t mask = keys_.size() - 1;
  std::size_t place = key & mask;
  while (keys_[place] && keys_[place] != key) place = (place + 1) & mask;
  return place;
}

std::int32_t SpanFeatures::find(std::size_t number, TokenForms forms, std::int64_t begin,
                                std::int64_t end) const {
  static thread_local std::vector<std::int32_t> seen;
  if (!look(number, forms, begin, end, seen)) return -1;
  const std::size_t place = place_of(fingerprint(number, seen));
  return keys_[place] ? numbers_[place] : -1;
}

void SpanFeatures::grow() {
  std::vector<std::uint64_t> keys(2 * keys_.size());
  std::vector<std::int32_t> numbers(keys.size());
  keys_.swap(keys);
  numbers_.swap(numbers);
  for (std::size_t k = 0; k < keys.size(); ++k)
    if (keys[k]) {
      const std::size_t place = place_of(keys[k]);
      keys_[place] = keys[k];
      numbers_[place] = numbers[k];
    }
}

std::int32_t SpanFeatures::enter(std::size_t number, std::span<const std::int32_t> seen) {
  const std::uint64_t key = fingerprint(number, seen);
  std::size_t place = place_of(key);
  if (keys_[place]) return numbers_[place];
  check(attributes() < std::numeric_limits<std::int32_t>::max() - 1, "too many attributes");
  if (2 * (state_.templates.size() + 1) > keys_.size()) {
    grow();
    place = place_of(key);
  }
  keys_[place] = key;
  numbers_[place] = attributes();
  state_.templates.push_back(static_cast<std::int32_t>(number));
  state_.values.insert(state_.values.end(), seen.begin(), seen.end());
  state_.value_begin.push_back(static_cast<std::int64_t>(state_.values.size()));
  return numbers_[place];
}

std::int64_t SpanFeatures::meet(const Grammar& grammar, std::span<const Step> derivation, TokenForms forms,
                                std::int64_t feature) {
  std::vector<std::int32_t> seen;
  for_each_node(grammar, derivation, [&](std::int64_t begin, std::int64_t end, std::int32_t node_class) {
    for (std::size_t t = 0; t < templates_.size(); ++t) {
      if (!look(t, forms, begin, end, seen)) continue;
      const auto attribute = static_cast<std::size_t>(enter(t, seen));
      if (met_.size() <= attribute) met_.resize(attribute + 1);
      const auto old = attribute + 1 < weighted_begin_.size() ? weighted(static_cast<std::int32_t>(attribute))
                                                              : std::span<const Weighted>{};
      if (std::ranges::any_of(old, [&](const Weighted& pair) { return pair.node_class == node_class; }) ||
          std::ranges::find(met_[attribute], node_class) != met_[attribute].end())
        continue;
      check(feature < std::numeric_limits<std::int32_t>::max(), "too many features");
      met_[attribute].push_back(node_class);
      state_.pairs.push_back(
          {static_cast<std::int32_t>(attribute), node_class, static_cast<std::int32_t>(feature++)});
    }
  });
  return feature;
}

void SpanFeatures::settle() {
  std::vector<std::int64_t> begin(state_.templates.size() + 1);
  std::vector<Weighted> weighted(state_.pairs.size());
  for (const Pair& pair : state_.pairs) ++begin[pair.attribute + 1];
  for (std::size_t a = 1; a < begin.size(); ++a) begin[a] += begin[a - 1];
  std::vector<std::int64_t> next(begin.begin(), begin.end() - 1);
  for (const Pair& pair : state_.pairs) weighted[next[pair.attribute]++] = {pair.node_class, pair.feature};
  // Nothing fails from here on.
  weighted_begin_.swap(begin);
  weighted_.swap(weighted);
  count_pairs();
  met_.clear();
}

// All of it shrinks, so that no memory is needed.
void SpanFeatures::take_back(Known known) noexcept {
  met_.clear();
  state_.templates.resize(known.attributes);
  state_.value_begin.resize(known.attributes + 1);
  state_.values.resize(static_cast<std::size_t>(state_.value_begin.back()));
  state_.pairs.resize(known.pairs);
  std::ranges::fill(keys_, 0);
  for (std::size_t a = 0; a < known.attributes; ++a) {
    const std::span<const std::int32_t> seen{state_.values.data() + state_.value_begin[a],
                                             state_.values.data() + state_.value_begin[a + 1]};
    const std::uint64_t key = fingerprint(static_cast<std::size_t>(state_.templates[a]), seen);
    const std::size_t place = place_of(key);
    keys_[place] = key;
    numbers_[place] = static_cast<std::int32_t>(a);
  }
  // What `settle` makes, by counting where it is: each attribute's place moves through its pairs to the next
  // one's.
  weighted_.resize(known.pairs);
  weighted_begin_.resize(known.attributes + 1);
  std::ranges::fill(weighted_begin_, 0);
  for (const Pair& pair : state_.pairs) ++weighted_begin_[pair.attribute + 1];
  for (std::size_t a = 1; a <= known.attributes; ++a) weighted_begin_[a] += weighted_begin_[a - 1];
  for (const Pair& pair : state_.pairs)
    weighted_[weighted_begin_[pair.attribute]++] = {pair.node_class, pair.feature};
  std::shift_right(weighted_begin_.begin(), weighted_begin_.end(), 1);
  weighted_begin_.front() = 0;
  count_pairs();
}

void SpanFeatures::count_pairs() noexcept {
  classes_ = 0;
  features_ = 0;
  for (const Pair& pair : state_.pairs) {
    classes_ = std::max(classes_, pair.node_class + 1);
    features_ = std::max<std::int64_t>(features_, pair.feature + 1);
  }
}

void SpanFeatures::assign(State state) {
  const auto size = state.templates.size();
  check(state.value_begin.size() == size + 1 && state.value_begin.front() == 0 &&
            state.value_begin.back() == static_cast<std::int64_t>(state.values.size()) &&
            std::ranges::is_sorted(state.value_begin),
        "attributes that do not fit together");
  keys_.assign(16, 0);
  numbers_.assign(16, 0);
  state_ = {};
  for (std::size_t a = 0; a < size; ++a) {
    check(state.templates[a] >= 0 && state.templates[a] < static_cast<std::int32_t>(templates_.size()),
          "an attribute of an unknown template");
    const std::span<const std::int32_t> values{state.values.data() + state.value_begin[a],
                                               state.values.data() + state.value_begin[a + 1]};
    check(enter(state.templates[a], values) == static_cast<std::int32_t>(a), "an attribute twice");
  }
  for (const Pair& pair : state.pairs)
    check(pair.attribute >= 0 && pair.attribute < attributes() && pair.node_class >= 0 &&
              pair.node_class < (1 << 20) && pair.feature >= 0 &&
              pair.feature < std::numeric_limits<std::int32_t>::max(),
          "a pair that is none");
  state_.pairs = std::move(state.pairs);
  settle();
}

}  // namespace hedgerow::structured::grammar
