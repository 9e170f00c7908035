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
    """min 1/2 |w|^2 + C sum_i xi_i (linear slacks), or + C/2 sum_i xi_i^2 (quadratic), or without slacks.

    The thesis writes C/n where this has C.

    Attributes
    ----------
    slack : "linear", "quadratic" or None
    violation : what the oracle is asked to maximise
    tol : the accuracy of a slack. With linear slacks any solver ends within n C tol of the optimum: n-slack
        when no constraint is violated by more, one-slack when their mean is not, Frank-Wolfe when the duality
        gap is at most n C tol
    """

    C: float
    slack: str | None
    violation: Violation
    tol: float
    max_iter: int | None
    random_state: np.random.RandomState
    threads: int
    optimization: str = "full"  # of n-slack
    averaging: bool = True  # of Frank-Wolfe


class Run:
    """A solver at work, which outlives its interruption; and then what it has found.

    Attributes
    ----------
    coordinates : the weights, in the space of the binding
    objective : of the primal, an upper bound on the optimum
    dual_objective : a lower bound
    certificate : what was compared with tol
    n_constraints : in the working set
    n_iter : passes over the examples, or rounds
    converged : False when max_iter or Ctrl-C came first
    interrupted : whether Ctrl-C came
    argmax_seconds, qp_seconds : where the time went
    supports : example, multiplier and loss of each constraint with a multiplier, as arrays; None where a solver has
        no constraints of single examples
    state : what a solver that can take further examples goes on from
    """

    coordinates: Matrix
    supports: tuple[Matrix, Matrix, Matrix] | None = None
    state: dict[str, Matrix] | None = None

    def __init__(self, settings: Settings, report: Report, n_examples: int) -> None:
        self.settings = settings
        self.n_examples = n_examples
        self.mass = n_examples * settings.C  # what the mean slack costs
        self.objective = self.certificate = inf
        self.dual_objective = 0.0
        self.n_constraints = self.n_iter = 0
        self.converged = self.interrupted = False
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
