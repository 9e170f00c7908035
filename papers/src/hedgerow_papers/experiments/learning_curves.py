"""Learning curves on texts: how soon are single-pass learners good, beside a machine that is trained anew?"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from hedgerow_papers.experiments.experiment import Experiment, Layout, Measure, Row, Run, Settings
from hedgerow_papers.experiments.feature_selection import four_fifths
from hedgerow_papers.experiments.plot import Line, Plot
from hedgerow_papers.experiments.single_pass import make_learner
from hedgerow_papers.experiments.split import Split, f1_percent
from hedgerow_papers.experiments.summary import Table
from hedgerow_papers.experiments.two_class_sets import DIFFERENCES, FILES, NLP_LIKE, load_two_class_set

ONLINE = ("MBW", "v-MBW", "v-Perceptron")
SVM = "SVM"
LEARNERS = (*ONLINE, SVM)
FIRST, GROWTH = (
    10,
    1.1,
)  # the SVM is trained with so many examples first, and then whenever there are 10% more
MINUTES = 0.2  # of each set
CURVES = {"f1": "F1 in per cent", "error": "Error in per cent", "mistakes": "Mistakes while learning"}


class LearningCurves(Experiment):
    name = "learning_curves"
    summary = "F1, errors and mistakes on texts while examples come; needs the texts, uci"
    permutations = 1
    rows = tuple(
        Row(
            name,
            None,
            minutes=MINUTES,
            files=FILES[name],
            data_difference=DIFFERENCES.get(name, ""),
        )
        for name in NLP_LIKE
    )
    layouts = tuple(
        Layout(
            title,
            f"learning_curves_{curve}",
            tuple(Measure(f"{name} {curve}", name, decimals=decimals) for name in LEARNERS),
            first_column="Data set",
        )
        for curve, title, decimals in (
            ("f1", "F1 on the test fifth, after all training examples", 1),
            ("error", "Errors on the test fifth in per cent, after all training examples", 2),
            ("mistakes", "Mistakes made on the way, each example predicted before it was learned from", 0),
        )
    )

    def load(self, settings: Settings) -> Any:
        return {
            row.name: load_two_class_set(row.name, settings.data_folder(), settings.quick)
            for row in self.chosen_rows(settings)
        }

    def run(self, data: Any, row: str, permutation: int, settings: Settings) -> Run:
        random = settings.random_state(permutation)
        split = four_fifths(data[row], random).shuffled(random)
        sizes = training_sizes(len(split.y))
        curves = {name: _online_curve(name, split, sizes) for name in ONLINE}
        curves[SVM] = _batch_curve(split, sizes)
        figures = {
            f"{name} {curve}": values[curve][-1] for name, values in curves.items() for curve in CURVES
        }
        return Run(row, permutation, figures, {"examples": sizes, **curves})

    def notes(self, settings: Settings) -> list[str]:
        return [
            "As in the paper one fifth of the examples tests, and the others come one by one. The SVM is trained with "
            f"the first {FIRST} examples and then whenever there are 10% more; learners are tested at the same "
            "moments. A mistake of the SVM is that of the machine of that moment. The paper draws its figures only.",
        ]

    def findings(self, tables: Sequence[Table]) -> list[str]:
        f1 = {name: tables[0].means(f"{name} f1") for name in LEARNERS}
        sets = list(f1[SVM])
        if not sets:
            return []
        lowest = [row for row in sets if f1["v-Perceptron"][row] == min(f1[name][row] for name in LEARNERS)]
        closer = [
            row
            for row in sets
            if all(
                abs(f1[name][row] - f1[SVM][row]) < abs(f1["v-Perceptron"][row] - f1[SVM][row])
                for name in ("MBW", "v-MBW")
            )
        ]
        return [
            f"The averaged perceptron has the lowest F1 in the end: {len(lowest)} of {len(sets)} sets.",
            f"MBW and its average are closer to the SVM than the averaged perceptron is: {len(closer)} of {len(sets)} "
            "sets.",
        ]

    def trace_plots(self, runs: Sequence[Run]) -> list[Plot]:
        """The paper's figures 2, 3 and 4, of every set."""
        return [
            Plot(
                run.row,
                "Examples",
                label,
                tuple(
                    Line(name, dict(zip(run.trace["examples"], run.trace[name][curve], strict=True)))
                    for name in LEARNERS
                ),
                parameter_scale="linear",
            )
            for curve, label in CURVES.items()
            for run in sorted(runs, key=lambda run: list(NLP_LIKE).index(run.row))
            if run.permutation == 0 and run.trace is not None
        ]


def training_sizes(n: int) -> list[int]:
    """Numbers of examples after which learners are tested: each 10% above the last, and all at the end."""
    sizes = [min(FIRST, n)]
    while sizes[-1] < n:
        sizes.append(min(n, max(sizes[-1] + 1, int(sizes[-1] * GROWTH))))
    return sizes


def _online_curve(name: str, split: Split, sizes: list[int]) -> dict[str, list[float]]:
    learner = make_learner(name).set_params(trace_every=1)
    classes = np.unique(split.y)

    def learn(begin: int, end: int) -> int:
        learner.partial_fit(split.X[begin:end], split.y[begin:end], classes=classes)
        return int(learner.trace_.errors[-1])

    return _curve(learn, lambda X: learner.predict(X), split, sizes)


def _batch_curve(split: Split, sizes: list[int]) -> dict[str, list[float]]:
    machine: Any = None
    mistakes = 0

    def learn(begin: int, end: int) -> int:
        nonlocal machine, mistakes
        if machine is None:
            mistakes += end - begin  # it knows nothing yet
        else:
            mistakes += int(np.sum(machine.predict(split.X[begin:end]) != split.y[begin:end]))
        machine = _Constant(split.y[0]) if len(np.unique(split.y[:end])) < 2 else _trained(split, end)
        return mistakes

    return _curve(learn, lambda X: machine.predict(X), split, sizes)


def _trained(split: Split, n: int) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return make_learner(SVM).fit(split.X[:n], split.y[:n])


class _Constant:
    """What can be said before there are examples of both classes."""

    def __init__(self, label: Any) -> None:
        self.label = label

    def predict(self, X: Any) -> Any:
        return np.full(X.shape[0], self.label)


def _curve(
    learn: Callable[[int, int], int], predict: Callable[[Any], Any], split: Split, sizes: list[int]
) -> dict[str, list[float]]:
    """Learn piece by piece, and test after each."""
    curve: dict[str, list[float]] = {name: [] for name in CURVES}
    for begin, end in pairwise([0, *sizes]):
        curve["mistakes"].append(float(learn(begin, end)))
        predicted = predict(split.X_test)
        curve["f1"].append(f1_percent(split.y_test, predicted))
        curve["error"].append(100 * float(np.mean(predicted != split.y_test)))
    return curve
