"""What structured solvers share: what they are given, and what they find."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Self, TypeAlias

import numpy as np

from hedgerow.kernels.base import Matrix
from hedgerow.models.trace import Trace
from hedgerow.structured.questions import Violation

COLUMNS = ("iteration", "objective", "dual_objective", "certificate", "constraints", "seconds")  # of a trace
Report: TypeAlias = Callable[[dict[str, float]], None]  # takes every entry of a trace


@dataclass(frozen=True)
class Settings:
    """min 1/2 |w|^2 + C sum_i xi_i (linear slacks), or + C sum_i xi_i^2 (quadratic), or without slacks.

    The thesis writes C/n where this has C, and C/2n with quadratic slacks. With linear slacks any solver ends within
    n C tol of the optimum: n-slack when no constraint is violated by more than tol, one-slack when their mean is not,
    Frank-Wolfe by the duality gap.
    """

    C: float
    slack: str | None  # "linear" or "quadratic"
    violation: Violation  # what the oracle is asked to maximise
    tol: float  # the accuracy of a slack
    max_iter: int | None
    random_state: np.random.RandomState
    threads: int
    optimization: str = "full"  # of n-slack
    averaging: bool = True  # of Frank-Wolfe


class Run:
    """A solver at work, which outlives its interruption; and then what it has found."""

    coordinates: Matrix  # the weights, in the space of the binding
    # Example, multiplier and loss of each constraint with a multiplier, where constraints are of single examples.
    supports: tuple[Matrix, Matrix, Matrix] | None = None
    state: dict[str, Matrix] | None = None  # what a solver that can take further examples goes on from

    def __init__(self, settings: Settings, report: Report, n_examples: int) -> None:
        self.settings = settings
        self.n_examples = n_examples
        self.mass = n_examples * settings.C  # what the mean slack costs
        self.objective, self.dual_objective = inf, 0.0  # bounds on the optimum, from above and from below
        self.certificate = inf  # what is compared with tol
        self.n_constraints = 0  # in the working set
        self.n_iter = 0  # passes over the examples, or rounds
        self.converged = self.interrupted = False  # not converged: max_iter or Ctrl-C came first
        self.argmax_seconds = self.qp_seconds = 0.0
        self._report = report
        self._started = time.perf_counter()
        self._rows: list[dict[str, float]] = []

    def solve(self) -> Self:
        """Go on until it has converged, is out of passes, or is interrupted."""
        try:
            self.converged = self._passes()
        except KeyboardInterrupt:
            self.interrupted = True
        self._collect()
        return self

    def _passes(self) -> bool:
        """All passes or rounds; whether it has converged."""
        raise NotImplementedError

    def _collect(self) -> None:
        """Set what is only wanted at the end."""

    def _record(self, objective: float, certificate: float) -> None:
        """An entry of the trace."""
        entry = {
            "iteration": len(self._rows) + 1,
            "objective": objective,
            "dual_objective": self.dual_objective,
            "certificate": certificate,
            "constraints": self.n_constraints,
            "seconds": time.perf_counter() - self._started,
        }
        self._rows.append(entry)
        self._report(entry)

    @property
    def trace(self) -> Trace:
        """One entry for each pass or round."""
        return Trace.from_rows(self._rows, COLUMNS)
