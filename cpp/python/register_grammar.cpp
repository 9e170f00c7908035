#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "structured/grammar/grammar_oracle.hpp"
#include "structured/grammar/parser.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace grammar = structured::grammar;

namespace {

using Ids = ArrayIn<std::int32_t>;
using Begins = ArrayIn<std::int64_t>;

grammar::TreeLoss loss_from(const std::string& name) {
  if (name == "f1") return grammar::TreeLoss::f1;
  if (name == "brackets") return grammar::TreeLoss::brackets;
  if (name == "zero-one") return grammar::TreeLoss::zero_one;
  if (name == "costs") return grammar::TreeLoss::costs;
  throw std::invalid_argument("loss must be 'f1', 'brackets', 'zero-one' or 'costs', got '" + name + "'");
}

// Parts of a list of ids.
std::vector<std::vector<std::int32_t>> lists_of(const Ids& ids, const Begins& begin) {
  const std::span<const std::int64_t> starts = as_span(begin);
  if (starts.empty() || starts.front() != 0 || !std::ranges::is_sorted(starts) ||
      starts.back() != static_cast<std::int64_t>(ids.size()))
    throw std::invalid_argument("lists and their beginnings do not fit together");
  std::vector<std::vector<std::int32_t>> lists;
  for (std::size_t k = 0; k + 1 < starts.size(); ++k)
    lists.emplace_back(ids.data() + starts[k], ids.data() + starts[k + 1]);
  return lists;
}

// Parts of a template are three numbers: place, offset and form.
std::vector<grammar::SpanTemplate> templates_of(const Ids& parts, const Begins& begin) {
  std::vector<grammar::SpanTemplate> templates;
  for (const std::vector<std::int32_t>& numbers : lists_of(parts, begin)) {
    if (numbers.size() % 3) throw std::invalid_argument("a part of a template is three numbers");
    grammar::SpanTemplate& one = templates.emplace_back();
    for (std::size_t k = 0; k < numbers.size(); k += 3) {
      if (numbers[k] < 0 || numbers[k] > 3) throw std::invalid_argument("an unknown place of a template");
      one.push_back({static_cast<grammar::SpanPart::Place>(numbers[k]), numbers[k + 1], numbers[k + 2]});
    }
  }
  return templates;
}

std::vector<grammar::UnaryChain> chains_of(const nb::tuple& parts) {
  const auto bases = nb::cast<Ids>(parts[0]), tops = nb::cast<Ids>(parts[1]);
  const auto labels = lists_of(nb::cast<Ids>(parts[2]), nb::cast<Begins>(parts[3]));
  const auto features = lists_of(nb::cast<Ids>(parts[4]), nb::cast<Begins>(parts[5]));
  const auto classes = lists_of(nb::cast<Ids>(parts[6]), nb::cast<Begins>(parts[7]));
  if (bases.size() != tops.size() || bases.size() != labels.size() || bases.size() != features.size() ||
      bases.size() != classes.size())
    throw std::invalid_argument("chains need as many bases as tops, labels, features and classes");
  std::vector<grammar::UnaryChain> chains;
  for (std::size_t c = 0; c < bases.size(); ++c)
    chains.push_back({bases.data()[c], tops.data()[c], labels[c], features[c], classes[c]});
  return chains;
}

// Kinds and ids of steps.
std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>> parts_of(
    const std::vector<grammar::Step>& steps) {
  std::vector<std::int32_t> kinds, ids;
  for (const grammar::Step& step : steps) {
    kinds.push_back(static_cast<std::int32_t>(step.kind));
    ids.push_back(step.id);
  }
  return {std::move(kinds), std::move(ids)};
}

std::vector<grammar::Step> steps_of(const Ids& kinds, const Ids& ids) {
  if (kinds.size() != ids.size()) throw std::invalid_argument("steps need as many kinds as ids");
  std::vector<grammar::Step> steps;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (kinds.data()[k] < 0 || kinds.data()[k] > 3) throw std::invalid_argument("an unknown kind of step");
    steps.push_back({static_cast<grammar::Step::Kind>(kinds.data()[k]), ids.data()[k]});
  }
  return steps;
}

template <class T>
std::vector<T> copy_of(const ArrayIn<T>& array) {
  return {array.data(), array.data() + array.size()};
}

// Pairs as columns.
template <std::int32_t grammar::SpanFeatures::Pair::* field>
Array<std::int32_t> column_of(const grammar::SpanFeatures& features) {
  std::vector<std::int32_t> column;
  for (const auto& pair : features.state().pairs) column.push_back(pair.*field);
  return to_numpy(std::move(column));
}

void register_span_features(nb::module_& m) {
  using grammar::SpanFeatures;
  nb::class_<SpanFeatures>(m, "SpanFeatures", "Joint features of nodes and the words that they span.")
      .def(
          "__init__",
          [](SpanFeatures* self, const Ids& parts, const Begins& begin, std::int32_t forms) {
            new (self) SpanFeatures(templates_of(parts, begin), forms);
          },
          "parts"_a, "part_begin"_a, "forms"_a,
          "Templates of parts: place (0 begin, 1 end, 2 length, 3 inside), offset and form of the token.")
      .def(
          "meet",
          [](SpanFeatures& self, const grammar::Grammar& grammar, const Ids& words, const Begins& word_begin,
             const Ids& forms, const Ids& kinds, const Ids& ids, const Begins& step_begin,
             std::int64_t feature) {
            const grammar::Sentences sentences{as_span(words), as_span(word_begin), as_span(forms)};
            sentences.check(grammar);
            const std::vector<grammar::Step> steps = steps_of(kinds, ids);
            const std::span<const std::int64_t> begin = as_span(step_begin);
            if (static_cast<std::int64_t>(begin.size()) != sentences.size() + 1 || begin.front() != 0 ||
                !std::ranges::is_sorted(begin) || begin.back() != static_cast<std::int64_t>(steps.size()))
              throw std::invalid_argument("sentences and derivations do not fit together");
            const SpanFeatures::Known known = self.known();
            try {
              for (std::int64_t i = 0; i < sentences.size(); ++i) {
                const std::span<const grammar::Step> own{steps.data() + begin[i],
                                                         steps.data() + begin[i + 1]};
                check_derivation(grammar, own, sentences.kinds(i));
                feature = self.meet(grammar, own, sentences.forms_of(grammar, i), feature);
              }
              self.settle();
            } catch (...) {
              self.take_back(known);
              throw;
            }
            return feature;
          },
          "grammar"_a, "words"_a, "word_begin"_a, "forms"_a, "kinds"_a, "ids"_a, "step_begin"_a, "feature"_a,
          "Number what the nodes of these trees have that is new, from a feature on: the next free number.")
      .def(
          "known",
          [](const SpanFeatures& self) {
            const SpanFeatures::Known known = self.known();
            return std::pair(known.attributes, known.pairs);
          },
          "How many attributes and pairs there are: what `take_back` goes back to.")
      .def(
          "take_back",
          [](SpanFeatures& self, std::size_t attributes, std::size_t pairs) {
            const SpanFeatures::Known now = self.known();
            if (attributes > now.attributes || pairs > now.pairs)
              throw std::invalid_argument("so much was never known");
            self.take_back({attributes, pairs});
          },
          "attributes"_a, "pairs"_a, "Forget what was met since then, without further memory.")
      .def(
          "of_tree",
          [](const SpanFeatures& self, const grammar::Grammar& grammar, const Ids& words, const Ids& forms,
             const Ids& kinds, const Ids& ids) {
            const std::vector<std::int64_t> begin{0, static_cast<std::int64_t>(words.size())};
            const grammar::Sentences sentences{as_span(words), begin, as_span(forms)};
            sentences.check(grammar);
            const std::vector<grammar::Step> steps = steps_of(kinds, ids);
            check_derivation(grammar, steps, sentences.kinds(0));
            std::vector<std::int32_t> found;
            for_each_node(grammar, steps, [&](std::int64_t from, std::int64_t to, std::int32_t node_class) {
              self.for_each_feature(sentences.forms_of(grammar, 0), from, to, node_class,
                                    [&](std::int32_t feature) { found.push_back(feature); });
            });
            return to_numpy(std::move(found));
          },
          "grammar"_a, "words"_a, "forms"_a, "kinds"_a, "ids"_a,
          "The features of the nodes of a tree, as often as it has them.")
      .def_prop_ro("n_features", &SpanFeatures::features)
      .def(
          "state",
          [](const SpanFeatures& self) {
            auto [templates, values, begin, pairs] = self.state();
            return nb::make_tuple(to_numpy(std::move(templates)), to_numpy(std::move(values)),
                                  to_numpy(std::move(begin)), column_of<&SpanFeatures::Pair::attribute>(self),
                                  column_of<&SpanFeatures::Pair::node_class>(self),
                                  column_of<&SpanFeatures::Pair::feature>(self));
          },
          "Attributes: templates, what they saw and where that begins. Pairs: attributes, classes, features.")
      .def(
          "assign",
          [](SpanFeatures& self, const Ids& templates, const Ids& values, const Begins& begin,
             const Ids& attributes, const Ids& classes, const Ids& features) {
            if (attributes.size() != classes.size() || attributes.size() != features.size())
              throw std::invalid_argument("pairs need as many attributes as classes and features");
            SpanFeatures::State state{copy_of(templates), copy_of(values), copy_of(begin), {}};
            for (std::size_t k = 0; k < attributes.size(); ++k)
              state.pairs.push_back({attributes.data()[k], classes.data()[k], features.data()[k]});
            self.assign(std::move(state));
          },
          "templates"_a, "values"_a, "value_begin"_a, "attributes"_a, "classes"_a, "features"_a,
          "Take up what `state` gave.");
}

}  // namespace

void register_grammar(nb::module_& m) {
  register_span_features(m);
  nb::class_<grammar::Grammar>(m, "Grammar", "A context-free grammar with one derivation for every tree.")
      .def(
          "__init__",
          [](grammar::Grammar* self, const Ids& labels, const Ids& rules, const nb::tuple& chains,
             const nb::tuple& root_chains, const Ids& word_tags, const Ids& word_features,
             const Begins& word_begin, std::int64_t features) {
            if (rules.size() % 4) throw std::invalid_argument("a rule is four numbers");
            std::vector<grammar::BinaryRule> binary;
            for (std::size_t k = 0; k < rules.size(); k += 4)
              binary.push_back(
                  {rules.data()[k], rules.data()[k + 1], rules.data()[k + 2], rules.data()[k + 3]});
            const auto tags = lists_of(word_tags, word_begin), of_tags = lists_of(word_features, word_begin);
            std::vector<std::vector<grammar::LexicalRule>> lexicon(tags.size());
            for (std::size_t w = 0; w < tags.size(); ++w)
              for (std::size_t k = 0; k < tags[w].size(); ++k)
                lexicon[w].push_back({tags[w][k], of_tags[w][k]});
            new (self) grammar::Grammar(copy_of(labels), std::move(binary), chains_of(chains),
                                        chains_of(root_chains), std::move(lexicon), features);
          },
          "labels"_a, "rules"_a, "chains"_a, "root_chains"_a, "word_tags"_a, "word_features"_a,
          "word_begin"_a, "features"_a,
          "labels: of every symbol, -1 for none. rules: parent, left, right, feature, and so on. chains: "
          "bases, "
          "tops, labels and their beginnings, features and their beginnings, classes and their beginnings. "
          "Words: tags and features of every kind.")
      .def(
          "look_at_spans",
          [](grammar::Grammar& grammar, const Ids& classes, std::shared_ptr<grammar::SpanFeatures> features) {
            grammar.look_at_spans(copy_of(classes), std::move(features));
          },
          "classes"_a, "features"_a, "Let nodes score by what they span: the class of every symbol, or -1.")
      .def_prop_ro("n_features", &grammar::Grammar::features)
      .def(
          "parse",
          [](const grammar::Grammar& grammar, const ArrayIn<double>& weights, const Ids& words,
             const Begins& begin, const Ids& forms, double beam, int threads) {
            const grammar::Sentences sentences{as_span(words), as_span(begin), as_span(forms)};
            grammar::Parses parses;
            {
              nb::gil_scoped_release release;
              parses = grammar::parse(grammar, as_span(weights), sentences, beam, threads);
            }
            auto [kinds, ids] = parts_of(parses.steps);
            return nb::make_tuple(to_numpy(std::move(kinds)), to_numpy(std::move(ids)),
                                  to_numpy(std::move(parses.begin)));
          },
          "weights"_a, "words"_a, "word_begin"_a, "forms"_a, "beam"_a, "threads"_a,
          "Derivations of the best trees: kinds and ids of steps (0 word, 1 rule, 2 chain, 3 root chain), "
          "and "
          "where each begins. No steps where there is no tree.")
      .def(
          "parse_k",
          [](const grammar::Grammar& grammar, const ArrayIn<double>& weights, const Ids& words,
             const Begins& begin, const Ids& forms, std::int32_t k, double beam, int threads) {
            const grammar::Sentences sentences{as_span(words), as_span(begin), as_span(forms)};
            grammar::RankedParses parses;
            {
              nb::gil_scoped_release release;
              parses = grammar::parse_k(grammar, as_span(weights), sentences, k, beam, threads);
            }
            auto [kinds, ids] = parts_of(parses.steps);
            return nb::make_tuple(to_numpy(std::move(kinds)), to_numpy(std::move(ids)),
                                  to_numpy(std::move(parses.begin)), to_numpy(std::move(parses.found)),
                                  to_numpy(std::move(parses.scores)));
          },
          "weights"_a, "words"_a, "word_begin"_a, "forms"_a, "k"_a, "beam"_a, "threads"_a,
          "The same of the k best trees of each sentence, and how many these are, and their scores.")
      .def(
          "bind",
          [](std::shared_ptr<grammar::Grammar> grammar, const std::string& loss, const ArrayIn<double>& costs,
             const Ids& words, const Begins& word_begin, const Ids& forms, const Ids& kinds, const Ids& ids,
             const Begins& step_begin) -> std::shared_ptr<structured::Oracle> {
            return std::make_shared<grammar::GrammarOracle>(
                std::move(grammar), loss_from(loss), copy_of(costs), copy_of(words), copy_of(word_begin),
                copy_of(forms), steps_of(kinds, ids), copy_of(step_begin));
          },
          "loss"_a, "costs"_a, "words"_a, "word_begin"_a, "forms"_a, "kinds"_a, "ids"_a, "step_begin"_a,
          "An oracle for sentences and the derivations of their trees.");
}

}  // namespace hedgerow::python
