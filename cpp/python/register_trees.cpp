#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "kernels/feature_table.hpp"
#include "kernels/short_fragments.hpp"
#include "kernels/tree_features.hpp"
#include "kernels/tree_gram.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

template <class Parameters, class Real>
bool fill_gram(const Parameters& parameters, const data::Forest& left, const data::Forest* right,
               MatrixOut<Real> out, bool normalized, int threads) {
  check_shape(out, left.size(), right ? right->size() : left.size());
  const kernels::GramOptions options{normalized, std::is_same_v<Real, float>, threads};
  Real* const data = out.data();
  nb::gil_scoped_release release;
  return right ? kernels::tree_gram(parameters, left, *right, options, data)
               : kernels::tree_gram(parameters, left, options, data);
}

template <class Parameters>
void register_collapsed(nb::class_<Parameters>& kernel) {
  kernel
      .def("gram", &fill_gram<Parameters, double>, "left"_a, "right"_a.none(), "out"_a.noconvert(),
           "normalized"_a, "threads"_a,
           "Fills `out` with kernel values; right None: of left with itself. Returns whether all are finite.")
      .def("gram", &fill_gram<Parameters, float>, "left"_a, "right"_a.none(), "out"_a.noconvert(),
           "normalized"_a, "threads"_a)
      .def(
          "pairwise",
          [](const Parameters& parameters, const data::Forest& left, const data::Forest* right,
             MatrixOut<double> out) {
            const data::Forest& other = right ? *right : left;
            check_shape(out, left.size(), other.size());
            double* const data = out.data();
            nb::gil_scoped_release release;
            kernels::tree_gram_pairwise(parameters, left, other, right == nullptr, data);
          },
          "left"_a, "right"_a.none(), "out"_a.noconvert(),
          "The same, un-normalised, pair by pair in one thread.")
      .def(
          "diagonal",
          [](const Parameters& parameters, const data::Forest& forest, bool normalized, int threads) {
            std::vector<double> values;
            {
              nb::gil_scoped_release release;
              values = normalized ? kernels::normalized_tree_diagonal(parameters, forest, threads)
                                  : kernels::tree_diagonal(parameters, forest, threads);
            }
            return to_numpy(std::move(values));
          },
          "forest"_a, "normalized"_a, "threads"_a, "Self-kernels.");
}

// Features of the trees of `left`, then those of `right`.
template <class Features>
kernels::FeatureTable joint_features(const data::Forest& left, const data::Forest* right,
                                     Features&& features) {
  if (!right) return features(left);
  const data::Forest* const both[] = {&left, right};
  return features(data::concatenate(both));
}

}  // namespace

void register_trees(nb::module_& m) {
  nb::class_<kernels::SubsetTreeParameters> subset(m, "SubsetTree");
  subset.def(
      "__init__",
      [](kernels::SubsetTreeParameters* self, double decay, bool bag_of_words) {
        new (self) kernels::SubsetTreeParameters{decay, bag_of_words};
      },
      "decay"_a, "bag_of_words"_a);
  register_collapsed(subset);

  nb::class_<kernels::PartialTreeParameters> partial(m, "PartialTree");
  partial.def(
      "__init__",
      [](kernels::PartialTreeParameters* self, double decay, double vertical_decay, bool lexical,
         std::optional<std::int32_t> max_length, double terminal_factor) {
        new (self) kernels::PartialTreeParameters{decay, vertical_decay, lexical, max_length.value_or(0),
                                                  terminal_factor};
      },
      "decay"_a, "vertical_decay"_a, "lexical"_a, "max_length"_a.none(), "terminal_factor"_a);
  register_collapsed(partial);

  nb::class_<kernels::ShortFragments>(m, "ShortFragments")
      .def(
          "__init__",
          [](kernels::ShortFragments* self, std::int32_t subtrees, std::int32_t paths, std::int32_t leaves,
             bool siblings) {
            new (self) kernels::ShortFragments{subtrees, paths, leaves, siblings};
            self->check();
          },
          "subtrees"_a, "paths"_a, "leaves"_a, "siblings"_a)
      .def(
          "features",
          [](const kernels::ShortFragments& sizes, const data::Forest& left, const data::Forest* right) {
            nb::gil_scoped_release release;
            return joint_features(left, right, [&](const data::Forest& f) {
              return kernels::short_fragment_features(f, sizes);
            });
          },
          "left"_a, "right"_a.none())
      .def(
          "names",
          [](const kernels::ShortFragments& sizes, const data::Forest& forest, std::int64_t tree) {
            if (tree < 0 || tree >= forest.size()) throw std::invalid_argument("the tree is out of range");
            return kernels::short_fragment_names(forest, tree, sizes);
          },
          "forest"_a, "tree"_a, "The fragments of a tree in words, in the order of its row of features.");

  m.def(
      "subtree_features",
      [](const data::Forest& left, const data::Forest* right, double decay) {
        nb::gil_scoped_release release;
        return joint_features(left, right,
                              [&](const data::Forest& f) { return kernels::subtree_features(f, decay); });
      },
      "left"_a, "right"_a.none(), "decay"_a);
  m.def(
      "path_features",
      [](const data::Forest& left, const data::Forest* right, double decay) {
        nb::gil_scoped_release release;
        return joint_features(left, right,
                              [&](const data::Forest& f) { return kernels::path_features(f, decay); });
      },
      "left"_a, "right"_a.none(), "decay"_a);
}

}  // namespace hedgerow::python
