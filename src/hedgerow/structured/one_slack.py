"""The one-slack algorithm: one slack for all examples, and cuts that are sums of their constraints.

Joachims, Finley, Yu (2009), "Cutting-plane training of structural SVMs". In the dual every cut has a variable:

    maximise  h.a - 1/2 a'Ha   subject to  a >= 0, sum a <= C,       w = sum_t a_t cut_t
"""

from __future__ import annotations

import time
from math import inf
from typing import Protocol

import numpy as np

from hedgerow import _core
from hedgerow.kernels.base import Matrix
from hedgerow.structured.problem import Binding
from hedgerow.structured.solver import Report, Run, Settings
from hedgerow.svm.cuts import heights, maximise

CACHE_SIZE = 5  # outputs of an example
CACHE_ROUNDS = 20  # at most, before the problem is asked again
CACHE_SHARE = 0.2  # of what the last cut of the problem was worth: less, and a cut from the cache is not used
FORGET_AFTER = 50  # rounds in which a cut had no multiplier
STUCK_AFTER = 100  # rounds without gain: then rounding is what is left


class Cutter(Protocol):
    """What makes cuts of all examples."""

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
        return self._maker.from_cache(scores, self._threads)


class OneSlackRun(Run):
    """Rounds of cuts, until primal and dual are within n C tol."""

    def __init__(self, cutter: Cutter, settings: Settings, report: Report) -> None:
        super().__init__(settings, report, cutter.n_examples)
        self.cutter = cutter
        self.space = cutter.space
        self.cuts = _core.CutSet(cutter.space, cutter.n_features)
        self.gram = np.zeros((0, 0))
        self.offsets = np.zeros(0)
        self.idle = np.zeros(0, dtype=np.int64)  # rounds without a multiplier
        # The best point so far, and the optimum over the cuts.
        self.coordinates = self.point = self.scores = np.zeros(cutter.n_features)
        self.slack = 0.0  # of all examples, as the cuts know it

    def _passes(self) -> bool:
        converged, lowest, last_gain = False, inf, self.n_iter
        while (
            not converged and self.n_iter != self.settings.max_iter and self.n_iter - last_gain < STUCK_AFTER
        ):
            converged = self._round()
            if self.certificate < (1 - 1e-6) * lowest:
                lowest, last_gain = self.certificate, self.n_iter
            self.n_iter += 1
            self._record(self.objective, self.certificate)
        return converged

    def _round(self) -> bool:
        """A cut of the problem, and further ones from the cache while they are good enough."""
        started = time.perf_counter()
        cut = self.cutter.highest(self.scores)
        self.argmax_seconds += time.perf_counter() - started
        # Not by BLAS: its threads wait busily for more, and searches would have to share the processors with them.
        squared_norm = float(np.einsum("i,i->", self.point, self.scores))
        primal = squared_norm / 2 + self.settings.C * cut.height
        if primal < self.objective:
            self.coordinates, self.objective = self.point, primal
        self._measure()
        converged = self.certificate <= self.settings.tol
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
        return converged

    def _measure(self) -> None:
        self.certificate = (self.objective - self.dual_objective) / self.mass

    def _add(self, cut: _core.Cut) -> None:
        """Add a cut and go to the optimum over all."""
        products = self.cuts.add(cut, self.settings.threads)
        n = len(products)
        gram = np.empty((n, n))
        gram[:-1, :-1] = self.gram
        gram[-1] = gram[:, -1] = products
        self.gram = gram
        self.offsets = np.append(self.offsets, cut.offset)
        self.idle = np.append(self.idle, 0)

        multipliers = maximise(self.gram, self.offsets, self.settings.C)
        objective, self.slack = heights(self.gram, self.offsets, multipliers)
        self.dual_objective = max(self.dual_objective, objective)
        self._measure()
        self.point = self.cuts.combine(multipliers, self.settings.threads)
        self.scores = self.point if self.space.is_plain else self.space.image(self.point)
        self.idle = np.where(multipliers > 0, 0, self.idle + 1)
        keep = self.idle < FORGET_AFTER
        if not keep.all():
            self.cuts.keep(keep)
            self.gram = np.ascontiguousarray(self.gram[np.ix_(keep, keep)])
            self.offsets, self.idle = self.offsets[keep], self.idle[keep]
        self.n_constraints = len(self.cuts)
