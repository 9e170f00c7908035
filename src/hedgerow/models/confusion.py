"""Accuracy, precision, recall and F1 from a table of how often each class was taken for which."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from hedgerow.kernels.base import Matrix

Label = Any


class Confusion:
    """Counts of (true label, predicted label)."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[Label, Label]] = Counter()

    def add(self, true: Matrix, predicted: Matrix) -> None:
        self.counts.update(zip(true.tolist(), predicted.tolist(), strict=True))

    def update(self, other: Confusion) -> None:
        """Add the counts of other examples."""
        self.counts.update(other.counts)

    @property
    def labels(self) -> list[Label]:
        """All labels that occur, sorted."""
        return sorted({label for pair in self.counts for label in pair})

    def table(self) -> Matrix:
        """One row a true label, one column a predicted one."""
        labels = self.labels
        return np.array([[self.counts[true, predicted] for predicted in labels] for true in labels])


def evaluation(confusion: Confusion, classes: list[Label]) -> dict[str, Any]:
    """All figures, for JSON. A ratio of which nothing is known (0 / 0) counts as 0.

    ``f1`` is that of the second class when the model has two, else the mean over the classes. Means are over
    the labels that occur among true or predicted ones.
    """
    labels, table = confusion.labels, confusion.table()
    right, true, predicted = np.diag(table), table.sum(axis=1), table.sum(axis=0)
    precision, recall = _ratio(right, predicted), _ratio(right, true)
    f1 = _ratio(2 * right, true + predicted)
    of_class = {
        str(label): {
            "precision": float(precision[i]),
            "recall": float(recall[i]),
            "f1": float(f1[i]),
            "examples": int(true[i]),
        }
        for i, label in enumerate(labels)
    }
    accuracy = float(right.sum() / table.sum())
    macro = {"precision": float(precision.mean()), "recall": float(recall.mean()), "f1": float(f1.mean())}
    if len(classes) == 2:
        headline = float(f1[labels.index(classes[1])]) if classes[1] in labels else 0.0
    else:
        headline = macro["f1"]
    return {
        "examples": int(table.sum()),
        "accuracy": accuracy,
        "f1": headline,
        "macro": macro,
        "micro": dict.fromkeys(("precision", "recall", "f1"), accuracy),  # one label an example: all the same
        "classes": of_class,
        "confusion": {"labels": labels, "counts": table.tolist()},
    }


def _ratio(part: Matrix, whole: Matrix) -> Matrix:
    return np.divide(part, whole, out=np.zeros(len(whole)), where=whole > 0)
