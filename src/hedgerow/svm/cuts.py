"""Cuts, and the quadratic program that finds the best point above them.

The one-slack primal is to minimise ``1/2 |w|^2 + B xi`` subject to, for every cut, ``xi >= d + w.g``, and
``xi >= 0``. A cut is a plane below the mean loss: ``d = 1/m sum c_i`` and ``g = -1/m sum c_i y_i phi(x_i)``, where c_i
is what a margin error costs for the examples of the cut, and 0 for others. In the dual every cut has a variable:

    maximise  h.a - 1/2 a'Ha   subject to  a >= 0, sum a <= B,       w = -sum_t a_t g_t
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import piqp

from hedgerow.kernels.base import Matrix

FORGET_AFTER = 50  # rounds in which a cut had no weight


@dataclass
class Cut:
    """A cut whose function is ``-g = sum_i weights_i K(x_i, .)`` over ``examples``."""

    examples: Matrix
    weights: Matrix  # c_i y_i / m
    offset: float  # d
    values: Matrix = field(default_factory=lambda: np.zeros(0))  # of -g at all examples, where these are kept
    members: Matrix = field(
        default_factory=lambda: np.zeros(0, dtype=bool)
    )  # likewise: who belongs to the cut
    idle: int = 0  # rounds without a weight


@dataclass(frozen=True)
class Solution:
    """The optimum over the cuts so far."""

    multipliers: Matrix  # a
    objective: float  # of the dual
    squared_norm: float  # of w
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

    def solve(self) -> Solution:
        """The best multipliers; cuts that have not had any for long are forgotten."""
        shares = _solve_on_simplex(self.bound * self._gram, self._offsets)
        for cut, share in zip(self.cuts, shares, strict=True):
            cut.idle = 0 if share > 0 else cut.idle + 1
        keep = np.array([cut.idle < FORGET_AFTER for cut in self.cuts])
        if not keep.all():
            self.cuts = [cut for cut, kept in zip(self.cuts, keep, strict=True) if kept]
            self._gram = np.ascontiguousarray(self._gram[np.ix_(keep, keep)])
            shares = shares[keep]
        multipliers = self.bound * shares
        squared_norm = float(multipliers @ self._gram @ multipliers)
        linear = float(self._offsets @ multipliers)
        heights = self._offsets - self._gram @ multipliers  # d + w.g of each cut
        return Solution(
            multipliers, linear - squared_norm / 2, squared_norm, max(0.0, float(heights.max(initial=0.0)))
        )

    @property
    def _offsets(self) -> Matrix:
        return np.array([cut.offset for cut in self.cuts])


def _solve_on_simplex(Q: Matrix, linear: Matrix) -> Matrix:
    """Maximise ``linear.u - 1/2 u'Qu`` over u >= 0 with sum u <= 1."""
    n = len(linear)
    solver = piqp.DenseSolver()
    solver.settings.eps_abs = 1e-10
    solver.settings.eps_rel = 1e-11
    solver.settings.max_iter = 200
    # Optimal heights and slopes are far below 1 or far above; the interior point method likes neither.
    scale = max(float(np.abs(Q).max()), float(np.abs(linear).max()), 1e-300)
    solver.setup(Q / scale, -linear / scale, None, None, np.ones((1, n)), None, np.ones(1), np.zeros(n), None)
    solver.solve()
    shares = np.maximum(np.asarray(solver.result.x), 0.0)
    if not np.isfinite(shares).all():
        raise FloatingPointError("the quadratic program over the cuts has no finite solution")
    shares[shares < 1e-9 * shares.max(initial=0.0)] = 0.0  # interior points never reach the boundary
    feasible: Matrix = shares / max(1.0, float(shares.sum()))
    return feasible
