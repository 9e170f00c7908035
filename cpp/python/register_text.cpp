#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "data/brackets.hpp"
#include "data/svmlight_tk.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

using ErrorTuple = std::tuple<std::int64_t, std::int64_t, std::string>;  // line (or tree), column, message

std::vector<ErrorTuple> tuples(const std::vector<data::LineError>& errors) {
  std::vector<ErrorTuple> result;
  for (const data::LineError& e : errors) result.emplace_back(e.line, e.column, e.message);
  return result;
}

std::string_view view(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

// One tree a string; an error names the string's number.
std::tuple<data::Forest, std::vector<ErrorTuple>> parse_trees(nb::typed<nb::sequence, nb::str> strings,
                                                              bool collect, bool spaces_in_leaves) {
  data::ForestBuilder builder;
  std::vector<ErrorTuple> errors;
  std::int64_t number = 0;
  for (nb::handle item : strings) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(item.ptr(), &size);
    if (!data) throw nb::python_error();
    const std::string_view text(data, size);
    if (const auto error = data::read_only_tree(text, builder, {spaces_in_leaves})) {
      builder.abandon_tree();
      errors.emplace_back(number, 1 + data::count_characters(text.substr(0, error->offset)), error->message);
      if (!collect) break;
    } else {
      builder.end_tree();
    }
    ++number;
  }
  return {builder.finish(), std::move(errors)};
}

std::tuple<data::Forest, std::vector<ErrorTuple>> read_brackets(nb::bytes bytes,
                                                                std::optional<std::int64_t> field,
                                                                const std::string& layout, bool collect,
                                                                bool spaces_in_leaves) {
  const data::BracketOptions options{spaces_in_leaves};
  const std::string_view text = view(bytes);
  data::BracketText result;
  {
    nb::gil_scoped_release release;
    if (field) {
      result = data::read_bracket_field(text, *field, collect, options);
    } else if (layout == "free") {
      result = data::read_bracket_text(text, data::Layout::free, collect, options);
    } else {
      result = data::read_bracket_text(text, data::Layout::lines, collect, options);
      // Perhaps no line is missing a bracket and the trees are just broken without indentation.
      if (result.unclosed && layout == "auto") {
        data::BracketText again = data::read_bracket_text(text, data::Layout::free, false, options);
        if (again.errors.empty()) result = std::move(again);
      }
    }
  }
  return {std::move(result.forest), tuples(result.errors)};
}

nb::tuple take_rows(data::SvmlightTkReader& reader) {
  reader.fill_columns();
  nb::list names, trees, vectors;
  for (std::int32_t id = 0; id < reader.labels.size(); ++id) {
    const auto label = reader.labels[id];
    names.append(to_str({label.data(), label.size()}));
  }
  for (data::Column& column : reader.columns) {
    if (column.holds_trees) {
      trees.append(nb::make_tuple(column.name, column.trees.finish()));
    } else {
      data::SparseColumn& matrix = column.vectors;
      const std::int64_t width = matrix.width;
      vectors.append(nb::make_tuple(column.name, to_numpy(std::move(matrix.row_begin)),
                                    to_numpy(std::move(matrix.index)), to_numpy(std::move(matrix.value)),
                                    width));
    }
  }
  auto labels = to_numpy(std::move(reader.label_of_row));
  auto lines = to_numpy(std::move(reader.line_of_row));
  auto queries = to_numpy(std::move(reader.query_of_row));
  reader.clear_rows();
  return nb::make_tuple(names, labels, trees, vectors, lines, queries);
}

}  // namespace

void register_text(nb::module_& m) {
  m.def("parse_trees", &parse_trees, "strings"_a, "collect"_a = false, "spaces_in_leaves"_a = false,
        "Trees from bracketed strings, and (number, column, message) of every bad one.");
  m.def("read_brackets", &read_brackets, "text"_a, "field"_a.none(), "layout"_a = "auto", "collect"_a = false,
        "spaces_in_leaves"_a = false,
        "Trees from the text of a file, and (line, column, message) of every error.");

  m.def(
      "is_number",
      [](std::string_view text, bool whole) {
        return data::is_label_of_kind(text, whole ? data::LabelKind::whole : data::LabelKind::number);
      },
      "text"_a, "whole"_a = false, "Whether the text is a finite decimal number, or a whole one of 64 bits.");

  m.def(
      "scan_labels",
      [](nb::bytes text) {
        const std::string_view content = view(text);
        data::SequenceTable<char> labels;
        {
          nb::gil_scoped_release release;
          data::scan_labels(content, labels);
        }
        nb::typed<nb::list, nb::bytes> found;
        for (std::int32_t id = 0; id < labels.size(); ++id)
          found.append(nb::bytes(labels[id].data(), labels[id].size()));
        return found;
      },
      "text"_a, "The distinct labels of whole SVM-light-TK lines.");

  nb::class_<data::SvmlightTkReader>(m, "SvmlightTkReader", "Reads SVM-light-TK lines piece by piece.")
      .def(
          "__init__",
          [](data::SvmlightTkReader* self, bool spaces_in_leaves, bool zero_based, bool collect,
             std::int64_t n_features) {
            new (self) data::SvmlightTkReader({{spaces_in_leaves}, zero_based, collect, n_features});
          },
          "spaces_in_leaves"_a = false, "zero_based"_a = false, "collect"_a = false,
          "n_features"_a = INT32_MAX)
      .def("declare_column", &data::SvmlightTkReader::declare_column, "name"_a, "holds_trees"_a)
      .def("fix_columns", &data::SvmlightTkReader::fix_columns, "hint"_a,
           "Lines with other columns are errors from here on; the hint ends their message.")
      .def(
          "fix_labels",
          [](data::SvmlightTkReader& self, bool whole, std::string hint) {
            self.fix_labels(whole ? data::LabelKind::whole : data::LabelKind::number, std::move(hint));
          },
          "whole"_a, "hint"_a,
          "Other labels than numbers are errors from here on; the hint ends their message.")
      .def(
          "read",
          [](data::SvmlightTkReader& self, nb::bytes text, std::size_t at, std::int64_t max_rows, bool last) {
            const std::string_view content = view(text);
            nb::gil_scoped_release release;
            return self.read(content, at, max_rows, last);
          },
          "text"_a, "at"_a, "max_rows"_a, "last"_a,
          "Reads complete lines; returns the place behind the last one.")
      .def_prop_ro("rows", &data::SvmlightTkReader::rows)
      .def_prop_ro("stopped", &data::SvmlightTkReader::stopped)
      .def_prop_ro(
          "columns",
          [](const data::SvmlightTkReader& self) {
            std::vector<std::tuple<std::string, bool>> columns;
            for (const data::Column& column : self.columns)
              columns.emplace_back(column.name, column.holds_trees);
            return columns;
          },
          "(name, holds trees) of the columns, in the order in which the text first shows them.")
      .def_prop_ro("errors", [](const data::SvmlightTkReader& self) { return tuples(self.errors); })
      .def(
          "take_errors", [](data::SvmlightTkReader& self) { return tuples(std::exchange(self.errors, {})); },
          "The errors so far, then forgotten.")
      .def("take_rows", &take_rows,
           nb::sig(
               "def take_rows(self) -> tuple[list[str], NDArray[numpy.int32], list[tuple[str, Forest]], "
               "list[tuple[str, NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64], int]], "
               "NDArray[numpy.int64], NDArray[numpy.int64]]"),
           "The examples held, then forgotten: distinct labels, label of each row, (name, Forest) columns, "
           "(name, indptr, indices, data, width) columns, line of each row, qid of each row.");
}

}  // namespace hedgerow::python
