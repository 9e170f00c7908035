#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <limits>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/structured.hpp"
#include "structured/weights.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

// A problem written in Python: find(example, weights, search, root) gives (indices, values, loss, correct).
class CallbackOracle final : public structured::Oracle {
 public:
  CallbackOracle(std::int64_t examples, nb::callable features, nb::callable find)
      : examples_(examples), features_(std::move(features)), find_(std::move(find)) {}
  ~CallbackOracle() override {
    nb::gil_scoped_acquire acquire;
    features_.reset();
    find_.reset();
  }
  CallbackOracle(const CallbackOracle&) = delete;
  CallbackOracle& operator=(const CallbackOracle&) = delete;

  std::int64_t examples() const override { return examples_; }
  std::int64_t features() const override {
    nb::gil_scoped_acquire acquire;
    return nb::cast<std::int64_t>(features_());
  }
  bool parallel() const override { return false; }

  void find(std::int64_t example, std::span<const double> weights, structured::Question question,
            structured::Candidate& found) const override {
    nb::gil_scoped_acquire acquire;
    // A view of the solver's memory, which Python must not keep.
    nb::ndarray<nb::numpy, const double, nb::ndim<1>> view(weights.data(), {weights.size()}, nb::handle());
    const auto answer = nb::cast<nb::tuple>(
        find_(example, view.cast(nb::rv_policy::reference), search_name(question.search), question.root));
    const auto indices = nb::cast<ArrayIn<std::int64_t>>(answer[0]);
    const auto values = nb::cast<ArrayIn<double>>(answer[1]);
    if (indices.size() != values.size())
      throw std::invalid_argument("joint features need as many indices as values");
    found.clear();
    for (std::size_t k = 0; k < indices.size(); ++k) {
      const std::int64_t index = indices.data()[k];
      if (index < 0 || index > std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument("joint features have indices from 0 to 2147483647, got " +
                                    std::to_string(index));
      found.add(index, values.data()[k]);
    }
    found.settle();
    found.loss = nb::cast<double>(answer[2]);
    found.correct = nb::cast<bool>(answer[3]);
  }

 private:
  std::int64_t examples_;
  nb::callable features_, find_;
};

}  // namespace

void register_structured(nb::module_& m) {
  nb::class_<structured::Oracle>(m, "Oracle", "A structured problem, bound to its training examples.")
      .def_static(
          "from_callbacks",
          [](std::int64_t examples, nb::callable features,
             nb::callable find) -> std::shared_ptr<structured::Oracle> {
            return std::make_shared<CallbackOracle>(examples, std::move(features), std::move(find));
          },
          "examples"_a, "features"_a, "find"_a,
          "A problem in Python: features() says how many there are; find(example, weights, search, root) "
          "gives "
          "(indices, values, loss, correct).")
      .def(
          "weighted",
          [](std::shared_ptr<structured::Oracle> oracle,
             const ArrayIn<double>& weights) -> std::shared_ptr<structured::Oracle> {
            const std::span<const double> given = as_span(weights);
            return std::make_shared<structured::WeightedOracle>(
                std::move(oracle), std::vector<double>(given.begin(), given.end()));
          },
          "weights"_a, "The same problem, the constraints of whose examples are multiplied by these weights.")
      .def_prop_ro("n_examples", &structured::Oracle::examples)
      .def_prop_ro("n_features", &structured::Oracle::features)
      .def(
          "find",
          [](const structured::Oracle& oracle, std::int64_t example, const ArrayIn<double>& weights,
             const std::string& search, bool root) {
            if (example < 0 || example >= oracle.examples())
              throw std::out_of_range("there is no example " + std::to_string(example));
            structured::Candidate found;
            const structured::Question question{search_from(search), root};
            {
              nb::gil_scoped_release release;
              if (oracle.parallel() && static_cast<std::int64_t>(weights.size()) < oracle.features())
                throw std::invalid_argument("weights are too short");
              oracle.find(example, as_span(weights), question, found);
            }
            return nb::make_tuple(to_numpy(std::move(found.indices)), to_numpy(std::move(found.values)),
                                  found.loss, found.correct);
          },
          "example"_a, "weights"_a, "search"_a, "root"_a = false,
          "The output asked for: (indices, values, loss, correct) of its difference to the true output. "
          "search: 'best', 'best_wrong', 'margin' or 'slack'.");

  nb::class_<structured::Space>(m, "Space", "Where joint features live, which says what their products are.")
      .def_static(
          "plain",
          []() -> std::shared_ptr<structured::Space> { return std::make_shared<structured::PlainSpace>(); })
      .def_static(
          "kernel",
          [](std::shared_ptr<svm::SvmKernel> kernel, std::int64_t plain_coordinates,
             std::int64_t output_features) -> std::shared_ptr<structured::Space> {
            return std::make_shared<structured::KernelSpace>(std::move(kernel), plain_coordinates,
                                                             output_features);
          },
          "kernel"_a, "plain_coordinates"_a, "output_features"_a)
      .def_prop_ro("is_plain", &structured::Space::plain)
      .def(
          "image",
          [](const structured::Space& space, const ArrayIn<double>& coordinates) {
            std::vector<std::int32_t> indices;
            std::vector<double> values;
            std::vector<double> scores(std::max(coordinates.size(), static_cast<std::size_t>(space.size())));
            for (std::size_t k = 0; k < coordinates.size(); ++k)
              if (coordinates.data()[k] != 0) {
                indices.push_back(static_cast<std::int32_t>(k));
                values.push_back(coordinates.data()[k]);
              }
            {
              // Without the GIL: others may be using the kernel, and one in Python needs it.
              const nb::gil_scoped_release release;
              space.add_image({indices, values}, 1.0, scores);
            }
            return to_numpy(std::move(scores));
          },
          "coordinates"_a, "The scores that oracles see in place of weights.");
}

}  // namespace hedgerow::python
