"""Two Gaussians with noisy labels, learned in one pass with a polynomial kernel."""

from __future__ import annotations

from typing import Any

from hedgerow.datasets import make_two_gaussians
from hedgerow.kernels import Polynomial
from hedgerow_papers.experiments.experiment import Experiment, Layout, Measure, Run, Settings
from hedgerow_papers.experiments.online import (
    BIAS_NOTE,
    binary_figures,
    fit_timed,
    make_learner,
    online_rows,
    trace_of,
    trace_options,
)
from hedgerow_papers.experiments.split import Split


class OnlineSynthetic(Experiment):
    name = "online_synthetic"
    summary = "two Gaussian clouds, polynomial kernel; needs no data"
    permutations = 10
    traces_on_request = True
    rows = online_rows(budgets=(1000, 500), minutes=0.003, projectron_minutes=0.001)
    layouts = (
        Layout(
            "Two Gaussians, polynomial kernel of degree 3, one pass",
            "online_synthetic",
            (
                Measure("f1", "F1"),
                Measure("accuracy", "Accuracy"),
                Measure("support", "Supports", decimals=1),
                Measure("seconds", "CPU seconds", compared=False),
            ),
        ),
    )

    def load(self, settings: Settings) -> Any:
        return make_two_gaussians(self._size(settings), random_state=settings.random_state(0))

    def run(self, data: Any, row: str, permutation: int, settings: Settings) -> Run:
        # Each run has a training set of its own, the same for all rows.
        n = self._size(settings)
        X, y = make_two_gaussians(n, random_state=settings.random_state(1, permutation))
        split = Split(X, y, *data)
        learner = make_learner(row, Polynomial(degree=3), **trace_options(settings, permutation, n))
        seconds = fit_timed(learner, split.X, split.y)
        return Run(row, permutation, binary_figures(learner, split, seconds), trace_of(learner))

    def notes(self, settings: Settings) -> list[str]:
        return [
            BIAS_NOTE,
            "The published deviations are wide: agreement within one of them is weak evidence for either.",
        ]

    @staticmethod
    def _size(settings: Settings) -> int:
        return 1_000 if settings.quick else 10_000
