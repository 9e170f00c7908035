"""Block-coordinate Frank-Wolfe: the dual of a structured SVM, one example after another.

Every example holds a convex combination of its candidates. A visit asks for the candidate that violates its constraint
most and makes the best of all candidates of that example that are known; the weights change at once. Of many examples
the searches of up to sixteen go on at the same time, by the weights before the first of them. The duality gap
is a sum over the examples, so it says which of them are worth a visit, and at fixed weights it is the certificate.
"""

from __future__ import annotations

import time
from math import nan
from typing import Any

import numpy as np

from hedgerow import _core
from hedgerow.kernels.base import Matrix
from hedgerow.models.stored import stored
from hedgerow.structured.problem import Binding
from hedgerow.structured.solver import Report, Run, Settings

PATIENCE = 10  # visits for which a candidate that is not used is kept
GAP_INTERVAL = 10  # passes, after which the gap of all examples is measured
# Stop somewhere when rounding lets no gap become as small as tol: at the latest after so many passes, and once the
# dual objective has risen by less than this fraction of it in some passes.
MOST_PASSES = 10_000
STALL_PASSES, STALL_RISE = 100, 1e-13
MOST_SWEEPS = 1_000  # in a pass
ALL_SWEEPS = 30_000  # in a run; afterwards there is one in each pass
# Sweeps end when the gap over known candidates is this fraction of that over all.
FRACTION = 0.5


def check_state(state: dict[str, Matrix]) -> None:
    """Raise a ValueError unless a run can start from it."""
    n = len(stored(state, "coordinates", np.float64, None))
    visits = stored(state, "progress", np.float64, 2)[0]
    if len(stored(state, "late", np.float64, None)) > n or not 0 <= visits <= 2**62:
        raise ValueError("state.late and state.progress do not go with state.coordinates")


class FrankWolfeRun(Run):
    """Passes, until the duality gap is at most n C tol.

    With ``settings.averaging``, the mean of the weights over all visits, where later ones count more, is what is
    found, if that has the lower primal objective.

    With ``start``, the ``state`` after earlier examples, what was learned of them stays as it is. The objective is then
    1/2 |w|^2 + C sum_i xi_i over earlier and new examples, whose dual is maximised over the multipliers of the new
    ones. The dual objective is a bound for all of them, the certificate is the gap of the new ones, and the primal
    objective is not known.
    """

    def __init__(
        self, binding: Binding, settings: Settings, report: Report, start: dict[str, Matrix] | None = None
    ) -> None:
        super().__init__(settings, report, binding.oracle.n_examples)
        self.native = self._make(binding)
        self.alone = start is None
        if start is not None:
            visits, height = start["progress"].tolist()
            self.native.resume(start["coordinates"], start["late"], int(visits), height)
            self.objective = nan
        self.chosen: Matrix | None = None  # the weights with that objective
        self.n_sweeps = 0

    def _make(self, binding: Binding) -> Any:
        settings = self.settings
        return _core.FrankWolfe(
            binding.oracle,
            binding.space,
            settings.C,
            settings.violation.search,
            settings.averaging,
            PATIENCE,
            int(settings.random_state.randint(2**31 - 1)),
        )

    def _passes(self) -> bool:
        count = self.settings.max_iter or MOST_PASSES
        tol = self.settings.tol
        height = nan
        while self.n_iter < count and self.certificate > tol:
            self.n_iter += 1
            self._visit()
            # What visits have seen is an estimate of the gap: the weights have moved since.
            estimate, objective = self.native.remembered_gap / self.mass, nan
            if self.n_iter % GAP_INTERVAL == 0 or self.n_iter == count or estimate <= tol:
                self._measure()
                estimate, objective = self.certificate, self.objective
            self.dual_objective, self.n_constraints = self.native.dual, self.native.constraints
            self._record(objective, estimate)
            if self.n_iter % STALL_PASSES == 0:
                if self.dual_objective - height <= STALL_RISE * abs(height):
                    break
                height = self.dual_objective
        return self.certificate <= tol

    def _visit(self) -> None:
        """A pass over the examples, by their gaps once these are known, and sweeps over what is known of them."""
        if self.n_iter > 1:
            self.native.visit_by_gap(self.n_examples, self.settings.threads)
        else:
            self.native.visit(self._order(), self.settings.threads)
        # The longer the search for candidates has been going on, the more is there to be made of those found.
        for _ in range(min(self.n_iter, MOST_SWEEPS, max(1, ALL_SWEEPS - self.n_sweeps))):
            self.n_sweeps += 1
            if (
                self.native.revisit(self._order(), self.settings.threads)
                <= FRACTION * self.native.remembered_gap
            ):
                break

    def _order(self) -> Matrix:
        order: Matrix = self.settings.random_state.permutation(self.n_examples).astype(np.int64)
        return order

    def _measure(self) -> None:
        """The certificate, of the weights or of their average."""
        threads = self.settings.threads
        primal, dual, gap = self.native.measure(threads)
        if not self.alone:  # nobody knows the slacks of earlier examples
            self.certificate = gap / self.mass
            return
        objective, average = primal, False
        if self.settings.averaging:
            average_objective = self.native.measure_average(threads)
            objective, average = min((objective, False), (average_objective, True))
        # The dual never falls, so the best weights so far are those to return.
        if objective <= self.objective:
            self.objective = objective
            self.chosen = self.native.average() if average else self.native.coordinates()
        self.certificate = (self.objective - dual) / self.mass

    def _collect(self) -> None:
        native = self.native
        if self.chosen is None:
            self.chosen = native.average() if self.settings.averaging else native.coordinates()
        self.coordinates = self.chosen
        self.dual_objective, self.n_constraints = native.dual, native.constraints
        self.argmax_seconds = native.oracle_seconds
        self.qp_seconds = time.perf_counter() - self._started - native.oracle_seconds
        self.state = {
            "coordinates": native.coordinates(),
            "late": native.late(),
            "progress": np.array([native.visits, native.height]),
        }
