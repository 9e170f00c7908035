#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>

#include <limits>

#include "parallel.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "svm/smo.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace hedgerow;
using namespace hedgerow::python;

namespace {

std::int32_t checked_size(std::int64_t n) {
  if (n > std::numeric_limits<std::int32_t>::max())
    throw std::invalid_argument("at most 2147483647 examples can be taken, got " + std::to_string(n));
  return static_cast<std::int32_t>(n);
}

template <class Real>
std::unique_ptr<SvmKernel> from_gram(
    const nb::ndarray<const Real, nb::ndim<2>, nb::c_contig, nb::device::cpu>& gram) {
  if (gram.shape(0) != gram.shape(1))
    throw std::invalid_argument("gram must be square, got " + std::to_string(gram.shape(0)) + " rows and " +
                                std::to_string(gram.shape(1)) + " columns");
  const std::int32_t n = checked_size(static_cast<std::int64_t>(gram.shape(0)));
  auto owner = keep(gram);
  nb::gil_scoped_release release;
  return std::make_unique<SvmKernel>(
      std::unique_ptr<KernelRows<Real>>(std::make_unique<GramRows<Real>>(gram.data(), n, std::move(owner))));
}

template <class Real>
std::unique_ptr<SvmKernel> from_items(const KernelModel& model, std::shared_ptr<Items> items,
                                      std::size_t bytes) {
  checked_size(items->size());
  return std::make_unique<SvmKernel>(
      std::unique_ptr<KernelRows<Real>>(std::make_unique<ItemRows<Real>>(model, std::move(items), bytes)));
}

SvmSolution solve(SvmKernel& kernel, const ArrayIn<std::int8_t>& y, const ArrayIn<double>& upper, bool bias,
                  bool squared, double tol, std::int64_t max_iter, bool shrinking,
                  const std::optional<ArrayIn<double>>& start, int threads) {
  const SvmProblem problem{as_span(y), as_span(upper), bias, squared};
  const SvmSettings settings{tol, max_iter, shrinking, threads};
  SvmSolution solution;
  {
    nb::gil_scoped_release release;
    solution = solve_svm(kernel, problem, settings, start ? as_span(*start) : std::span<const double>{});
  }
  // The signal's handler has set an error. Ctrl-C is reported by the solution instead; anything else goes on.
  if (solution.interrupted) {
    if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw Interrupted();
    PyErr_Clear();
  }
  return solution;
}

}  // namespace

void register_svm(nb::module_& m) {
  nb::class_<SvmKernel>(m, "SvmKernel", "The kernel matrix of the examples of a support vector machine.")
      .def_static("from_gram", &from_gram<double>, "gram"_a, "A matrix in memory, which is not copied.")
      .def_static("from_gram", &from_gram<float>, "gram"_a)
      .def_static(
          "from_items",
          [](const KernelModel& model, std::shared_ptr<Items> items, std::size_t cache_bytes, bool single) {
            nb::gil_scoped_release release;
            return single ? from_items<float>(model, std::move(items), cache_bytes)
                          : from_items<double>(model, std::move(items), cache_bytes);
          },
          "model"_a, "items"_a, "cache_bytes"_a, "single"_a,
          "Rows are computed when they are needed, and kept in the cache, in single precision if wanted.")
      .def_prop_ro("size", &SvmKernel::size)
      .def_prop_ro("evaluations", &SvmKernel::evaluations, "Kernel values computed so far.")
      .def("diagonal", [](const SvmKernel& kernel) {
        return to_numpy(std::vector(kernel.diagonal().begin(), kernel.diagonal().end()));
      });

  nb::class_<SvmSolution>(m, "SvmSolution", "What a support vector machine has found.")
      .def_prop_ro(
          "coefficients",
          [](const SvmSolution& solution) { return to_numpy(std::vector(solution.coefficients)); },
          nb::rv_policy::automatic, "One for each example, with the sign of its label.")
      .def_ro("bias", &SvmSolution::bias)
      .def_ro("objective", &SvmSolution::dual, "Of the dual, which is maximised.")
      .def_ro("primal", &SvmSolution::primal)
      .def_prop_ro("gap", [](const SvmSolution& solution) { return solution.primal - solution.dual; })
      .def_ro("violation", &SvmSolution::violation, "Of the optimality conditions.")
      .def_ro("iterations", &SvmSolution::iterations)
      .def_ro("converged", &SvmSolution::converged, "Whether the violation is within the tolerance.")
      .def_ro("interrupted", &SvmSolution::interrupted);

  m.def("solve_svm", &solve, "kernel"_a, "y"_a, "upper"_a, "bias"_a, "squared"_a, "tol"_a, "max_iter"_a,
        "shrinking"_a, "start"_a.none(), "threads"_a, "A support vector machine, by SMO.");
}
