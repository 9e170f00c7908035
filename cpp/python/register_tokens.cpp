#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "models/texts.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/states.hpp"
#include "structured/sequence/feature_rows.hpp"
#include "structured/sequence/templates.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace hedgerow;
using namespace hedgerow::python;

namespace {

struct FeatureNames {
  Texts texts;
};

// The bytes of a Python string; lone surrogates, which UTF-8 does not have, take a slower way.
class Utf8 {
 public:
  bool read(PyObject* object) {
    if (!PyUnicode_Check(object)) return false;
    Py_ssize_t size = 0;
    if (const char* data = PyUnicode_AsUTF8AndSize(object, &size)) {
      text_ = {data, static_cast<std::size_t>(size)};
      return true;
    }
    PyErr_Clear();
    owner_ = nb::steal(PyUnicode_AsEncodedString(object, "utf-8", "surrogatepass"));
    if (!owner_.is_valid()) throw nb::python_error();
    text_ = {PyBytes_AS_STRING(owner_.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(owner_.ptr()))};
    return true;
  }
  std::string_view text() const { return text_; }

 private:
  nb::object owner_;
  std::string_view text_;
};

// Reads sequences of tokens in Python's lists.
class TokenReader {
 public:
  TokenReader(FeatureNames& names, bool grow) : names_(names.texts), grow_(grow) {}

  void read(nb::handle sequences) {
    for_each(sequences, "X must be a list of sequences", [&](PyObject* sequence) {
      token_ = 0;
      for_each(sequence, "a sequence must be a list of tokens", [&](PyObject* token) {
        read_token(token);
        rows_.end_row();
        ++token_;
      });
      sequence_begin_.push_back(static_cast<std::int64_t>(rows_.row_begin.size()) - 1);
      ++sequence_;
    });
  }

  nb::tuple arrays() {
    return nb::make_tuple(to_numpy(std::move(sequence_begin_)), to_numpy(std::move(rows_.row_begin)),
                          to_numpy(std::move(rows_.feature)),
                          rows_.value.empty() ? nb::none() : nb::cast(to_numpy(std::move(rows_.value))));
  }

 private:
  std::string place() const {
    return "token " + std::to_string(token_) + " of sequence " + std::to_string(sequence_);
  }

  template <class Use>
  void for_each(nb::handle list, const char* expected, Use&& use) {
    if (PyUnicode_Check(list.ptr())) throw nb::type_error((std::string(expected) + ", got a string").c_str());
    const nb::object items = nb::steal(PySequence_Fast(list.ptr(), expected));
    if (!items.is_valid()) throw nb::python_error();
    // The list may not change meanwhile: nothing here runs Python code that knows it.
    const Py_ssize_t n = PySequence_Fast_GET_SIZE(items.ptr());
    for (Py_ssize_t k = 0; k < n; ++k) use(PySequence_Fast_GET_ITEM(items.ptr(), k));
  }

  void read_token(PyObject* token) {
    if (PyDict_Check(token)) {
      read_dict(token);
    } else if (utf8_.read(token)) {
      add(utf8_.text(), 1.0);
    } else {
      const std::string expected = place() + " must be a string, a list of strings, or a dict";
      for_each(token, expected.c_str(), [&](PyObject* feature) {
        if (!utf8_.read(feature))
          throw nb::type_error((place() + " has a feature that is no string: " + repr(feature)).c_str());
        add(utf8_.text(), 1.0);
      });
    }
  }

  void read_dict(PyObject* token) {
    PyObject *key = nullptr, *value = nullptr;
    Py_ssize_t at = 0;
    while (PyDict_Next(token, &at, &key, &value)) {
      if (!utf8_.read(key))
        throw nb::type_error((place() + " has a feature that is no string: " + repr(key)).c_str());
      if (PyUnicode_Check(value)) {
        name_.assign(utf8_.text());
        name_ += '=';
        utf8_.read(value);
        name_ += utf8_.text();
        add(name_, 1.0);
        continue;
      }
      const double number = PyFloat_AsDouble(value);
      if (number == -1.0 && PyErr_Occurred()) {
        PyErr_Clear();
        throw nb::type_error((place() + " has the feature " + repr(key) +
                              " with a value that is neither number, bool nor string: " + repr(value))
                                 .c_str());
      }
      if (!std::isfinite(number))
        throw nb::value_error((place() + " has the feature " + repr(key) + " with the value " + repr(value) +
                               "; values must be finite")
                                  .c_str());
      if (number != 0) add(utf8_.text(), number);
    }
  }

  void add(std::string_view name, double value) {
    const std::span<const char> text(name.data(), name.size());
    const std::int32_t feature = grow_ ? names_.intern(text) : names_.find(text);
    if (feature != Texts::npos) rows_.add(feature, value);
  }

  static std::string repr(PyObject* object) { return nb::cast<std::string>(nb::repr(nb::handle(object))); }

  Texts& names_;
  bool grow_;
  FeatureRows rows_;
  std::vector<std::int64_t> sequence_begin_{0};
  std::int64_t sequence_ = 0, token_ = 0;
  Utf8 utf8_;
  std::string name_;
};

using Values = std::optional<ArrayIn<double>>;

FeatureRowsView view(const ArrayIn<std::int64_t>& row_begin, const ArrayIn<std::int32_t>& feature,
                     const Values& value) {
  return {as_span(row_begin), as_span(feature), value ? as_span(*value) : std::span<const double>{}};
}

nb::tuple as_arrays(FeatureRows&& rows) {
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
  std::vector<TemplateView> native_views;
  for (const auto& [text_of, texts] : views) {
    TemplateView one{{text_of.data(), text_of.data() + text_of.size()}, {}};
    for (const nb::bytes& text : texts) one.texts.push_back(bytes_of(text));
    native_views.push_back(std::move(one));
  }
  std::vector<FeatureTemplate> native_templates;
  for (const auto& [name, atoms] : templates) {
    FeatureTemplate one{bytes_of(name), {}};
    for (const auto& [seen, offset] : atoms) one.atoms.push_back({seen, offset});
    native_templates.push_back(std::move(one));
  }
  FeatureRows rows;
  {
    nb::gil_scoped_release release;
    rows = template_features(as_span(sequence_begin), native_views, native_templates, names.texts, grow);
  }
  return as_arrays(std::move(rows));
}

}  // namespace

void register_tokens(nb::module_& m) {
  nb::class_<FeatureNames>(m, "FeatureNames", "Names of features of tokens, numbered as they come.")
      .def(nb::init<>())
      .def("__len__", [](const FeatureNames& names) { return names.texts.size(); })
      .def(
          "names",
          [](const FeatureNames& names, std::int32_t begin) {
            nb::typed<nb::list, nb::bytes> result;
            for (std::int32_t id = std::max(begin, 0); id < names.texts.size(); ++id)
              result.append(nb::bytes(names.texts[id].data(), names.texts[id].size()));
            return result;
          },
          "begin"_a = 0, "The names from a number on, in UTF-8.")
      .def(
          "read",
          [](FeatureNames& names, nb::handle sequences, bool grow) {
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
             State state;
             save_texts(state, "names", names.texts);
             return to_dict(std::move(state));
           })
      .def("load", [](FeatureNames& names,
                      const nb::dict& arrays) { names.texts = load_texts(from_dict(arrays), "names"); })
      .def("__getstate__",
           [](const FeatureNames& names) {
             State state;
             save_texts(state, "names", names.texts);
             return to_dict(std::move(state));
           })
      .def("__setstate__", [](FeatureNames& names, const nb::dict& arrays) {
        new (&names) FeatureNames{load_texts(from_dict(arrays), "names")};
      });

  m.def(
      "with_neighbours",
      [](const ArrayIn<std::int64_t>& row_begin, const ArrayIn<std::int32_t>& feature, const Values& value,
         const ArrayIn<std::int64_t>& sequence_begin, std::int32_t radius) {
        FeatureRows rows;
        {
          nb::gil_scoped_release release;
          rows = with_neighbours(view(row_begin, feature, value), as_span(sequence_begin), radius);
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
        DistinctRows rows;
        {
          nb::gil_scoped_release release;
          rows = distinct_rows(view(row_begin, feature, value));
        }
        return nb::make_tuple(to_numpy(std::move(rows.number)), to_numpy(std::move(rows.first)));
      },
      "row_begin"_a, "feature"_a, "value"_a.none(),
      nb::sig("def distinct_rows(row_begin: NDArray[numpy.int64], feature: NDArray[numpy.int32], value: "
              "NDArray[numpy.float64] | None) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64]]"),
      "Equal rows get equal numbers: the number of each row, and the first row of each number.");
}
