"""The Adult data, learned in one pass with an RBF kernel."""

from __future__ import annotations

from typing import Any

from hedgerow.kernels import RBF
from hedgerow_papers.datasets import load_adult
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

QUICK = 2_000


class OnlineAdult(Experiment):
    name = "online_adult"
    summary = "census forms, RBF kernel; needs a9a"
    files = ("a9a/train.libsvm", "a9a/test.libsvm")
    traces_on_request = True
    rows = online_rows(budgets=(3000, 1500), minutes=0.02, projectron_minutes=0.55, svm_minutes=0.1)
    layouts = (
        Layout(
            "Adult (a9a), RBF kernel with gamma 0.04, one pass",
            "online_adult",
            (
                Measure("f1", "F1"),
                Measure("accuracy", "Accuracy"),
                Measure("support", "Supports", decimals=1),
                Measure("seconds", "CPU seconds", compared=False),
            ),
        ),
    )

    def load(self, settings: Settings) -> Any:
        folder = settings.data_folder()
        split = Split(*load_adult(folder, "train"), *load_adult(folder, "test"))
        if settings.quick:
            return Split(split.X[:QUICK], split.y[:QUICK], split.X_test[:QUICK], split.y_test[:QUICK])
        return split

    def run(self, data: Any, row: str, permutation: int, settings: Settings) -> Run:
        # The same order for all rows.
        split = data.shuffled(settings.random_state(permutation))
        options = trace_options(settings, permutation, len(split.y))
        learner = make_learner(row, RBF(gamma=0.04), {"cost_factor": 2.5}, **options)
        seconds = fit_timed(learner, split.X, split.y)
        return Run(row, permutation, binary_figures(learner, split, seconds), trace_of(learner))

    def notes(self, settings: Settings) -> list[str]:
        return [
            BIAS_NOTE,
            "The SVM has C = 1 and cost factor 2.5, and nearly as many supports as the published one. Its F1 hardly "
            "depends on the threshold, but its accuracy does: where only scores above 0.4 are positive, they are 67.9 "
            "and 83.3, near the published ones. Nothing tells whether the thesis had such a threshold.",
            "Averages of all predictors hardly vary with the order (F1 by 0.4); the published row varies as much "
            "as last predictors do (12.8), so it was hardly such an average.",
            "While learning, the averaged perceptron leads, as in the thesis: after a tenth its F1 is 59.9, that of "
            "others 56.2 at most. Forgetrons part from the perceptron when their budgets are full, after 22% and 43% "
            "of the examples; the thesis says roughly 20% and 45%.",
            "Unexplained: the supports of Projectron++ (in the first order eta = 0.15 keeps 2,487 and 0.2 keeps "
            "1,765; gamma = 0.02 keeps 1,605) and of PA-I (in the first two orders PA without a bound keeps 13,126, "
            "C = 2 keeps 12,842, a constant feature 12,889: nothing tells which, if any, was run).",
        ]
