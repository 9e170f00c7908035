// Sequences of tokens in Python's lists and dicts, as rows of numbered features.
#pragma once

#include <nanobind/nanobind.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "lock.hpp"
#include "models/texts.hpp"
#include "python/arrays.hpp"
#include "structured/sequence/feature_rows.hpp"

namespace hedgerow::python {

struct FeatureNames : Guarded {
  models::Texts texts;
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
    text_ = {PyBytes_AsString(owner_.ptr()), static_cast<std::size_t>(PyBytes_Size(owner_.ptr()))};
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
    for_each(
        sequences, [] { return std::string("X must be a list of sequences"); },
        [&](PyObject* sequence) {
          token_ = 0;
          for_each(
              sequence, [] { return std::string("a sequence must be a list of tokens"); },
              [&](PyObject* token) {
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

  // `expected` says what a list would be, for the message when it is none.
  template <class Expected, class Use>
  void for_each(nb::handle list, Expected&& expected, Use&& use) {
    if (PyUnicode_Check(list.ptr())) throw nb::type_error((expected() + ", got a string").c_str());
    const nb::object items = nb::steal(PySequence_Fast(list.ptr(), ""));
    if (!items.is_valid()) {
      if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
      PyErr_Clear();
      throw nb::type_error((expected() + ", got " + repr(list.ptr())).c_str());
    }
    // Numbers of other types may run Python code, which might change the list.
    const bool is_list = PyList_Check(items.ptr());  // else a tuple
    for (Py_ssize_t k = 0; k < (is_list ? PyList_Size(items.ptr()) : PyTuple_Size(items.ptr())); ++k) {
      const nb::object item =
          nb::borrow(is_list ? PyList_GetItem(items.ptr(), k) : PyTuple_GetItem(items.ptr(), k));
      use(item.ptr());
    }
  }

  void read_token(PyObject* token) {
    if (PyDict_Check(token)) {
      read_dict(token);
    } else if (utf8_.read(token)) {
      add(utf8_.text(), 1.0);
    } else {
      const auto expected = [&] { return place() + " must be a string, a list of strings, or a dict"; };
      for_each(token, expected, [&](PyObject* feature) {
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
    if (feature != models::Texts::npos) rows_.add(feature, value);
  }

  static std::string repr(PyObject* object) { return nb::cast<std::string>(nb::repr(nb::handle(object))); }

  models::Texts& names_;
  bool grow_;
  structured::sequence::FeatureRows rows_;
  std::vector<std::int64_t> sequence_begin_{0};
  std::int64_t sequence_ = 0, token_ = 0;
  Utf8 utf8_;
  std::string name_;
};

}  // namespace hedgerow::python
