#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <string>

#include "neighbors/tree_index.hpp"
#include "parameters.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/locks.hpp"
#include "python/states.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

using neighbors::TreeIndex;

neighbors::Ranking ranking_from(const std::string& given) {
  return one_of<neighbors::Ranking>("ranking", given,
                                    {{"normalized", neighbors::Ranking::normalized},
                                     {"kernel", neighbors::Ranking::kernel},
                                     {"distance", neighbors::Ranking::distance}});
}

template <class Parameters>
void make_index(TreeIndex* self, const Parameters& kernel, const std::string& given) {
  const neighbors::Ranking ranking = ranking_from(given);
  new (self) TreeIndex(neighbors::indexed(kernel, ranking == neighbors::Ranking::normalized), ranking);
}

nb::tuple to_tuple(neighbors::Neighbors&& found) {
  return nb::make_tuple(to_numpy(std::move(found.begin)), to_numpy(std::move(found.tree)),
                        to_numpy(std::move(found.score)), to_numpy(std::move(found.self)), found.compared);
}

constexpr const char* about_neighbors =
    "Neighbours with at most so many, a least score, and a radius: where those of each tree begin, their "
    "numbers and "
    "scores, the trees' self-kernels, and how many pairs were compared.";

}  // namespace

void register_neighbors(nb::module_& m) {
  nb::class_<TreeIndex>(m, "TreeIndex")
      .def(
          "__init__",
          [](TreeIndex* self, const kernels::SubsetTreeParameters& kernel, const std::string& ranking) {
            make_index(self, kernel, ranking);
          },
          "kernel"_a, "ranking"_a)
      .def(
          "__init__",
          [](TreeIndex* self, const kernels::PartialTreeParameters& kernel, const std::string& ranking) {
            make_index(self, kernel, ranking);
          },
          "kernel"_a, "ranking"_a)
      .def(
          "__init__",
          [](TreeIndex* self, double decay, const std::string& ranking) {
            new (self) TreeIndex(neighbors::indexed_subtrees(decay), ranking_from(ranking));
          },
          "decay"_a, "ranking"_a, "Of complete subtrees.")
      .def("__len__", read(&TreeIndex::size))
      .def_prop_ro("slots", read(&TreeIndex::slots), "One more than the largest number of a tree so far.")
      .def(
          "add",
          [](TreeIndex& self, const std::shared_ptr<models::Items>& trees, int threads) {
            const LongWriting writing(self);
            self.add(trees, threads);
          },
          "trees"_a, "threads"_a)
      .def(
          "remove",
          [](TreeIndex& self, const ArrayIn<std::int64_t>& numbers) {
            const LongWriting writing(self);
            self.remove(as_span(numbers));
          },
          "numbers"_a)
      .def("numbers",
           [](const TreeIndex& self) {
             const Reading reading(self);
             return to_numpy(self.numbers());
           })
      .def(
          "trees",
          [](const TreeIndex& self, const ArrayIn<std::int64_t>& numbers) {
            const LongReading reading(self);
            return std::const_pointer_cast<models::Items>(self.trees(as_span(numbers)));
          },
          "numbers"_a)
      .def(
          "neighbors",
          [](const TreeIndex& self, const models::Items& trees, std::int64_t most, double least,
             double radius, int threads) {
            neighbors::Neighbors found;
            {
              const LongReading reading(self);
              found = self.neighbors(trees, {most, least, radius}, threads);
            }
            return to_tuple(std::move(found));
          },
          "trees"_a, "most"_a, "least"_a, "radius"_a, "threads"_a, about_neighbors)
      .def(
          "neighbors_of",
          [](const TreeIndex& self, const ArrayIn<std::int64_t>& numbers, std::int64_t most, double least,
             double radius, int threads) {
            neighbors::Neighbors found;
            {
              const LongReading reading(self);
              found = self.neighbors(as_span(numbers), {most, least, radius}, threads);
            }
            return to_tuple(std::move(found));
          },
          "numbers"_a, "most"_a, "least"_a, "radius"_a, "threads"_a, about_neighbors)
      .def("save",
           [](const TreeIndex& self) {
             models::State state;
             {
               const LongReading reading(self);
               self.save(state);
             }
             return to_dict(std::move(state));
           })
      .def(
          "load",
          [](TreeIndex& self, const nb::dict& arrays, int threads) {
            const models::State state = from_dict(arrays);
            const LongWriting writing(self);
            self.load(state, threads);
          },
          "arrays"_a, "threads"_a, "Into an empty index.");
}

}  // namespace hedgerow::python
