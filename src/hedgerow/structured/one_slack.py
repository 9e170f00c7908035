"""The one-slack algorithm: one slack for all examples, and cuts that are sums of their constraints.

Joachims, Finley, Yu (2009), "Cutting-plane training of structural SVMs". In the dual every cut has a variable:

    maximise  h.a - 1/2 a'Ha   subject to  a >= 0, sum a <= C,       w = sum_t a_t cut_t
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from typing import Protocol

import numpy as np

from hedgerow import _core
from hedgerow.kernels.base import Matrix
from hedgerow.structured.problem import Binding
from hedgerow.structured.solver import Recorder, Settings, Solution
from hedgerow.svm.cut_program import heights, maximise

CACHE_SIZE = 5  # outputs of an example
CACHE_ROUNDS = 20  # at most, before the problem is asked again
CACHE_SHARE = 0.2  # of what the last cut of the problem was worth: less, and a cut from the cache is not used
FORGET_AFTER = 50  # rounds in which a cut had no multiplier


class Cutter(Protocol):
    """Whoever makes cuts of all examples."""

    space: _core.Space
    n_examples: int
    n_features: int  # that are known before the first cut

    def highest(self, scores: Matrix) -> _core.Cut:
        """The highest cut there is at these scores, whose height is exact."""

    def from_cache(self, scores: Matrix) -> _core.Cut | None:
        """The highest one over outputs that are known already; None where nobody keeps any."""


class LocalCutter:
    """Cuts of examples that are here."""

    def __init__(self, binding: Binding, settings: Settings) -> None:
        self.space = binding.space
        self.n_examples, self.n_features = binding.oracle.n_examples, binding.oracle.n_features
        violation = settings.violation
        self._maker = _core.CutMaker(binding.oracle, violation.search, violation.root, CACHE_SIZE)
        self._threads = settings.threads

    def highest(self, scores: Matrix) -> _core.Cut:
        return self._maker.from_oracle(scores, self._threads)

    def from_cache(self, scores: Matrix) -> _core.Cut:
        return self._maker.from_cache(scores)


def solve(binding: Binding, settings: Settings, report: Callable[[dict[str, float]], None]) -> Solution:
    """Rounds of cuts, until primal and dual are within n C tol."""
    return solve_by(LocalCutter(binding, settings), settings, report)


def solve_by(cutter: Cutter, settings: Settings, report: Callable[[dict[str, float]], None]) -> Solution:
    """The same with anybody's cuts."""
    return _Run(cutter, settings, report).solve()


class _Run:
    def __init__(
        self, cutter: Cutter, settings: Settings, report: Callable[[dict[str, float]], None]
    ) -> None:
        self.settings = settings
        self.cutter = cutter
        self.space = cutter.space
        self.progress = Recorder(report)
        self.mass = cutter.n_examples * settings.C  # what the mean slack costs
        self.cuts = _core.CutSet(cutter.space, cutter.n_features)
        self.gram = np.zeros((0, 0))
        self.offsets = np.zeros(0)
        self.idle = np.zeros(0, dtype=np.int64)  # rounds without a multiplier
        # The optimum over the cuts, and the best point so far.
        self.coordinates = np.zeros(cutter.n_features)
        self.scores = self.coordinates
        self.lower = 0.0
        self.slack = 0.0  # of all examples, as the cuts know it
        self.best = self.coordinates
        self.upper = inf
        self.argmax_seconds = self.qp_seconds = 0.0

    def solve(self) -> Solution:
        converged = interrupted = False
        try:
            while not converged and len(self.progress.rows) != self.settings.max_iter:
                converged = self._round()
        except KeyboardInterrupt:
            interrupted = True
        return Solution(
            coordinates=self.best,
            objective=self.upper,
            dual_objective=self.lower,
            certificate=self._gap,
            n_constraints=len(self.cuts),
            n_iter=len(self.progress.rows),
            converged=converged,
            interrupted=interrupted,
            argmax_seconds=self.argmax_seconds,
            qp_seconds=self.qp_seconds,
            trace=self.progress.trace(),
        )

    @property
    def _gap(self) -> float:
        return (self.upper - self.lower) / self.mass

    def _round(self) -> bool:
        """A cut of the problem, and further ones from the cache while they are good enough."""
        started = time.perf_counter()
        cut = self.cutter.highest(self.scores)
        self.argmax_seconds += time.perf_counter() - started
        primal = float(self.coordinates @ self.scores) / 2 + self.settings.C * cut.height
        if primal < self.upper:
            self.best, self.upper = self.coordinates, primal
        converged = self._gap <= self.settings.tol
        if not converged:
            started = time.perf_counter()
            worth = CACHE_SHARE * (cut.height - self.slack)
            self._add(cut)
            for _ in range(CACHE_ROUNDS):
                known = self.cutter.from_cache(self.scores)
                enough = max(worth, self.settings.tol * self.mass / self.settings.C)
                if known is None or known.height - self.slack <= enough:
                    break
                self._add(known)
            self.qp_seconds += time.perf_counter() - started
        self.progress.add(
            objective=self.upper,
            dual_objective=self.lower,
            certificate=self._gap,
            constraints=len(self.cuts),
        )
        return converged

    def _add(self, cut: _core.Cut) -> None:
        """Add a cut and go to the optimum over all."""
        products = self.cuts.add(cut)
        n = len(products)
        gram = np.empty((n, n))
        gram[:-1, :-1] = self.gram
        gram[-1] = gram[:, -1] = products
        self.gram = gram
        self.offsets = np.append(self.offsets, cut.offset)
        self.idle = np.append(self.idle, 0)

        multipliers = maximise(self.gram, self.offsets, self.settings.C)
        objective, self.slack = heights(self.gram, self.offsets, multipliers)
        self.lower = max(self.lower, objective)
        self.coordinates = self.cuts.combine(multipliers)
        self.scores = self.coordinates if self.space.is_plain else self.space.image(self.coordinates)
        self.idle = np.where(multipliers > 0, 0, self.idle + 1)
        keep = self.idle < FORGET_AFTER
        if not keep.all():
            self.cuts.keep(keep)
            self.gram = np.ascontiguousarray(self.gram[np.ix_(keep, keep)])
            self.offsets, self.idle = self.offsets[keep], self.idle[keep]
