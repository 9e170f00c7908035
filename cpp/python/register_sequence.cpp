#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <optional>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/choices.hpp"
#include "structured/sequence/sequence_features.hpp"
#include "structured/sequence/sequence_oracle.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace sequence = structured::sequence;

namespace {

template <class T>
std::vector<T> copy(const std::optional<ArrayIn<T>>& array) {
  if (!array) return {};
  return {array->data(), array->data() + array->size()};
}

template <class T>
std::span<const T> span_or_none(const std::optional<ArrayIn<T>>& array) {
  return array ? as_span(*array) : std::span<const T>{};
}

sequence::SequenceLoss::Kind loss_kind(const std::string& name) {
  using enum sequence::SequenceLoss::Kind;
  return one_of<sequence::SequenceLoss::Kind>("loss", name,
                                              {{"hamming", hamming},
                                               {"mean", mean},
                                               {"zero-one", zero_one},
                                               {"table", table},
                                               {"spans", spans},
                                               {"span-f1", span_f1}});
}

void check_labels(const sequence::Chain& chain, const sequence::TokenSequences& tokens, std::int64_t sequence,
                  const ArrayIn<std::int32_t>& labels) {
  if (sequence < 0 || sequence >= tokens.size())
    throw std::out_of_range("there is no sequence " + std::to_string(sequence));
  if (static_cast<std::int64_t>(labels.size()) != tokens.length(sequence))
    throw std::invalid_argument("there must be as many labels as tokens");
  for (const std::int32_t label : as_span(labels))
    if (label < 0 || label >= chain.labels) throw std::invalid_argument("labels are numbered from 0");
}

}  // namespace

void register_sequence(nb::module_& m) {
  nb::class_<sequence::Chain>(m, "Chain",
                              "Which features of labels there are, and where their weights stand.")
      .def(
          "__init__",
          [](sequence::Chain* self, std::int32_t labels, std::int32_t order, double scale, bool boundaries,
             bool bias, const std::optional<ArrayIn<std::uint8_t>>& allowed) {
            sequence::Chain chain{labels, order, scale, boundaries, bias, copy(allowed)};
            chain.check();
            new (self) sequence::Chain(std::move(chain));
          },
          "labels"_a, "order"_a, "scale"_a, "boundaries"_a, "bias"_a, "allowed"_a.none())
      .def_ro("labels", &sequence::Chain::labels)
      .def_prop_ro("plain", &sequence::Chain::plain,
                   "The number of weights of labels, before those of features.")
      .def_prop_ro("start_begin", &sequence::Chain::start_begin)
      .def_prop_ro("stop_begin", &sequence::Chain::stop_begin)
      .def_prop_ro("bias_begin", &sequence::Chain::bias_begin)
      .def("moves_begin", &sequence::Chain::moves_begin, "m"_a, "Where moves from m labels to one begin.")
      .def(
          "decode",
          [](const sequence::Chain& chain, const sequence::TokenSequences& tokens,
             const ArrayIn<double>& weights, int threads) {
            std::vector<std::int32_t> labels(tokens.tokens());
            {
              nb::gil_scoped_release release;
              sequence::decode_sequences(chain, tokens, as_span(weights), threads, labels);
            }
            return to_numpy(std::move(labels));
          },
          "tokens"_a, "weights"_a, "threads"_a, "The best labels of all tokens.")
      .def(
          "decode_k",
          [](const sequence::Chain& chain, const sequence::TokenSequences& tokens,
             const ArrayIn<double>& weights, std::int32_t k, int threads) {
            sequence::RankedLabels ranked;
            {
              nb::gil_scoped_release release;
              ranked = sequence::decode_k(chain, tokens, as_span(weights), k, threads);
            }
            return nb::make_tuple(to_numpy(std::move(ranked.found)), to_numpy(std::move(ranked.scores)),
                                  to_numpy(std::move(ranked.labels)));
          },
          "tokens"_a, "weights"_a, "k"_a, "threads"_a,
          nb::sig("def decode_k(self, tokens: TokenSequences, weights: NDArray[numpy.float64], k: int, "
                  "threads: int) -> tuple[NDArray[numpy.int64], NDArray[numpy.float64], "
                  "NDArray[numpy.int32]]"),
          "The k best labels of each sequence: how many there are, their scores, and labels one after the "
          "other.")
      .def(
          "max_marginals",
          [](const sequence::Chain& chain, const sequence::TokenSequences& tokens,
             const ArrayIn<double>& weights, int threads) {
            std::vector<double> scores(tokens.tokens() * chain.labels);
            {
              nb::gil_scoped_release release;
              sequence::find_max_marginals(chain, tokens, as_span(weights), threads, scores);
            }
            return to_numpy(std::move(scores));
          },
          "tokens"_a, "weights"_a, "threads"_a,
          "For each token and label the highest score of all outputs with the label there.")
      .def(
          "joint_features",
          [](const sequence::Chain& chain, const sequence::TokenSequences& tokens, std::int64_t sequence,
             const ArrayIn<std::int32_t>& labels) {
            check_labels(chain, tokens, sequence, labels);
            structured::Candidate features;
            sequence::sequence_difference(chain, tokens, sequence, as_span(labels), {}, features);
            return nb::make_tuple(to_numpy(std::move(features.indices)),
                                  to_numpy(std::move(features.values)));
          },
          "tokens"_a, "sequence"_a, "labels"_a,
          nb::sig("def joint_features(self, tokens: TokenSequences, sequence: int, labels: "
                  "NDArray[numpy.int32]) -> tuple[NDArray[numpy.int32], NDArray[numpy.float64]]"),
          "Psi of one sequence with labels.");

  nb::class_<sequence::TokenSequences>(m, "TokenSequences",
                                       "Sequences of tokens with the places of their weights.")
      .def(
          "__init__",
          [](sequence::TokenSequences* self, const ArrayIn<std::int64_t>& sequence_begin,
             const ArrayIn<std::int64_t>& row_begin, const ArrayIn<std::int32_t>& start,
             const std::optional<ArrayIn<double>>& value, const std::optional<ArrayIn<std::uint8_t>>& wide,
             std::int32_t labels, int threads) {
            nb::gil_scoped_release release;
            new (self) sequence::TokenSequences({as_span(sequence_begin), as_span(row_begin), as_span(start),
                                                 span_or_none(value), span_or_none(wide)},
                                                labels, threads);
          },
          "sequence_begin"_a, "row_begin"_a, "start"_a, "value"_a.none(), "wide"_a.none(), "labels"_a,
          "threads"_a)
      .def("__len__", &sequence::TokenSequences::size)
      .def_prop_ro("n_tokens", &sequence::TokenSequences::tokens);

  m.def(
      "sequence_oracle",
      [](const sequence::Chain& chain, std::shared_ptr<sequence::TokenSequences> tokens,
         const ArrayIn<std::int32_t>& labels, std::int64_t features, const std::string& loss,
         const std::optional<ArrayIn<double>>& table, const std::optional<ArrayIn<std::int32_t>>& prefixes,
         const std::optional<ArrayIn<std::int32_t>>& types,
         bool constrained) -> std::shared_ptr<structured::Oracle> {
        sequence::SequenceLoss of_labels{loss_kind(loss), chain.labels, copy(table)};
        for (const std::int32_t prefix : copy(prefixes)) {
          if (prefix < 0 || prefix > 4) throw std::invalid_argument("an unknown prefix of a label");
          of_labels.prefixes.push_back(static_cast<sequence::SequenceLoss::Prefix>(prefix));
        }
        of_labels.types = copy(types);
        return std::make_shared<sequence::SequenceOracle>(
            chain, std::move(of_labels), std::move(tokens),
            std::vector<std::int32_t>(labels.data(), labels.data() + labels.size()), features, constrained);
      },
      "chain"_a, "tokens"_a, "labels"_a, "features"_a, "loss"_a, "table"_a.none(), "prefixes"_a.none(),
      "types"_a.none(), "constrained"_a,
      "Sequences with their true labels, for solvers. Prefixes of labels: 0 O, 1 B, 2 I, 3 E, 4 S.");
}

}  // namespace hedgerow::python
