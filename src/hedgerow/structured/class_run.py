"""Crammer and Singer's machine on weights: the dual, one example after another, each over all of its classes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from hedgerow import _core
from hedgerow.kernels.base import Matrix
from hedgerow.structured.frank_wolfe import FrankWolfeRun
from hedgerow.structured.problem import Binding
from hedgerow.structured.solver import Report, Run, Settings

ALL = 3  # passes, of which one goes to all examples and the others to those with more than the mean gap


@dataclass(frozen=True)
class ClassBinding(Binding):
    """Classes with one feature each, which takes no search: all are looked at."""

    inputs: Any = None
    truths: Matrix | None = None
    losses: Matrix | None = None  # row by row; None for 0-1 loss
    n_classes: int = 0
    weights: Matrix | None = None

    def weighted(self, weights: Matrix) -> Binding:
        return replace(self, oracle=self.oracle.weighted(weights), weights=weights)

    def own_run(self, solver: str, settings: Settings, report: Report) -> Run | None:
        if solver != "frank-wolfe" or settings.violation.search == "slack":
            return None
        return ClassRun(self, settings, report)


class ClassRun(FrankWolfeRun):
    """Passes as those of Frank-Wolfe, whose visits leave nothing to be made of an example."""

    native: Any

    def _make(self, binding: Any) -> _core.ClassAscent:
        settings = self.settings
        return _core.ClassAscent(
            binding.inputs,
            binding.n_classes,
            binding.truths,
            binding.losses,
            binding.weights,
            settings.C,
            settings.violation.search == "best_wrong",
            settings.averaging,
        )

    def _visit(self) -> None:
        mean = self.native.remembered_gap / self.n_examples
        self.native.visit(self._order(), -1.0 if self.n_iter % ALL == 1 else mean)
