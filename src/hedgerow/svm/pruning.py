"""The few supports that a machine by cutting planes needs.

A combination of cuts gives a coefficient to every example that any cut has. The optimum needs far fewer, and they are
found by the exact solver when it is given these examples alone.
"""

from __future__ import annotations

import numpy as np

from hedgerow import _core
from hedgerow.kernels.base import Matrix
from hedgerow.svm.cutting_rounds import HingeProblem, Round

ATTEMPTS = 5
# Iterations that a solution may take: with a very large C there would be many more. Each looks at all supports, so few
# supports may have more of them.
MOST_ITERATIONS, MOST_STEPS = 100_000, 2_000_000_000


def pruned(problem: HingeProblem, state: Round, tol: float) -> Round:
    """A round with fewer supports whose objective is within ``tol`` too; the same one if none is found."""
    some = state.support
    for _ in range(ATTEMPTS):
        if len(some) == 0:
            break
        # A violation of the conditions by v leaves a gap of at most v times the bound.
        solution = _solve(problem, some, tol / 2)
        if solution.interrupted:
            raise KeyboardInterrupt
        chosen = np.flatnonzero(solution.coefficients)
        support, coefficients = some[chosen], solution.coefficients[chosen]
        values = problem.sums.values(support, coefficients)
        squared_norm = float(coefficients @ values[support])
        primal = squared_norm / 2 + problem.bound * problem.loss(values)
        lower = max(state.objective, float(coefficients @ problem.y[support]) - squared_norm / 2)
        if primal - lower <= tol * problem.bound:
            if len(support) >= len(state.support):
                break
            return Round(support, coefficients, lower, primal, (primal - lower) / problem.bound)
        if not solution.converged:
            break
        some = np.union1d(some, np.flatnonzero(problem.losses.within_margin(values)))
    return state


def _solve(problem: HingeProblem, some: Matrix, tol: float) -> _core.SvmSolution:
    sums = problem.sums.here(some)
    return _core.solve_svm(
        sums.svm_kernel(),
        problem.y[some].astype(np.int8),
        problem.C * problem.costs[some],
        bias=False,
        squared=False,
        tol=tol,
        max_iter=max(MOST_ITERATIONS, 20 * len(some), MOST_STEPS // len(some)),
        shrinking=True,
        start=None,
        threads=sums.threads,
    )
