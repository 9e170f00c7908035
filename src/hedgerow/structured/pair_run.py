"""The n-slack algorithm where the joint kernel is a product, K(x, x') L(y, y').

A constraint is then known by its example and output, and the weights are few coefficients of pairs of these. Scores of
all outputs are two products of matrices for many examples at a time, and optimising the working set of an example costs
no more than a look at the coefficients: no joint features are made, and no products of all pairs of constraints.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from math import inf
from typing import Any

import numpy as np

from hedgerow import _core
from hedgerow.kernels.base import Matrix
from hedgerow.structured.n_slack import FINER, FINEST
from hedgerow.structured.solver import Report, Run, Settings

BLOCK = 256  # examples whose scores are computed at once
MOST_FIRST, MOST_NEW = 10, 5  # outputs that an example may get in the beginning, and in a pass
ALIKE = 100.0  # scores of outputs that are like the true one, in the beginning: loss hardly counts
START_TOL = 0.1
ROUGH = 1e-3  # searches with such a tol are in single precision, twice as fast
MOST_SWEEPS = 200  # between two passes
ALL_SWEEPS = 10_000  # in a run: rounding, or an extreme C, keeps multipliers from settling
FORGET_AFTER = 50  # visits in which a constraint had no multiplier


class PairRun(Run):
    """Passes over the examples, until the duality gap is at most n C tol; for squares, no violation is above tol.

    Afterwards the problem knows which examples and outputs the ``coordinates`` are coefficients of.
    """

    def __init__(
        self,
        sets: _core.PairSets,
        gram: Matrix,
        truths: Matrix,
        settings: Settings,
        report: Report,
        problem: Any,
    ) -> None:
        super().__init__(settings, report, len(truths))
        self.sets, self.gram, self.truths, self.problem = sets, gram, truths, problem
        self.products = gram.astype(np.float32) if settings.tol >= ROUGH else gram
        self.random = np.random.RandomState(
            0
        )  # for orders, which change how fast it is and not where it ends
        self.n_sweeps = 0
        self.full = settings.optimization == "full"

    def _passes(self) -> bool:
        settings = self.settings
        tolerance = FINER * settings.tol
        self._begin()
        while self.n_iter != settings.max_iter and self.n_sweeps < ALL_SWEEPS:
            busy = self._pass()
            self.n_iter += 1
            self._record(self.objective, self.certificate)
            if self._converged():
                return True
            if len(busy):
                self._optimise(busy, max(tolerance, FINER * self.violation))
                self.sets.forget(FORGET_AFTER)
                continue
            # All constraints are met; what is left is how exactly multipliers are known.
            if not self._optimise(None, tolerance):
                if settings.slack != "linear" or tolerance < FINEST * settings.tol:
                    return self.certificate <= settings.tol
                tolerance *= FINER
        self._optimise(None, tolerance)
        self._pass(measure=True)
        return self._converged()

    def _begin(self) -> None:
        """Without weights nobody knows which outputs matter: those that are like the true ones."""
        for some in self._blocks():
            likeness = ALIKE * self.gram[self.truths[some]]
            likeness[np.arange(len(some)), self.truths[some]] = (
                0.0  # so that all others violate their constraints
            )
            self.sets.review(some, likeness.ravel(), self.settings.tol, MOST_FIRST, self.settings.threads)
        self._optimise(None, START_TOL)

    def _blocks(self) -> Iterator[Matrix]:
        for begin in range(0, self.n_examples, BLOCK):
            yield np.arange(begin, min(begin + BLOCK, self.n_examples))

    def _pass(self, measure: bool = False) -> Matrix:
        """Look for constraints of all examples; those that got some. To measure only, nobody gets any."""
        started = time.perf_counter()
        tol = inf if measure else self.settings.tol
        violation = cost = 0.0
        busy = []
        for some in self._blocks():
            sums = self.sets.sums(some).reshape(len(some), -1)
            scores = sums.astype(self.products.dtype, copy=False) @ self.products
            found = self.sets.review(
                some, scores.astype(np.float64, copy=False).ravel(), tol, MOST_NEW, self.settings.threads
            )
            violation, cost = max(violation, found.violation), cost + found.slack_cost
            busy.append(found.busy)
        self.argmax_seconds += time.perf_counter() - started
        self.violation = violation
        norm, self.dual_objective = self.sets.measure()
        self.n_constraints = self.sets.n_constraints
        self.objective = norm / 2 + cost
        linear = self.settings.slack == "linear"
        self.certificate = (self.objective - self.dual_objective) / self.mass if linear else violation
        return np.concatenate(busy)

    def _optimise(self, busy: Matrix | None, tolerance: float) -> bool:
        """Over all examples, or those that got constraints; whether any multiplier moved."""
        started = time.perf_counter()
        everybody = np.arange(self.n_examples) if self.full or busy is None else busy
        order, moved = everybody, False
        for _ in range(MOST_SWEEPS):
            rest = self._sweep(order, tolerance)
            moved = moved or len(rest) > 0
            # Examples that are optimal now are looked at again when all others are.
            if len(rest):
                order = rest
            elif len(order) < len(everybody) and busy is None:
                order = everybody
            else:
                break
        self.qp_seconds += time.perf_counter() - started
        return moved

    def _sweep(self, examples: Matrix, tolerance: float) -> Matrix:
        self.n_sweeps += 1
        rest: Matrix = self.sets.sweep(self.random.permutation(examples), tolerance)
        return rest

    def _converged(self) -> bool:
        """With linear slacks by the duality gap; squares need multipliers that are optimal, too."""
        return self.settings.slack == "linear" and self.certificate <= self.settings.tol

    def _collect(self) -> None:
        examples, outputs, values = self.sets.coefficients()
        self.problem.coef_pairs_, self.coordinates = (examples, outputs), values
        self.supports = self.sets.supports()
        self.n_constraints = self.sets.n_constraints
        if self.n_iter == 0 or self.interrupted:
            _, self.dual_objective = self.sets.measure()
