"""The n-slack algorithm: a slack and a working set of constraints for every example.

Tsochantaridis (2005), algorithms 2 and 3; Tsochantaridis, Hofmann, Joachims, Altun (2005), "Large margin methods for
structured and interdependent output variables".
"""

from __future__ import annotations

import time
from math import ceil, inf, nan
from typing import Self

import numpy as np

from hedgerow import _core
from hedgerow.kernels.base import Matrix
from hedgerow.structured.problem import Binding
from hedgerow.structured.solver import Report, Run, Settings

# Full optimisation costs more than a pass over a few examples, and outputs found with old weights are of less use:
# sixteen optimisations a pass are a compromise. Subspace optimisation costs nothing, so weights should be fresh; a
# chunk only has to keep threads busy. No chunk depends on their number, so that results do not.
FULL_CHUNKS = 16
SMALL_CHUNK = 32
FINER = 0.1  # than the largest violation: how exactly multipliers are optimised
FINEST = 1e-4  # than tol, where rounding may be all that is left
BUSY_PASSES = 5  # over examples that got a constraint, after each pass over all
FORGET_AFTER = 50  # optimisations in which a constraint had no multiplier


class NSlackRun(Run):
    """Passes over the examples, until one finds no constraint that is violated by more than tol."""

    def __init__(self, binding: Binding, settings: Settings, report: Report) -> None:
        super().__init__(settings, report, binding.oracle.n_examples)
        self.sets = _core.NSlack(
            binding.oracle,
            binding.space,
            settings.violation.search,
            settings.violation.root,
            settings.slack or "none",
            settings.C,
        )
        self.full = settings.optimization == "full"
        self.chunk = max(SMALL_CHUNK, ceil(self.n_examples / FULL_CHUNKS)) if self.full else SMALL_CHUNK
        self.everybody = np.arange(self.n_examples)
        self.n_added = 0  # constraints, forgotten ones too: what theorems 2 and 3 of the thesis bound

    def solve(self) -> Self:
        try:
            return super().solve()
        except ArithmeticError as error:
            raise ValueError(
                "the training set cannot be separated by a hard margin (slack=None): no weights satisfy all "
                "constraints, and the dual grows without bound; use slack='linear' or slack='quadratic'"
            ) from error

    def _collect(self) -> None:
        self.coordinates, self.supports = self.sets.coordinates, self.sets.supports()
        self.dual_objective, self.n_constraints = self.sets.dual_objective, self.sets.n_constraints

    def _passes(self) -> bool:
        settings = self.settings
        qp_tol = FINER * settings.tol
        while True:
            if self.n_iter == settings.max_iter or self.sets.gave_up:
                return self._measure(qp_tol) and not self.sets.gave_up
            found = self._pass(qp_tol)
            if found.violation <= settings.tol and self._gap_is_closed():
                return True
            if len(found.busy):
                self._busy_passes(found, qp_tol)
                self.sets.forget(FORGET_AFTER)
            elif not self._optimise(qp_tol, verify=True):
                # All constraints are met, and nothing can be gained at this tolerance.
                if settings.slack != "linear" or qp_tol < FINEST * settings.tol:
                    return found.violation <= settings.tol
                qp_tol *= FINER

    def _measure(self, qp_tol: float) -> bool:
        """Tell where the weights are, when no pass is left that could make use of more constraints."""
        self._optimise(qp_tol, verify=True)
        self._note(self._visit(self.everybody, inf, qp_tol))
        met = self.certificate <= self.settings.tol
        return met and (self.settings.slack != "linear" or self._gap_is_closed())

    def _pass(self, qp_tol: float) -> _core.NSlackPass:
        """Over all examples."""
        found = self._visit(self.everybody, self.settings.tol, qp_tol)
        self._note(found)
        self.n_iter += 1
        self._record(nan if len(found.busy) else self.objective, self.certificate)
        return found

    def _note(self, found: _core.NSlackPass) -> None:
        self.certificate = found.violation
        self.dual_objective, self.n_constraints = self.sets.dual_objective, self.sets.n_constraints
        if not len(found.busy):  # then the weights have been the same for all
            self.objective = self.sets.squared_norm / 2 + found.slack_cost
            if self.settings.slack is None:
                # Weights that fall short of margins of 1 by some satisfy them all when they are that much longer.
                short = found.violation
                self.objective = self.objective / (1 - short) ** 2 if short < 1 else inf

    def _busy_passes(self, found: _core.NSlackPass, qp_tol: float) -> None:
        """Over those examples only that get more constraints, as most soon do not."""
        for _ in range(BUSY_PASSES):
            if not len(found.busy):
                break
            found = self._visit(found.busy, self.settings.tol, qp_tol)

    def _visit(self, examples: Matrix, tol: float, qp_tol: float) -> _core.NSlackPass:
        self.objective = inf  # not known while weights change
        found = self.sets.visit(examples, tol, qp_tol, FINER, self.chunk, self.full, self.settings.threads)
        self.argmax_seconds += found.argmax_seconds
        self.qp_seconds += found.qp_seconds
        self.n_added += len(found.busy)
        if len(found.busy) and not self.full:
            self._optimise(max(qp_tol, FINER * found.violation), verify=False)
        return found

    def _optimise(self, qp_tol: float, verify: bool) -> bool:
        known, self.objective = self.objective, inf
        started = time.perf_counter()
        moved = self.sets.optimise(qp_tol, verify, self.settings.threads)
        self.qp_seconds += time.perf_counter() - started
        if not moved:
            self.objective = known
        return moved

    def _gap_is_closed(self) -> bool:
        """With linear slacks, objectives tell how good multipliers are."""
        gap = self.objective - self.dual_objective
        return self.settings.slack == "linear" and gap <= self.mass * self.settings.tol
