"""The quadratic program over cuts: maximise h.a - 1/2 a'Ha subject to a >= 0 and sum a <= bound.

H is a Gram matrix of cuts, which become ever more alike: it is close to singular, and multipliers may be far apart in
size. An interior point method copes with that if the problem comes at a size that it likes.
"""

from __future__ import annotations

import numpy as np
import piqp

from hedgerow.kernels.base import Matrix

ACCURACY = 1e-8  # of the objective, relative


def maximise(gram: Matrix, offsets: Matrix, bound: float) -> Matrix:
    """The best multipliers. They are feasible exactly, and optimal as far as double precision allows."""
    best, best_objective = np.zeros(len(offsets)), 0.0
    largest = float(offsets.max(initial=0.0))
    if largest <= 0:
        return best
    steepest = float(np.diag(gram).max())
    natural = largest / steepest if steepest > 0 else bound  # what one cut alone would get without the bound
    for unit in sorted({min(bound, natural), min(bound, 1e3 * natural), bound}):
        multipliers = unit * _solve(unit / largest * gram, offsets / largest, bound / unit)
        multipliers *= min(1.0, bound / max(float(multipliers.sum()), 1e-300))
        objective, slack = heights(gram, offsets, multipliers)
        if objective > best_objective:
            best, best_objective = multipliers, objective
        primal = float(multipliers @ gram @ multipliers) / 2 + bound * slack
        if primal - objective <= ACCURACY * primal:
            break
    return best


def heights(gram: Matrix, offsets: Matrix, multipliers: Matrix) -> tuple[float, float]:
    """The objective at these multipliers, and the slack of the point that they make."""
    slopes = gram @ multipliers
    objective = float(offsets @ multipliers - multipliers @ slopes / 2)
    return objective, max(0.0, float((offsets - slopes).max(initial=0.0)))


def _solve(gram: Matrix, offsets: Matrix, bound: float) -> Matrix:
    n = len(offsets)
    solver = piqp.DenseSolver()
    solver.settings.eps_abs = solver.settings.eps_rel = 1e-11
    solver.settings.max_iter = 200
    solver.setup(gram, -offsets, None, None, np.ones((1, n)), None, np.array([bound]), np.zeros(n), None)
    solver.solve()
    result = np.asarray(solver.result.x)
    result = np.where(np.isfinite(result), np.maximum(result, 0.0), 0.0)
    result[result < 1e-9 * result.max(initial=0.0)] = 0.0  # interior points never reach the boundary
    return result
