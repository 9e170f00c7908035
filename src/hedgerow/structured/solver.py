"""What structured solvers are given, and what they give back."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hedgerow.kernels.base import Matrix
from hedgerow.models.trace import Trace
from hedgerow.structured.questions import Violation

COLUMNS = ("iteration", "objective", "dual_objective", "certificate", "constraints", "seconds")  # of a trace


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
    options: dict[str, Any] = field(default_factory=dict)  # of one solver only


@dataclass
class Solution:
    """What a solver has found.

    Attributes
    ----------
    coordinates : the weights, in the space of the binding
    objective : of the primal, an upper bound on the optimum
    dual_objective : a lower bound
    certificate : what was compared with tol
    n_constraints : in the working set at the end
    n_iter : passes over the examples, or rounds
    converged : False when max_iter or Ctrl-C came first
    interrupted : whether Ctrl-C came
    argmax_seconds, qp_seconds : where the time went
    supports : example, multiplier and loss of each constraint with a multiplier, as arrays; None where a solver has
        no constraints of single examples
    trace : one entry for each pass
    state : what a solver that can take further examples goes on from
    """

    coordinates: Matrix
    objective: float
    dual_objective: float
    certificate: float
    n_constraints: int
    n_iter: int
    converged: bool
    interrupted: bool
    argmax_seconds: float
    qp_seconds: float
    trace: Trace
    supports: tuple[Matrix, Matrix, Matrix] | None = None
    state: dict[str, Matrix] | None = None


class Recorder:
    """Collects the trace of a solver while it runs, and reports every entry."""

    def __init__(self, report: Callable[[dict[str, float]], None]) -> None:
        self._report = report
        self._started = time.perf_counter()
        self.rows: list[dict[str, float]] = []

    def add(self, **row: float) -> None:
        """An entry; its number and time are added."""
        entry = {"iteration": len(self.rows) + 1, **row, "seconds": time.perf_counter() - self._started}
        self.rows.append(entry)
        self._report(entry)

    def trace(self) -> Trace:
        return Trace.from_rows(self.rows, COLUMNS)
