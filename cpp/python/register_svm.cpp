#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <limits>

#include "parallel.hpp"
#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "svm/hinge_losses.hpp"
#include "svm/smo.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hedgerow::python {

namespace {

std::int32_t checked_size(std::int64_t n) {
  if (n > std::numeric_limits<std::int32_t>::max())
    throw std::invalid_argument("at most 2147483647 examples can be taken, got " + std::to_string(n));
  return static_cast<std::int32_t>(n);
}

template <class Real>
std::unique_ptr<svm::SvmKernel> from_gram(
    const nb::ndarray<const Real, nb::ndim<2>, nb::c_contig, nb::device::cpu>& gram) {
  if (gram.shape(0) != gram.shape(1))
    throw std::invalid_argument("gram must be square, got " + std::to_string(gram.shape(0)) + " rows and " +
                                std::to_string(gram.shape(1)) + " columns");
  const std::int32_t n = checked_size(static_cast<std::int64_t>(gram.shape(0)));
  auto owner = keep(gram);
  nb::gil_scoped_release release;
  return std::make_unique<svm::SvmKernel>(std::unique_ptr<svm::KernelRows<Real>>(
      std::make_unique<svm::GramRows<Real>>(gram.data(), n, std::move(owner))));
}

template <class Real>
std::unique_ptr<svm::SvmKernel> from_items(const models::KernelModel& model,
                                           std::shared_ptr<models::Items> items, std::size_t bytes) {
  checked_size(items->size());
  return std::make_unique<svm::SvmKernel>(std::unique_ptr<svm::KernelRows<Real>>(
      std::make_unique<svm::ItemRows<Real>>(model, std::move(items), bytes)));
}

svm::SvmSolution solve(svm::SvmKernel& kernel, const ArrayIn<std::int8_t>& y, const ArrayIn<double>& upper,
                       bool bias, bool squared, double tol, std::int64_t max_iter, bool shrinking,
                       const std::optional<ArrayIn<double>>& start, int threads,
                       const std::function<void(std::int64_t, double)>& watch) {
  const svm::SvmProblem problem{as_span(y), as_span(upper), bias, squared};
  svm::SvmSettings settings{tol, max_iter, shrinking, threads};
  if (watch)
    settings.watch = [&](std::int64_t iterations, double violation) {
      const nb::gil_scoped_acquire acquire;
      try {
        watch(iterations, violation);
      } catch (nb::python_error& error) {  // Ctrl-C, if it comes just then
        error.restore();
        throw Interrupted();
      }
    };
  svm::SvmSolution solution;
  {
    nb::gil_scoped_release release;
    solution = svm::solve_svm(kernel, problem, settings, start ? as_span(*start) : std::span<const double>{});
  }
  // The signal's handler has set an error. Ctrl-C is reported by the solution instead; anything else goes on.
  if (solution.interrupted) {
    if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw Interrupted();
    PyErr_Clear();
  }
  return solution;
}

template <class T>
const T* values_at(const ArrayIn<T>& array, std::int64_t n) {
  if (static_cast<std::int64_t>(array.size()) != n)
    throw std::invalid_argument("expected " + std::to_string(n) + " values, got " +
                                std::to_string(array.size()));
  return array.data();
}

svm::HingeLosses hinge_losses(const ArrayIn<double>& y, const ArrayIn<double>& costs) {
  values_at(costs, static_cast<std::int64_t>(y.size()));
  return {as_span(y), as_span(costs), keep(y, costs)};
}

Array<double> combination(const std::vector<ArrayIn<double>>& functions,
                          const std::vector<double>& multipliers, std::int64_t n) {
  if (functions.size() != multipliers.size())
    throw std::invalid_argument("there must be as many multipliers as functions");
  std::vector<const double*> values;
  for (const auto& function : functions) values.push_back(values_at(function, n));
  Array<double> out = new_numpy<double>(n);
  nb::gil_scoped_release release;
  svm::combine(values, multipliers, n, out.data());
  return out;
}

}  // namespace

void register_svm(nb::module_& m) {
  nb::class_<svm::SvmKernel>(m, "SvmKernel", "The kernel matrix of the examples of a support vector machine.")
      .def_static("from_gram", &from_gram<double>, "gram"_a, "A matrix in memory, which is not copied.")
      .def_static("from_gram", &from_gram<float>, "gram"_a)
      .def_static(
          "from_items",
          [](const models::KernelModel& model, std::shared_ptr<models::Items> items, std::size_t cache_bytes,
             bool single) {
            nb::gil_scoped_release release;
            return single ? from_items<float>(model, std::move(items), cache_bytes)
                          : from_items<double>(model, std::move(items), cache_bytes);
          },
          "model"_a, "items"_a, "cache_bytes"_a, "single"_a,
          "Rows are computed when they are needed, and kept in the cache, in single precision if wanted.")
      .def_prop_ro("size", &svm::SvmKernel::size)
      .def_prop_ro("evaluations", &svm::SvmKernel::evaluations, "Kernel values computed so far.")
      .def("diagonal", [](const svm::SvmKernel& kernel) {
        return to_numpy(std::vector(kernel.diagonal().begin(), kernel.diagonal().end()));
      });

  nb::class_<svm::SvmSolution>(m, "SvmSolution", "What a support vector machine has found.")
      .def_prop_ro(
          "coefficients",
          [](const svm::SvmSolution& solution) { return to_numpy(std::vector(solution.coefficients)); },
          nb::rv_policy::automatic, "One for each example, with the sign of its label.")
      .def_ro("bias", &svm::SvmSolution::bias)
      .def_ro("objective", &svm::SvmSolution::dual, "Of the dual, which is maximised.")
      .def_ro("primal", &svm::SvmSolution::primal)
      .def_prop_ro("gap", [](const svm::SvmSolution& solution) { return solution.primal - solution.dual; })
      .def_ro("violation", &svm::SvmSolution::violation, "Of the optimality conditions.")
      .def_ro("iterations", &svm::SvmSolution::iterations)
      .def_ro("converged", &svm::SvmSolution::converged, "Whether the violation is within the tolerance.")
      .def_ro("interrupted", &svm::SvmSolution::interrupted);

  m.def("solve_svm", &solve, "kernel"_a, "y"_a, "upper"_a, "bias"_a, "squared"_a, "tol"_a, "max_iter"_a,
        "shrinking"_a, "start"_a.none(), "threads"_a, "watch"_a = nb::none(),
        "A support vector machine, by SMO. `watch` is told the number of iterations and the violation, ten "
        "times a second.");

  nb::class_<svm::HingeLosses>(
      m, "HingeLosses", "The losses costs_i max(0, 1 - y_i f(x_i)) of functions, given by their values.")
      .def(
          "__init__",
          [](svm::HingeLosses* self, const ArrayIn<double>& y, const ArrayIn<double>& costs) {
            new (self) svm::HingeLosses(hinge_losses(y, costs));
          },
          "y"_a, "costs"_a)
      .def(
          "sum",
          [](const svm::HingeLosses& losses, const ArrayIn<double>& values) {
            const double* at = values_at(values, losses.size());
            nb::gil_scoped_release release;
            return losses.sum(at);
          },
          "values"_a)
      .def(
          "within_margin",
          [](const svm::HingeLosses& losses, const ArrayIn<double>& values) {
            const double* at = values_at(values, losses.size());
            Array<bool> members = new_numpy<bool>(losses.size());
            nb::gil_scoped_release release;
            losses.within_margin(at, members.data());
            return members;
          },
          "values"_a, "Whether each example costs something and y f(x) <= 1.")
      .def(
          "sum_over",
          [](const svm::HingeLosses& losses, const ArrayIn<bool>& members, const ArrayIn<double>& values) {
            const bool* some = values_at(members, losses.size());
            const double* at = values_at(values, losses.size());
            nb::gil_scoped_release release;
            return losses.sum_over(some, at);
          },
          "members"_a, "values"_a, "The sum of costs_i (1 - y_i f(x_i)) over the members.")
      .def(
          "best_step",
          [](const svm::HingeLosses& losses, double curvature, double slope, const ArrayIn<double>& start,
             const ArrayIn<double>& end) {
            const double* from = values_at(start, losses.size());
            const double* to = values_at(end, losses.size());
            nb::gil_scoped_release release;
            return losses.best_step(curvature, slope, from, to);
          },
          "curvature"_a, "slope"_a, "start"_a, "end"_a,
          "The step s >= 0 with the least 1/2 curvature s^2 + slope s + sum of losses of start + s (end - "
          "start).");
  m.def("combine", &combination, "functions"_a, "multipliers"_a, "n"_a,
        "The sum of functions, given by their values at n examples, times their multipliers.");
}

}  // namespace hedgerow::python
