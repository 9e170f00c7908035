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
from hedgerow.structured.solver import Progress, Settings, Solution

SAMPLING = ("gap", "permutation", "uniform")
# Stop somewhere when rounding lets no gap become as small as epsilon.
MOST_PASSES = 10_000
MOST_SWEEPS = 1_000
# Candidates that are known are used until their gap is this fraction of that of all.
FRACTION = 0.1


def solve(binding: Binding, settings: Settings, report: Callable[[dict[str, float]], None]) -> Solution:
    """Minimise the primal until the duality gap is at most n C epsilon.

    Parameters
    ----------
    binding : the problem and its examples
    settings : with these options
        averaging : bool, default=True
            Return the mean of the weights over all visits, where later ones count more, if that has the lower primal
            objective.
        sampling : {"permutation", "gap", "uniform"}, default="permutation"
            How examples are chosen: each once a pass, in random order; with probabilities proportional to their gaps
            (after a first pass); or any, each time.
        revisits : int, default=1
            How often, after a pass, all examples are visited once more without asking for new candidates.
        patience : int, default=10
            How many visits a candidate that is not used is kept.
        gap_interval : int, default=10
            The gap of all examples is measured every so many passes, and when it may have become small enough.
    report : called with every entry of the trace
    """
    run = Run(binding, settings, report)
    interrupted = False
    try:
        run.passes(settings.max_iter or MOST_PASSES)
    except KeyboardInterrupt:
        interrupted = True
    return run.solution(interrupted)


class Run:
    """A solver at work; it outlives its interruption, and goes on with further examples."""

    def __init__(
        self, binding: Binding, settings: Settings, report: Callable[[dict[str, float]], None]
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
        self.progress = Progress(report)
        self.started = time.perf_counter()
        self.n = binding.oracle.n_examples
        self.iteration = 0
        self.objective, self.certificate = inf, inf
        self.chosen: Matrix | None = None  # the weights with that objective

    @property
    def allowed_gap(self) -> float:
        """What the duality gap may be at the end."""
        return self.n * self.settings.C * self.settings.epsilon

    def passes(self, count: int) -> None:
        """So many passes, or fewer when the certificate is good enough."""
        last = self.iteration + count
        while self.iteration < last and not self.converged:
            self.iteration += 1
            self._visit()
            remembered = self.native.remembered_gap
            if (
                remembered <= self.allowed_gap
                or self.iteration % self.gap_interval == 0
                or self.iteration == last
            ):
                self._measure()
                estimate, objective = self.certificate, self.objective
            else:
                estimate, objective = remembered / (self.n * self.settings.C), nan
            self.progress.add(
                objective=objective,
                dual_objective=self.native.dual,
                certificate=estimate,
                constraints=self.native.planes,
            )

    @property
    def converged(self) -> bool:
        """Whether the certificate is within epsilon."""
        return self.certificate <= self.settings.epsilon

    def _visit(self) -> None:
        random_state = self.settings.random_state
        if self.sampling == "uniform":
            self.native.visit(random_state.randint(self.n, size=self.n).astype(np.int64))
        elif self.sampling == "gap" and self.iteration > 1:
            self.native.visit_by_gap(self.n)
        else:
            self.native.visit(random_state.permutation(self.n).astype(np.int64))
        # What is known is worth more sweeps the longer the search for candidates has been going on.
        for _ in range(min(self.revisits * self.iteration**2, MOST_SWEEPS)):
            left = self.native.revisit(random_state.permutation(self.n).astype(np.int64))
            if left <= FRACTION * self.native.remembered_gap:
                break

    def _measure(self) -> None:
        """The certificate, of the weights or of their average."""
        threads = self.settings.threads
        primal, dual, _ = self.native.measure(threads)
        objective, chosen = primal, self.native.coordinates()
        if self.averaging:
            primal = self.native.measure_average(threads)
            if primal < objective:
                objective, chosen = primal, self.native.average()
        # The dual never falls, so the best weights so far are those to return.
        if objective <= self.objective:
            self.objective, self.chosen = objective, chosen
        self.certificate = (self.objective - dual) / (self.n * self.settings.C)

    def solution(self, interrupted: bool) -> Solution:
        """What has been found so far."""
        native = self.native
        chosen = self.chosen
        if chosen is None:  # interrupted before anything was measured
            chosen = native.average() if self.averaging else native.coordinates()
        seconds = time.perf_counter() - self.started
        return Solution(
            coordinates=chosen,
            objective=self.objective,
            dual_objective=native.dual,
            certificate=self.certificate,
            n_constraints=native.planes,
            n_iter=self.iteration,
            converged=self.converged and not interrupted,
            interrupted=interrupted,
            argmax_seconds=native.oracle_seconds,
            qp_seconds=seconds - native.oracle_seconds,
            trace=self.progress.columns(),
        )


def _checked_options(options: dict[str, Any]) -> dict[str, Any]:
    known = {"averaging": True, "sampling": "permutation", "revisits": 1, "patience": 10, "gap_interval": 10}
    # Options of other solvers may be there too.
    chosen = {name: options.get(name, default) for name, default in known.items()}
    check_flag("averaging", chosen["averaging"])
    check_choice("sampling", chosen["sampling"], SAMPLING)
    check_whole("revisits", chosen["revisits"], at_least=0)
    check_whole("patience", chosen["patience"], at_least=0)
    check_whole("gap_interval", chosen["gap_interval"], at_least=1)
    return chosen
