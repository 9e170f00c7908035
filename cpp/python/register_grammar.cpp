#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <memory>

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
  throw std::invalid_argument("loss must be 'f1', 'brackets' or 'zero-one', got '" + name + "'");
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

std::vector<grammar::UnaryChain> chains_of(const nb::tuple& parts) {
  const auto bases = nb::cast<Ids>(parts[0]), tops = nb::cast<Ids>(parts[1]);
  const auto labels = lists_of(nb::cast<Ids>(parts[2]), nb::cast<Begins>(parts[3]));
  const auto features = lists_of(nb::cast<Ids>(parts[4]), nb::cast<Begins>(parts[5]));
  if (bases.size() != tops.size() || bases.size() != labels.size() || bases.size() != features.size())
    throw std::invalid_argument("chains need as many bases as tops, labels and features");
  std::vector<grammar::UnaryChain> chains;
  for (std::size_t c = 0; c < bases.size(); ++c)
    chains.push_back({bases.data()[c], tops.data()[c], labels[c], features[c]});
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

}  // namespace

void register_grammar(nb::module_& m) {
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
          "tops, labels and their beginnings, features and their beginnings. Words: tags and features of "
          "every "
          "kind.")
      .def_prop_ro("n_features", &grammar::Grammar::features)
      .def(
          "parse",
          [](const grammar::Grammar& grammar, const ArrayIn<double>& weights, const Ids& words,
             const Begins& begin, double beam, int threads) {
            grammar::Parses parses;
            {
              nb::gil_scoped_release release;
              parses =
                  grammar::parse(grammar, as_span(weights), as_span(words), as_span(begin), beam, threads);
            }
            auto [kinds, ids] = parts_of(parses.steps);
            return nb::make_tuple(to_numpy(std::move(kinds)), to_numpy(std::move(ids)),
                                  to_numpy(std::move(parses.begin)));
          },
          "weights"_a, "words"_a, "word_begin"_a, "beam"_a, "threads"_a,
          "Derivations of the best trees: kinds and ids of steps (0 word, 1 rule, 2 chain, 3 root chain), "
          "and "
          "where each begins. No steps where there is no tree.")
      .def(
          "parse_k",
          [](const grammar::Grammar& grammar, const ArrayIn<double>& weights, const Ids& words,
             const Begins& begin, std::int32_t k, double beam, int threads) {
            grammar::RankedParses parses;
            {
              nb::gil_scoped_release release;
              parses = grammar::parse_k(grammar, as_span(weights), as_span(words), as_span(begin), k, beam,
                                        threads);
            }
            auto [kinds, ids] = parts_of(parses.steps);
            return nb::make_tuple(to_numpy(std::move(kinds)), to_numpy(std::move(ids)),
                                  to_numpy(std::move(parses.begin)), to_numpy(std::move(parses.found)),
                                  to_numpy(std::move(parses.scores)));
          },
          "weights"_a, "words"_a, "word_begin"_a, "k"_a, "beam"_a, "threads"_a,
          "The same of the k best trees of each sentence, and how many these are, and their scores.")
      .def(
          "bind",
          [](std::shared_ptr<grammar::Grammar> grammar, const std::string& loss, const Ids& words,
             const Begins& word_begin, const Ids& kinds, const Ids& ids,
             const Begins& step_begin) -> std::shared_ptr<structured::Oracle> {
            return std::make_shared<grammar::GrammarOracle>(std::move(grammar), loss_from(loss),
                                                            copy_of(words), copy_of(word_begin),
                                                            steps_of(kinds, ids), copy_of(step_begin));
          },
          "loss"_a, "words"_a, "word_begin"_a, "kinds"_a, "ids"_a, "step_begin"_a,
          "An oracle for sentences and the derivations of their trees.");
}

}  // namespace hedgerow::python
