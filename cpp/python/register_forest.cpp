#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "data/brackets.hpp"
#include "data/forest.hpp"
#include "data/forest_builder.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

std::vector<std::string_view> views_of(const std::vector<nb::str>& strings) {
  std::vector<std::string_view> views;
  views.reserve(strings.size());
  for (const nb::str& s : strings) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(s.ptr(), &size);
    if (!data) throw nb::python_error();
    views.emplace_back(data, size);
  }
  return views;
}

void check_printable(const data::Forest& forest, bool allow_spaces) {
  if (const auto id = data::unprintable_label(forest, allow_spaces))
    throw std::invalid_argument(std::string(forest.symbols->label(*id)));
}

}  // namespace

void register_forest(nb::module_& m) {
  nb::class_<data::Forest>(m, "Forest", "Labelled ordered trees in flat arrays.")
      .def(nb::init<>())
      .def("__len__", [](const data::Forest& f) { return f.size(); })
      .def_prop_ro("n_nodes", &data::Forest::node_count)
      .def_prop_ro("n_labels", [](const data::Forest& f) { return f.symbols->labels.size(); })
      .def_prop_ro("n_productions", [](const data::Forest& f) { return f.symbols->productions.size(); })
      .def(
          "__eq__", [](const data::Forest& a, const data::Forest& b) { return a == b; }, nb::is_operator(),
          nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def(
          "select",
          [](const data::Forest& f, ArrayIn<std::int64_t> trees) {
            for (std::int64_t t : as_span(trees))
              if (t < 0 || t >= f.size()) throw nb::index_error("tree index out of range");
            nb::gil_scoped_release release;
            return data::select(f, as_span(trees));
          },
          "trees"_a)
      .def_static(
          "concatenate",
          [](const std::vector<const data::Forest*>& forests) {
            nb::gil_scoped_release release;
            return data::concatenate(forests);
          },
          "forests"_a)
      .def_static(
          "from_postorder",
          [](const std::vector<nb::str>& labels, ArrayIn<std::int32_t> label_of_node,
             ArrayIn<std::int32_t> arity, ArrayIn<std::int64_t> sizes) {
            const auto views = views_of(labels);
            return data::forest_from_postorder(views, as_span(label_of_node), as_span(arity), as_span(sizes));
          },
          "labels"_a, "label_of_node"_a, "arity"_a, "tree_sizes"_a)
      .def(
          "subtrees_of_root",
          [](const data::Forest& f, std::int64_t tree) {
            if (tree < 0 || tree >= f.size()) throw nb::index_error("tree index out of range");
            return data::subtrees_of_root(f, tree);
          },
          "tree"_a)
      .def("compact", &data::compact)
      .def("labels",
           [](const data::Forest& f) {
             nb::typed<nb::list, nb::str> names;
             for (std::int32_t id = 0; id < f.symbols->labels.size(); ++id)
               names.append(to_str(f.symbols->label(id)));
             return names;
           })
      .def("tree_sizes",
           [](const data::Forest& f) {
             std::vector<std::int64_t> sizes;
             for (std::int64_t t = 0; t < f.size(); ++t) sizes.push_back(f.tree_size(t));
             return to_numpy(std::move(sizes));
           })
      .def("label_of_node", [](const data::Forest& f) { return to_numpy(std::vector(f.label)); })
      .def("production_of_node", [](const data::Forest& f) { return to_numpy(std::vector(f.production)); })
      .def("arity",
           [](const data::Forest& f) {
             std::vector<std::int32_t> arity;
             arity.reserve(f.node_count());
             for (std::int64_t t = 0; t < f.size(); ++t) {
               const data::TreeView view = f[t];
               for (std::int32_t v = 0; v < view.size; ++v) arity.push_back(view.arity(v));
             }
             return to_numpy(std::move(arity));
           })
      .def(
          "to_brackets",
          [](const data::Forest& f, bool bracket_leaves, bool allow_spaces) {
            check_printable(f, allow_spaces);
            nb::typed<nb::list, nb::str> lines;
            std::string line;
            for (std::int64_t t = 0; t < f.size(); ++t) {
              line.clear();
              data::write_tree(f, t, bracket_leaves ? data::LeafStyle::bracketed : data::LeafStyle::bare,
                               line);
              lines.append(to_str(line));
            }
            return lines;
          },
          "bracket_leaves"_a = false, "allow_spaces"_a = false,
          "The trees in brackets. Raises ValueError(label) when the notation cannot express a label.");
}

}  // namespace hedgerow::python
