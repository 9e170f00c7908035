"""Block-coordinate Frank-Wolfe: the dual of a structured SVM, one example after another.

Every example holds a convex combination of its candidates. A visit asks for the candidate that violates its constraint
most and makes the best of all candidates of that example that are known; the weights change at once. The duality gap
is a sum over the examples, so it says which of them are worth a visit, and at fixed weights it is the certificate.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf, nan
from typing import Any

import numpy as np

from hedgerow import _core
from hedgerow.kernels.base import Matrix
from hedgerow.kernels.checks import check_choice, check_flag, check_whole
from hedgerow.structured.problem import Binding
from hedgerow.structured.solver import Recorder, Settings, Solution

SAMPLING = ("gap", "permutation", "uniform")
# Stop somewhere when rounding lets no gap become as small as tol.
MOST_PASSES = 10_000
MOST_SWEEPS = 1_000
# Sweeps end when the gap over known candidates is this fraction of that over all.
FRACTION = 0.5


def solve(
    binding: Binding,
    settings: Settings,
    report: Callable[[dict[str, float]], None],
    start: dict[str, Matrix] | None = None,
) -> Solution:
    """Minimise the primal until the duality gap is at most n C tol.

    Parameters
    ----------
    binding : the problem and its examples
    settings : with these options
        averaging : bool, default=True
            Return the mean of the weights over all visits, where later ones count more, if that has the lower primal
            objective.
        sampling : {"gap", "permutation", "uniform"}, default="gap"
            How examples are chosen: with probabilities proportional to their gaps, after a first pass in random order;
            each once a pass, in random order; or any, each time.
        revisits : int, default=1
            How many sweeps over all examples, without asking for new candidates, may follow the first pass; after pass
            t there may be t times as many.
        patience : int, default=10
            How many visits a candidate that is not used is kept.
        gap_interval : int, default=10
            The gap of all examples is measured every so many passes, and when it may have become small enough.
    report : called with every entry of the trace
    start : the ``state`` of a solution for earlier examples
        What was learned of them stays as it is. The objective is then 1/2 |w|^2 + C sum_i xi_i over earlier and new
        examples, whose dual is maximised over the multipliers of the new ones. The dual objective is a bound for all of
        them, the certificate is the gap of the new ones, and the primal objective is not known.
    """
    run = _Run(binding, settings, report, start)
    interrupted = False
    try:
        run.passes(settings.max_iter or MOST_PASSES)
    except KeyboardInterrupt:
        interrupted = True
    return run.solution(interrupted)


class _Run:
    """A solver at work, which outlives its interruption."""

    def __init__(
        self,
        binding: Binding,
        settings: Settings,
        report: Callable[[dict[str, float]], None],
        start: dict[str, Matrix] | None,
    ) -> None:
        options = _checked_options(settings.options)
        self.settings = settings
        self.averaging = bool(options["averaging"])
        self.sampling: str = options["sampling"]
        self.revisits: int = options["revisits"]
        self.gap_interval: int = options["gap_interval"]
        self.native = _core.FrankWolfe(
            binding.oracle,
            binding.space,
            settings.C,
            settings.violation.search,
            self.averaging,
            options["patience"],
            int(settings.random_state.randint(2**31 - 1)),
        )
        self.alone = start is None
        if start is not None:
            visits, height = start["progress"].tolist()
            self.native.resume(start["coordinates"], start["late"], int(visits), height)
        self.progress = Recorder(report)
        self.started = time.perf_counter()
        self.n = binding.oracle.n_examples
        self.iteration = 0
        self.objective, self.certificate = inf if self.alone else nan, inf
        self.chosen: Matrix | None = None  # the weights with that objective

    @property
    def converged(self) -> bool:
        """Whether the certificate is within tol."""
        return self.certificate <= self.settings.tol

    def passes(self, count: int) -> None:
        """So many passes, or fewer when the certificate is good enough."""
        scale = self.n * self.settings.C
        while self.iteration < count and not self.converged:
            self.iteration += 1
            self._visit()
            # What visits have seen is an estimate of the gap: the weights have moved since.
            estimate, objective = self.native.remembered_gap / scale, nan
            due = self.iteration % self.gap_interval == 0 or self.iteration == count
            if due or estimate <= self.settings.tol:
                self._measure()
                estimate, objective = self.certificate, self.objective
            self.progress.add(
                objective=objective,
                dual_objective=self.native.dual,
                certificate=estimate,
                constraints=self.native.constraints,
            )

    def _visit(self) -> None:
        """A pass over the examples, and sweeps over what is known of them."""
        if self.sampling == "uniform":
            self.native.visit(self.settings.random_state.randint(self.n, size=self.n).astype(np.int64))
        elif self.sampling == "gap" and self.iteration > 1:
            self.native.visit_by_gap(self.n)
        else:
            self.native.visit(self._order())
        # The longer the search for candidates has been going on, the more is there to be made of those found.
        for _ in range(min(self.revisits * self.iteration, MOST_SWEEPS)):
            if self.native.revisit(self._order()) <= FRACTION * self.native.remembered_gap:
                break

    def _order(self) -> Matrix:
        order: Matrix = self.settings.random_state.permutation(self.n).astype(np.int64)
        return order

    def _measure(self) -> None:
        """The certificate, of the weights or of their average."""
        threads = self.settings.threads
        primal, dual, gap = self.native.measure(threads)
        if not self.alone:  # nobody knows the slacks of earlier examples
            self.certificate = gap / (self.n * self.settings.C)
            return
        objective, average = primal, False
        if self.averaging:
            average_objective = self.native.measure_average(threads)
            objective, average = min((objective, False), (average_objective, True))
        # The dual never falls, so the best weights so far are those to return.
        if objective <= self.objective:
            self.objective = objective
            self.chosen = self.native.average() if average else self.native.coordinates()
        self.certificate = (self.objective - dual) / (self.n * self.settings.C)

    def solution(self, interrupted: bool) -> Solution:
        """What has been found so far."""
        native = self.native
        chosen = self.chosen
        if chosen is None:
            chosen = native.average() if self.averaging else native.coordinates()
        seconds = time.perf_counter() - self.started
        return Solution(
            coordinates=chosen,
            objective=self.objective,
            dual_objective=native.dual,
            certificate=self.certificate,
            n_constraints=native.constraints,
            n_iter=self.iteration,
            converged=self.converged,
            interrupted=interrupted,
            argmax_seconds=native.oracle_seconds,
            qp_seconds=seconds - native.oracle_seconds,
            trace=self.progress.trace(),
            state={
                "coordinates": native.coordinates(),
                "late": native.late(),
                "progress": np.array([native.visits, native.height]),
            },
        )


def _checked_options(options: dict[str, Any]) -> dict[str, Any]:
    known = {"averaging": True, "sampling": "gap", "revisits": 1, "patience": 10, "gap_interval": 10}
    # Options of other solvers may be there too.
    chosen = {name: options.get(name, default) for name, default in known.items()}
    check_flag("averaging", chosen["averaging"])
    check_choice("sampling", chosen["sampling"], SAMPLING)
    check_whole("revisits", chosen["revisits"], at_least=0)
    check_whole("patience", chosen["patience"], at_least=0)
    check_whole("gap_interval", chosen["gap_interval"], at_least=1)
    return chosen
