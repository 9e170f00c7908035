#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "features/fragment_hash.hpp"
#include "parameters.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

using features::Counts, features::FragmentHashing, features::Norm;

void register_fragment_hash(nb::module_& m) {
  nb::class_<FragmentHashing>(m, "FragmentHashing", "How trees become sparse vectors of fragments.")
      .def(
          "__init__",
          [](FragmentHashing* self, int bits, int subtrees, int paths, int leaves, bool productions,
             bool siblings, bool alternate_sign, const std::string& counts, const std::string& norm) {
            FragmentHashing hashing{bits, subtrees, paths, leaves, productions, siblings, alternate_sign};
            hashing.counts = one_of<Counts>(
                "counts", counts, {{"raw", Counts::raw}, {"binary", Counts::binary}, {"log", Counts::log}});
            hashing.norm =
                one_of<Norm>("norm", norm, {{"none", Norm::none}, {"l1", Norm::l1}, {"l2", Norm::l2}});
            hashing.check();
            new (self) FragmentHashing(hashing);
          },
          "bits"_a, "subtrees"_a, "paths"_a, "leaves"_a, "productions"_a, "siblings"_a, "alternate_sign"_a,
          "counts"_a, "norm"_a)
      .def(
          "vectors",
          [](const FragmentHashing& self, const data::Forest& forest, int threads) {
            features::HashedRows rows;
            {
              const nb::gil_scoped_release release;
              rows = self.vectors(forest, threads);
            }
            return nb::make_tuple(to_numpy(std::move(rows.begin)), to_numpy(std::move(rows.column)),
                                  to_numpy(std::move(rows.value)));
          },
          "forest"_a, "threads"_a, "Begins, columns and values of sparse rows.")
      .def(
          "names",
          [](const FragmentHashing& self, const data::Forest& forest, std::int64_t tree) {
            if (tree < 0 || tree >= forest.size()) throw std::invalid_argument("the tree is out of range");
            std::vector<std::tuple<std::int32_t, bool, std::int32_t, std::int32_t, std::string>> found;
            for (features::NamedFragment& one : self.names(forest, tree))
              found.emplace_back(one.column, one.negative, one.node, one.last, std::move(one.name));
            return found;
          },
          "forest"_a, "tree"_a,
          "Columns of a tree's fragments, whether they count negatively, first and last nodes, what they "
          "are.")
      .def(
          "behind",
          [](const FragmentHashing& self, const ArrayIn<std::int32_t>& columns, const data::Forest& forest) {
            std::vector<features::ColumnFragment> met;
            {
              const nb::gil_scoped_release release;
              met = self.behind({columns.data(), columns.size()}, forest);
            }
            std::vector<std::tuple<std::int32_t, bool, std::int64_t, std::string>> found;
            for (features::ColumnFragment& one : met)
              found.emplace_back(one.column, one.negative, one.trees, std::move(one.name));
            return found;
          },
          "columns"_a, "forest"_a,
          "Fragments of a forest that have these columns: column, whether they count negatively, trees, "
          "what.");
}

}  // namespace hedgerow::python
