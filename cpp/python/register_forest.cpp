#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "data/brackets.hpp"
#include "data/distinct_subtrees.hpp"
#include "data/forest.hpp"
#include "data/forest_builder.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace hedgerow;
using namespace hedgerow::python;

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

void check_printable(const Forest& forest, bool allow_spaces) {
  if (const auto id = unprintable_label(forest, allow_spaces))
    throw std::invalid_argument(std::string(forest.symbols->label(*id)));
}

}  // namespace

void register_forest(nb::module_& m) {
  nb::class_<Forest>(m, "Forest", "Labelled ordered trees in flat arrays.")
      .def(nb::init<>())
      .def("__len__", [](const Forest& f) { return f.size(); })
      .def_prop_ro("n_nodes", &Forest::node_count)
      .def_prop_ro("n_labels", [](const Forest& f) { return f.symbols->labels.size(); })
      .def_prop_ro("n_productions", [](const Forest& f) { return f.symbols->productions.size(); })
      .def(
          "__eq__", [](const Forest& a, const Forest& b) { return a == b; }, nb::is_operator(),
          nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def(
          "select",
          [](const Forest& f, ArrayIn<std::int64_t> trees) {
            for (std::int64_t t : as_span(trees))
              if (t < 0 || t >= f.size()) throw nb::index_error("tree index out of range");
            nb::gil_scoped_release release;
            return select(f, as_span(trees));
          },
          "trees"_a)
      .def_static(
          "concatenate",
          [](const std::vector<const Forest*>& forests) {
            nb::gil_scoped_release release;
            return concatenate(forests);
          },
          "forests"_a)
      .def_static(
          "from_postorder",
          [](const std::vector<nb::str>& labels, ArrayIn<std::int32_t> label_of_node,
             ArrayIn<std::int32_t> arity, ArrayIn<std::int64_t> sizes) {
            const auto views = views_of(labels);
            return forest_from_postorder(views, as_span(label_of_node), as_span(arity), as_span(sizes));
          },
          "labels"_a, "label_of_node"_a, "arity"_a, "tree_sizes"_a)
      .def(
          "subtrees_of_root",
          [](const Forest& f, std::int64_t tree) {
            if (tree < 0 || tree >= f.size()) throw nb::index_error("tree index out of range");
            return subtrees_of_root(f, tree);
          },
          "tree"_a)
      .def("compact", &compact)
      .def("labels",
           [](const Forest& f) {
             nb::typed<nb::list, nb::str> names;
             for (std::int32_t id = 0; id < f.symbols->labels.size(); ++id)
               names.append(to_str(f.symbols->label(id)));
             return names;
           })
      .def("tree_sizes",
           [](const Forest& f) {
             std::vector<std::int64_t> sizes;
             for (std::int64_t t = 0; t < f.size(); ++t) sizes.push_back(f.tree_size(t));
             return to_numpy(std::move(sizes));
           })
      .def("label_of_node", [](const Forest& f) { return to_numpy(std::vector(f.label)); })
      .def("production_of_node", [](const Forest& f) { return to_numpy(std::vector(f.production)); })
      .def("arity",
           [](const Forest& f) {
             std::vector<std::int32_t> arity;
             arity.reserve(f.node_count());
             for (std::int64_t t = 0; t < f.size(); ++t) {
               const TreeView view = f[t];
               for (std::int32_t v = 0; v < view.size; ++v) arity.push_back(view.arity(v));
             }
             return to_numpy(std::move(arity));
           })
      .def(
          "distinct_subtrees",
          [](const Forest& f) {
            DistinctSubtrees found;
            {
              nb::gil_scoped_release release;
              found = distinct_subtrees(f);
            }
            return nb::make_tuple(to_numpy(std::move(found.label)), to_numpy(std::move(found.height)),
                                  to_numpy(std::move(found.child_begin)), to_numpy(std::move(found.child)),
                                  to_numpy(std::move(found.of_node)),
                                  to_numpy(std::move(found.parent_of_node)));
          },
          "Label, height, beginnings of children and children of each; subtree and parent of each node.")
      .def(
          "to_brackets",
          [](const Forest& f, bool bracket_leaves, bool allow_spaces) {
            check_printable(f, allow_spaces);
            nb::typed<nb::list, nb::str> lines;
            std::string line;
            for (std::int64_t t = 0; t < f.size(); ++t) {
              line.clear();
              write_tree(f, t, bracket_leaves ? LeafStyle::bracketed : LeafStyle::bare, line);
              lines.append(to_str(line));
            }
            return lines;
          },
          "bracket_leaves"_a = false, "allow_spaces"_a = false,
          "The trees in brackets. Raises ValueError(label) when the notation cannot express a label.");
}
