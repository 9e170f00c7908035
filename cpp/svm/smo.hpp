// Sequential minimal optimisation: an exact solver of support vector machines.
//
// Platt (1999), with the working sets of Fan, Chen and Lin (2005), "Working set selection using second order
// information", and the shrinking of Joachims (1999) as in Chang and Lin (2011), LIBSVM. Coefficients are
// signed, so that the kernel matrix does not depend on the labels and its rows serve all classes.
#pragma once

#include "svm/svm_kernel.hpp"
#include "svm/svm_problem.hpp"

namespace hedgerow::svm {

// Begins with the coefficients `start`, as far as they are feasible; with zeros when there are none. When the
// user wants to stop, the solution so far is returned, with `interrupted` set. Throws invalid_argument when
// the arrays do not fit together or hold what they must not.
SvmSolution solve_svm(SvmKernel& kernel, const SvmProblem& problem, const SvmSettings& settings,
                      std::span<const double> start);

}  // namespace hedgerow::svm
