"""Strings to strings: does training for the loss of strings lower it?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.model_selection import KFold

from hedgerow.datasets import make_string_pairs
from hedgerow.kernels import Normalized, Subsequence
from hedgerow.structured import StringMapping, StructuredSVM
from hedgerow_papers.experiments.comparisons import compare
from hedgerow_papers.experiments.experiment import Experiment, Layout, Measure, Row, Run, Settings
from hedgerow_papers.experiments.summary import Table

PAIRS, FOLDS, QUICK_PAIRS = 200, 4, 40
WANTED = 0.65
KERNEL = Normalized(Subsequence(length=3, decay=0.01))
RESCALINGS: dict[str, Any] = {"SVM2": None, "SVM2 slack": "slack", "SVM2 margin": "margin"}
C, TOL = 1.0, 0.001
# Whether C is divided by the number of training pairs.
MACHINES = {f"{name}{suffix}": (name, bool(suffix)) for suffix in ("", ", C/n") for name in RESCALINGS}


class StringMappings(Experiment):
    name = "string_mapping"
    summary = "noisy strings from strings, by string kernels on both; needs no data"
    permutations = 10
    rows = (
        Row("Baseline", "Baseline"),
        Row("Best constant", None),
        Row("k-NN", "k-NN", published_only=True),
        Row("KDE", "KDE", published_only=True),
        *(Row(row, None if divided else name, minutes=0.2) for row, (name, divided) in MACHINES.items()),
    )
    layouts = (
        Layout(
            f"Loss on test pairs, {FOLDS}-fold cross-validation",
            "string_mapping",
            (
                Measure("test_loss", "Test loss", decimals=3),
                Measure("fold_deviation", "± folds", decimals=3, compared=False),
                Measure("exact", "Exact %", decimals=1, compared=False),
            ),
            first_column="Method",
        ),
    )

    def load(self, settings: Settings) -> Any:
        return None  # every run makes its own

    def run(self, data: Any, row: str, permutation: int, settings: Settings) -> Run:
        # All methods see the same pairs and folds.
        random = settings.random_state(permutation)
        pairs = make_string_pairs(QUICK_PAIRS if settings.quick else PAIRS, random_state=random)
        X, Y = (np.array(strings, dtype=object) for strings in pairs)
        results = [
            try_out(row, X[train].tolist(), Y[train].tolist(), X[held_out].tolist(), Y[held_out].tolist())
            for train, held_out in KFold(FOLDS, shuffle=True, random_state=random).split(X)
        ]
        losses, exact = np.array(results).T
        figures = {
            "test_loss": float(losses.mean()),
            "fold_deviation": float(losses.std(ddof=1)),
            "exact": 100 * float(exact.mean()),
        }
        return Run(row, permutation, figures)

    def notes(self, settings: Settings) -> list[str]:
        return [
            "C = 1 is what a slack of one example costs in the first rows; the rows C/n divide it by the number of "
            "examples, as the formulas of the thesis do. Either way the figures are within one published standard "
            "deviation, so they do not say which one was meant.",
            "The thesis does not say what its baseline is. An output that is drawn among the distinct outputs of "
            "training comes close to its figure; the best constant output does better.",
            f"Slacks are known to {TOL}. With 0.01, the thesis's accuracy elsewhere, the weights of C/n are so "
            "small that much is left to chance: on one fold two solutions within 0.01 had losses of 0.49 and 0.68.",
            "± of the test loss is over sets of pairs, ± folds that over the folds of a set.",
        ]

    def findings(self, tables: Sequence[Table]) -> list[str]:
        (table,) = tables
        found = []
        means = table.means("test_loss")
        for suffix in ("", ", C/n"):
            for name in ("SVM2 slack", "SVM2 margin"):
                claim = f"{name}{suffix} has a lower loss than SVM2{suffix}"
                found += compare(table, f"{name}{suffix}", f"SVM2{suffix}", "test_loss", claim)
        for name in MACHINES:
            if name in means and RESCALINGS[MACHINES[name][0]] is not None:
                held = "found" if means[name] <= WANTED else "not found"
                found.append(f"{name} reaches a loss of {WANTED}: {held} ({means[name]:.3f}).")
        return found


def try_out(
    row: str, X: list[str], Y: list[str], X_test: list[str], Y_test: list[str]
) -> tuple[float, float]:
    """The mean loss of a method on test pairs, and the share of outputs without a fault."""
    problem = StringMapping(KERNEL, KERNEL)
    if row in MACHINES:
        predicted = make_machine(row, len(X)).fit(X, Y).predict(X_test)
        return problem.mean_loss(Y_test, predicted), problem.accuracy(Y_test, predicted)
    constants = sorted(set(Y))
    if row == "Best constant":
        constants = [min(constants, key=lambda y: problem.mean_loss(Y, [y] * len(Y)))]
    # One drawn by chance does as all of them in the mean.
    each = [
        (problem.mean_loss(Y_test, [y] * len(Y_test)), problem.accuracy(Y_test, [y] * len(Y_test)))
        for y in constants
    ]
    loss, exact = np.mean(each, axis=0).tolist()
    return loss, exact


def make_machine(row: str, n: int) -> StructuredSVM:
    """The machine of a row, for n training pairs."""
    name, divided = MACHINES[row]
    return StructuredSVM(
        StringMapping(KERNEL, KERNEL),
        C=(C / n if divided else C) / 2,  # quadratic slacks cost C xi^2 here, and C/2 xi^2 in the thesis
        slack="quadratic",
        rescaling=RESCALINGS[name],
        solver="n-slack",
        tol=TOL,
    )
