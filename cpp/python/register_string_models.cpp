#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "models/feature_model.hpp"
#include "models/items.hpp"
#include "models/subsequence_model.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/sequences.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

constexpr std::int32_t last_code_point = 0x10FFFF;

std::shared_ptr<const data::SequenceTable<char>> table_of(const std::vector<nb::bytes>& tokens) {
  auto table = std::make_shared<data::SequenceTable<char>>();
  for (const nb::bytes& token : tokens) {
    const std::int32_t expected = table->size();
    if (table->intern({token.c_str(), token.size()}) != expected)
      throw std::invalid_argument("tokens must be distinct");
  }
  return table;
}

struct Arrays {
  ArrayIn<std::int32_t> symbols;
  ArrayIn<std::int64_t> begin;
};

void make_items(models::SequenceItems* self, ArrayIn<std::int32_t> symbols, ArrayIn<std::int64_t> begin,
                const std::optional<std::vector<nb::bytes>>& tokens) {
  const kernels::Sequences sequences = sequences_of(symbols, begin);
  const auto table = tokens ? table_of(*tokens) : nullptr;
  const std::int32_t largest = table ? table->size() - 1 : last_code_point;
  for (std::int32_t symbol : sequences.symbols)
    if (symbol > largest) throw std::invalid_argument("symbols are out of range");
  new (self) models::SequenceItems;
  self->sequences = sequences;
  self->tokens = table;
  self->owner = std::make_shared<Arrays>(std::move(symbols), std::move(begin));
}

template <class T>
Array<T> copy_of(std::span<const T> values) {
  return to_numpy(std::vector<T>(values.begin(), values.end()));
}

}  // namespace

void register_string_models(nb::module_& m) {
  nb::class_<models::SequenceItems, models::Items>(m, "SequenceItems")
      .def("__init__", &make_items, "symbols"_a, "begin"_a, "tokens"_a.none(),
           "Symbols are code points, or numbers of tokens where these are given.")
      .def_prop_ro(
          "symbols", [](const models::SequenceItems& items) { return copy_of(items.sequences.symbols); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "begin", [](const models::SequenceItems& items) { return copy_of(items.sequences.begin); },
          nb::rv_policy::automatic)
      .def_prop_ro("tokens", [](const models::SequenceItems& items) {
        std::optional<std::vector<nb::bytes>> tokens;
        if (!items.tokens) return tokens;
        tokens.emplace();
        for (std::int32_t id = 0; id < items.tokens->size(); ++id)
          tokens->emplace_back((*items.tokens)[id].data(), (*items.tokens)[id].size());
        return tokens;
      });

  // Kernels whose features can be listed, those of trees too.
  m.def("subtree_model", &models::subtree_model, "decay"_a, "normalized"_a);
  m.def("path_model", &models::path_model, "decay"_a, "normalized"_a);
  m.def("short_fragment_model", &models::short_fragment_model, "sizes"_a, "normalized"_a);
  m.def(
      "kmer_model",
      [](std::int64_t k, ArrayIn<double> weight, std::int64_t max_entries, bool normalized) {
        if (k < 1 || k > INT32_MAX || weight.size() == 0)
          throw std::invalid_argument("k and the weights must be at least 1");
        return models::kmer_model(k, as_span(weight), max_entries, normalized);
      },
      "k"_a, "weight"_a, "max_entries"_a, "normalized"_a);

  m.def(
      "subsequence_model",
      [](std::int64_t length, double decay, double scale,
         bool normalized) -> std::unique_ptr<models::KernelModel> {
        if (length < 1) throw std::invalid_argument("length must be at least 1");
        return std::make_unique<models::SubsequenceModel>(
            1, kernels::GappedSubsequences{length, decay, scale}, normalized);
      },
      "length"_a, "decay"_a, "scale"_a, "normalized"_a);
}

}  // namespace hedgerow::python
