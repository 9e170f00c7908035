"""Errors against the number of features: extremal features of a single pass beside batch criteria."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import xlogy
from sklearn.feature_selection import chi2
from sklearn.model_selection import train_test_split

from hedgerow.feature_selection import ExtremalFeatureSelection
from hedgerow.online import ModifiedBalancedWinnow
from hedgerow_papers.experiments.experiment import Experiment, Layout, Measure, Row, Run, Settings
from hedgerow_papers.experiments.plot import Line, Plot
from hedgerow_papers.experiments.split import Split
from hedgerow_papers.experiments.summary import Table
from hedgerow_papers.experiments.two_class_sets import (
    DIFFERENCES,
    FILES,
    NLP_LIKE,
    TwoClassSet,
    load_two_class_set,
)

SIZES = (100, 300, 1_000, 3_000, 10_000)
ROWS = {  # the set and the number of features of each row; small sets have fewer than the largest numbers
    f"{name}, {size:,}": (name, size)
    for name in NLP_LIKE
    for size in SIZES
    if size <= {"SMS": 3_000, "Ads": 1_000}.get(name, 10_000)
}
TOP_SHARES = {"P = 1": 1.0, "P = 0.9": 0.9, "P = 0.7": 0.7}
BATCH = ("chi-square", "information gain")
ON_THE_FLY = "on the fly"
ALL = "all"
CLOSE = 1.0  # point of error


class FeatureSelection(Experiment):
    name = "feature_selection"
    summary = "errors by number of features, selected in one pass or in batch; needs the texts, uci"
    permutations = 5
    rows = tuple(
        Row(row, None, minutes=0.006, files=FILES[name], data_difference=DIFFERENCES.get(name, ""))
        for row, (name, _) in ROWS.items()
    )
    layouts = (
        Layout(
            "Modified balanced Winnow, error in per cent with the features selected",
            "feature_selection",
            tuple(Measure(name, name) for name in (*TOP_SHARES, ON_THE_FLY, *BATCH, ALL)),
            first_column="Data set, features",
        ),
    )

    def load(self, settings: Settings) -> Any:
        names = dict.fromkeys(ROWS[row.name][0] for row in self.chosen_rows(settings))
        return {name: load_two_class_set(name, settings.data_folder(), settings.quick) for name in names}

    def run(self, data: Any, row: str, permutation: int, settings: Settings) -> Run:
        name, size = ROWS[row]
        split = four_fifths(data[name], settings.random_state(permutation))
        learner = ModifiedBalancedWinnow().fit(split.X, split.y)
        figures = {
            selection: _error(learner, split, _selected(selection, size, split))
            for selection in (*TOP_SHARES, *BATCH)
        }
        bounded = ModifiedBalancedWinnow(max_features=size).fit(split.X, split.y)
        figures[ON_THE_FLY] = 100 * float(np.mean(bounded.predict(split.X_test) != split.y_test))
        figures[ALL] = _error(learner, split, np.ones(split.X.shape[1], dtype=bool))
        return Run(row, permutation, figures)

    def notes(self, settings: Settings) -> list[str]:
        return [
            "As in the paper the learner sees all features of four fifths of the examples; then those that were not "
            "selected are taken from its model, and the last fifth tests it. The paper has one split, and draws its "
            "figures only.",
            "On the fly is max_features, with P = 0.9: the learner forgets features while it learns.",
            "Chi-square is scikit-learn's, information gain that of a word's presence.",
        ]

    def findings(self, tables: Sequence[Table]) -> list[str]:
        (table,) = tables
        errors = {measure.name: table.means(measure.name) for measure in table.layout.measures}
        if not errors[ALL]:
            return []
        found = []
        for criterion in BATCH:
            excess = {row: errors["P = 0.9"][row] - errors[criterion][row] for row in errors[ALL]}
            far = {row: points for row, points in excess.items() if points > CLOSE}
            words = "; ".join(f"{row}: {points:+.1f}" for row, points in far.items())
            found.append(
                f"P = 0.9 at most {CLOSE:g} point worse than {criterion} at equal size: "
                f"{len(excess) - len(far)} of {len(excess)} rows"
                + (f" (not {words})" if far else "")
                + f"; on average {np.mean(list(excess.values())):+.2f} points."
            )
        ratio = np.mean([errors[ON_THE_FLY][row] / max(errors["P = 0.9"][row], 0.1) for row in errors[ALL]])
        found.append(
            f"Errors of selection on the fly are on average {ratio:.2f} times those of selection afterwards (P = 0.9)."
        )
        gain = {row: errors["P = 1"][row] - errors["P = 0.9"][row] for row in errors[ALL]}
        found.append(
            f"P = 0.9 has a smaller error than P = 1 in {sum(points > 0 for points in gain.values())} of {len(gain)} "
            f"rows; on average by {np.mean(list(gain.values())):.2f} points."
        )
        return found

    def plots(self, tables: Sequence[Table]) -> list[Plot]:
        (table,) = tables
        plots = []
        for name in NLP_LIKE:
            lines = (
                Line(
                    selection,
                    {
                        float(ROWS[row][1]): error
                        for row, error in table.means(selection).items()
                        if ROWS[row][0] == name
                    },
                )
                for selection in (*TOP_SHARES, ON_THE_FLY, *BATCH)
            )
            everything = [error for row, error in table.means(ALL).items() if ROWS[row][0] == name]
            if everything:
                plots.append(
                    Plot(
                        name,
                        "Features",
                        "Error in per cent",
                        tuple(lines),
                        levels={"all features": everything[0]},
                    )
                )
        return plots


def information_gain(X: Any, y: Any) -> Any:
    """The information (in nats) that the presence of each feature gives about a class of two."""
    present = sparse.csr_matrix((np.ones(X.nnz), X.indices, X.indptr), shape=X.shape)
    n, positive = len(y), float(np.sum(y))
    in_all = np.asarray(present.sum(axis=0)).ravel()
    in_positive = np.asarray(present[np.flatnonzero(y)].sum(axis=0)).ravel()

    def entropy(*counts: Any) -> Any:
        return -sum(xlogy(count / n, count / n) for count in counts)

    joint = entropy(
        in_positive, in_all - in_positive, positive - in_positive, n - positive - in_all + in_positive
    )
    return entropy(in_all, n - in_all) + entropy(positive, n - positive) - joint


def four_fifths(examples: TwoClassSet, random_state: np.random.RandomState) -> Split:
    """Most of the examples to learn from, the rest to test with, both with the same share of positive ones."""
    X, X_test, y, y_test = train_test_split(
        examples.X, examples.y, test_size=0.2, random_state=random_state, stratify=examples.y
    )
    return Split(X, y, X_test, y_test)


def _selected(selection: str, size: int, split: Split) -> Any:
    """A mask of the features that stay."""
    if selection in TOP_SHARES:
        selector = ExtremalFeatureSelection(size, top=TOP_SHARES[selection])
        return selector.fit(split.X, split.y).get_support()
    if selection == "chi-square":
        scores = np.nan_to_num(chi2(split.X, split.y)[0])  # features that never come have no score
    else:
        scores = information_gain(split.X, split.y)
    mask = np.zeros(len(scores), dtype=bool)
    mask[np.argsort(-scores, kind="stable")[:size]] = True
    return mask


def _error(learner: Any, split: Split, mask: Any) -> float:
    """Errors in per cent of the learner without the other features, which are then unknown to it."""
    kept = split.X_test @ sparse.diags(mask.astype(np.float64), format="csr")
    kept.eliminate_zeros()
    return 100 * float(np.mean(learner.predict(kept) != split.y_test))
