#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <limits>

#include "linear/ranking.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/choices.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

template <class T>
std::vector<T> copied(const ArrayIn<T>& array) {
  return {array.data(), array.data() + array.size()};
}

}  // namespace

void register_ranking(nb::module_& m) {
  nb::class_<linear::CandidateItems, models::Items>(m, "CandidateItems",
                                                    "Lists of candidates, each with its oracle.")
      .def(
          "__init__",
          [](linear::CandidateItems* self, std::shared_ptr<models::Items> candidates,
             ArrayIn<std::int64_t> begins, ArrayIn<std::int64_t> oracles, ArrayIn<std::uint8_t> rivals) {
            new (self) linear::CandidateItems(std::move(candidates), copied(begins), copied(oracles),
                                              copied(rivals));
          },
          "candidates"_a, "begins"_a, "oracles"_a, "rivals"_a);

  nb::class_<linear::RankingLearner, linear::LinearLearner>(
      m, "RankingLearner", "Passes over candidate lists, whose labels are all 1.")
      .def(
          "__init__",
          [](linear::RankingLearner* self, const linear::LinearRule& rule, std::int64_t trace_every,
             const std::string& counting, double half_life) {
            new (self) linear::RankingLearner(rule, trace_every, counting_from(counting), half_life);
          },
          "rule"_a, "trace_every"_a, "counting"_a = "examples",
          "half_life"_a = std::numeric_limits<double>::infinity());
}

}  // namespace hedgerow::python
