"""Cuts, and the best point above them.

The one-slack primal is to minimise ``1/2 |w|^2 + B xi`` subject to, for every cut, ``xi >= d + w.g``, and
``xi >= 0``. A cut is a plane below the mean loss: ``d = 1/m sum c_i`` and ``g = -1/m sum c_i y_i phi(x_i)``, where c_i
is what a margin error costs for the examples of the cut, and 0 for others. In the dual every cut has a variable:

    maximise  h.a - 1/2 a'Ha   subject to  a >= 0, sum a <= B,       w = -sum_t a_t g_t

H is a Gram matrix of cuts, which become ever more alike: it is close to singular, and multipliers may be far apart in
size. An interior point method copes with that if the problem comes at a size that it likes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import piqp

from hedgerow.kernels.base import Matrix

ACCURACY = 1e-8  # of the objective, relative
FORGET_AFTER = 50  # rounds in which a cut had no weight


@dataclass
class Cut:
    """A cut whose function is ``-g = sum_i weights_i K(x_i, .)`` over ``examples``."""

    examples: Matrix
    weights: Matrix  # c_i y_i / m
    offset: float  # d
    # Where these are kept: of all examples the values of -g, and whether they belong to the cut.
    values: Matrix = field(default_factory=lambda: np.zeros(0))
    members: Matrix = field(default_factory=lambda: np.zeros(0, dtype=bool))
    idle: int = 0  # rounds without a weight


@dataclass(frozen=True)
class CutOptimum:
    """The optimum over the cuts so far."""

    parts: list[tuple[Cut, float]]  # cuts whose multiplier a is above 0
    objective: float  # of the dual
    slack: float  # xi


class Cuts:
    """All cuts with the Gram matrix of their functions."""

    def __init__(self, bound: float) -> None:
        self.bound = bound  # B
        self.cuts: list[Cut] = []
        self._gram = np.zeros((0, 0))

    def add(self, cut: Cut, inner: Matrix) -> None:
        """Add a cut, given its inner products with all earlier ones and with itself."""
        n = len(self.cuts)
        gram = np.empty((n + 1, n + 1))
        gram[:n, :n] = self._gram
        gram[n] = gram[:, n] = inner
        self._gram = gram
        self.cuts.append(cut)

    def solve(self) -> CutOptimum:
        """The best multipliers; cuts that have not had any for long are forgotten."""
        multipliers = maximise(self._gram, self._offsets, self.bound)
        for cut, multiplier in zip(self.cuts, multipliers, strict=True):
            cut.idle = 0 if multiplier > 0 else cut.idle + 1
        keep = np.array([cut.idle < FORGET_AFTER for cut in self.cuts])
        if not keep.all():
            self.cuts = [cut for cut, kept in zip(self.cuts, keep, strict=True) if kept]
            self._gram = np.ascontiguousarray(self._gram[np.ix_(keep, keep)])
            multipliers = multipliers[keep]
        objective, slack = heights(self._gram, self._offsets, multipliers)
        parts = [(cut, float(a)) for cut, a in zip(self.cuts, multipliers, strict=True) if a > 0]
        return CutOptimum(parts, objective, slack)

    @property
    def _offsets(self) -> Matrix:
        return np.array([cut.offset for cut in self.cuts])


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
    highest = np.array([min(bound, 1e29)])  # of more the solver says on standard error that it is infinite
    solver.setup(gram, -offsets, None, None, np.ones((1, n)), None, highest, np.zeros(n), None)
    solver.solve()
    result = np.asarray(solver.result.x)
    result = np.where(np.isfinite(result), np.maximum(result, 0.0), 0.0)
    result[result < 1e-9 * result.max(initial=0.0)] = 0.0  # interior points never reach the boundary
    return result
