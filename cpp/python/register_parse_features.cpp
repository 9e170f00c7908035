#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "features/parse_features.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

template <class Result, class Compute>
Result without_gil(Compute&& compute) {
  nb::gil_scoped_release release;
  return compute();
}

nb::tuple as_arrays(features::CountRows&& rows) {
  return nb::make_tuple(to_numpy(std::move(rows.begin)), to_numpy(std::move(rows.column)),
                        to_numpy(std::move(rows.value)));
}

}  // namespace

void register_parse_features(nb::module_& m) {
  m.def(
      "varying_parse_features",
      [](const data::Forest& forest, ArrayIn<std::int64_t> begins, std::int32_t least, int threads) {
        return to_numpy(without_gil<std::vector<std::uint64_t>>(
            [&] { return features::varying_features(forest, as_span(begins), least, threads); }));
      },
      "forest"_a, "begins"_a, "least"_a, "threads"_a,
      "Hashes of the features whose counts vary within at least so many lists, in order.");
  m.def(
      "parse_feature_rows",
      [](const data::Forest& forest, ArrayIn<std::int64_t> begins, ArrayIn<std::uint64_t> hashes,
         ArrayIn<double> base, int threads) {
        return as_arrays(without_gil<features::CountRows>([&] {
          const features::FeatureColumns columns(as_span(hashes), 1);
          return features::feature_rows(forest, as_span(begins), columns, as_span(base), threads);
        }));
      },
      "forest"_a, "begins"_a, "hashes"_a, "base"_a, "threads"_a,
      "Begins, columns and values of sparse rows: column 0 for the base, then one for each hash.");
  m.def(
      "shared_parse_feature_rows",
      [](const data::Forest& forest, ArrayIn<std::int64_t> begins, int bits, ArrayIn<double> base,
         int threads) {
        return as_arrays(without_gil<features::CountRows>([&] {
          return features::feature_rows(forest, as_span(begins), features::FeatureColumns(bits, 1),
                                        as_span(base), threads);
        }));
      },
      "forest"_a, "begins"_a, "bits"_a, "base"_a, "threads"_a,
      "As parse_feature_rows, with 2**bits columns that features share.");
  m.def(
      "parse_feature_names",
      [](const data::Forest& forest, ArrayIn<std::uint64_t> hashes) {
        return without_gil<std::vector<std::string>>(
            [&] { return features::feature_names(forest, as_span(hashes)); });
      },
      "forest"_a, "hashes"_a, "Empty for features that no tree has.");
}

}  // namespace hedgerow::python
