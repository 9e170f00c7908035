#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "models/texts.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/locks.hpp"
#include "python/states.hpp"
#include "python/token_reader.hpp"
#include "structured/sequence/feature_rows.hpp"
#include "structured/sequence/templates.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace sequence = structured::sequence;

namespace {

using Values = std::optional<ArrayIn<double>>;

sequence::FeatureRowsView view(const ArrayIn<std::int64_t>& row_begin, const ArrayIn<std::int32_t>& feature,
                               const Values& value) {
  return {as_span(row_begin), as_span(feature), value ? as_span(*value) : std::span<const double>{}};
}

nb::tuple as_arrays(sequence::FeatureRows&& rows) {
  nb::object value = nb::none();
  if (!rows.value.empty()) value = nb::cast(to_numpy(std::move(rows.value)));
  return nb::make_tuple(to_numpy(std::move(rows.row_begin)), to_numpy(std::move(rows.feature)), value);
}

using ViewTuple = std::tuple<ArrayIn<std::int32_t>, std::vector<nb::bytes>>;
using TemplateTuple = std::tuple<nb::bytes, std::vector<std::tuple<std::int32_t, std::int32_t>>>;

std::string bytes_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

nb::tuple apply_templates(FeatureNames& names, const ArrayIn<std::int64_t>& sequence_begin,
                          const std::vector<ViewTuple>& views, const std::vector<TemplateTuple>& templates,
                          bool grow) {
  std::vector<sequence::TemplateView> native_views;
  for (const auto& [text_of, texts] : views) {
    sequence::TemplateView one{{text_of.data(), text_of.data() + text_of.size()}, {}};
    for (const nb::bytes& text : texts) one.texts.push_back(bytes_of(text));
    native_views.push_back(std::move(one));
  }
  std::vector<sequence::FeatureTemplate> native_templates;
  for (const auto& [name, atoms] : templates) {
    sequence::FeatureTemplate one{bytes_of(name), {}};
    for (const auto& [seen, offset] : atoms) one.atoms.push_back({seen, offset});
    native_templates.push_back(std::move(one));
  }
  sequence::FeatureRows rows;
  {
    const LongHolding holding(names, grow);
    rows = sequence::template_features(as_span(sequence_begin), native_views, native_templates, names.texts,
                                       grow);
  }
  return as_arrays(std::move(rows));
}

}  // namespace

void register_tokens(nb::module_& m) {
  nb::class_<FeatureNames>(m, "FeatureNames", "Names of features of tokens, numbered as they come.")
      .def(nb::init<>())
      .def("__len__",
           [](const FeatureNames& names) {
             const Reading reading(names);
             return names.texts.size();
           })
      .def(
          "names",
          [](const FeatureNames& names, std::int32_t begin) {
            const Reading reading(names);
            nb::typed<nb::list, nb::bytes> result;
            for (std::int32_t id = std::max(begin, 0); id < names.texts.size(); ++id)
              result.append(nb::bytes(names.texts[id].data(), names.texts[id].size()));
            return result;
          },
          "begin"_a = 0, "The names from a number on, in UTF-8.")
      .def(
          "read",
          [](FeatureNames& names, nb::handle sequences, bool grow) {
            const Holding<true> holding(names, grow);
            TokenReader reader(names, grow);
            reader.read(sequences);
            return reader.arrays();
          },
          "sequences"_a, "grow"_a,
          nb::sig("def read(self, sequences: object, grow: bool) -> tuple[NDArray[numpy.int64], "
                  "NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64] | None]"),
          "Features of tokens that are strings, lists of strings or dicts: begins of sequences and of "
          "tokens, features, and values unless all are 1.")
      .def("apply_templates", &apply_templates, "sequence_begin"_a, "views"_a, "templates"_a, "grow"_a,
           nb::sig("def apply_templates(self, sequence_begin: NDArray[numpy.int64], views: "
                   "list[tuple[NDArray[numpy.int32], list[bytes]]], templates: list[tuple[bytes, "
                   "list[tuple[int, int]]]], grow: bool) -> tuple[NDArray[numpy.int64], "
                   "NDArray[numpy.int32], NDArray[numpy.float64] | None]"),
           "Features from views (numbers of texts by token, texts) and templates (name, (view, offset)s).")
      .def("save",
           [](const FeatureNames& names) {
             const Reading reading(names);
             models::State state;
             models::save_texts(state, "names", names.texts);
             return to_dict(std::move(state));
           })
      .def("load",
           [](FeatureNames& names, const nb::dict& arrays) {
             const Writing writing(names);
             names.texts = models::load_texts(from_dict(arrays), "names");
           })
      .def("__getstate__",
           [](const FeatureNames& names) {
             const Reading reading(names);
             models::State state;
             models::save_texts(state, "names", names.texts);
             return to_dict(std::move(state));
           })
      .def("__setstate__", [](FeatureNames& names, const nb::dict& arrays) {
        new (&names) FeatureNames{{}, models::load_texts(from_dict(arrays), "names")};
      });

  m.def(
      "with_neighbours",
      [](const ArrayIn<std::int64_t>& row_begin, const ArrayIn<std::int32_t>& feature, const Values& value,
         const ArrayIn<std::int64_t>& sequence_begin, std::int32_t radius) {
        sequence::FeatureRows rows;
        {
          nb::gil_scoped_release release;
          rows = sequence::with_neighbours(view(row_begin, feature, value), as_span(sequence_begin), radius);
        }
        return as_arrays(std::move(rows));
      },
      "row_begin"_a, "feature"_a, "value"_a.none(), "sequence_begin"_a, "radius"_a,
      nb::sig("def with_neighbours(row_begin: NDArray[numpy.int64], feature: NDArray[numpy.int32], value: "
              "NDArray[numpy.float64] | None, sequence_begin: NDArray[numpy.int64], radius: int) -> "
              "tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64] | None]"),
      "Rows of features with those of the neighbours.");
  m.def(
      "distinct_rows",
      [](const ArrayIn<std::int64_t>& row_begin, const ArrayIn<std::int32_t>& feature, const Values& value) {
        sequence::DistinctRows rows;
        {
          nb::gil_scoped_release release;
          rows = sequence::distinct_rows(view(row_begin, feature, value));
        }
        return nb::make_tuple(to_numpy(std::move(rows.number)), to_numpy(std::move(rows.first)));
      },
      "row_begin"_a, "feature"_a, "value"_a.none(),
      nb::sig("def distinct_rows(row_begin: NDArray[numpy.int64], feature: NDArray[numpy.int32], value: "
              "NDArray[numpy.float64] | None) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64]]"),
      "Equal rows get equal numbers: the number of each row, and the first row of each number.");
}

}  // namespace hedgerow::python
