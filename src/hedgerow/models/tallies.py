"""Tallies: what is counted of predictions, so that counts of parts of a data set add up to the figures of all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from hedgerow.kernels.base import Matrix
from hedgerow.models.reliability import Reliability

Label = Any


class Tally(ABC):
    """Counts of predictions."""

    n: int = 0  # examples

    @abstractmethod
    def add(self, X: Any, true: Any, predicted: Any) -> None:
        """Some more examples, with their true outputs and what was predicted."""

    def count(self, model: Any, X: Any, true: Any) -> None:
        """What the model predicts for some more examples."""
        self.add(X, true, model.predict(X))

    def is_right(self, model: Any, X: Any, true: Any, example: int, output: Any) -> bool:
        """Whether an output of one of these examples, of a structured model, is a true one."""
        return bool(model.problem_.same(true[example], output))

    @abstractmethod
    def update(self, other: Self) -> None:
        """The counts of other examples."""

    @abstractmethod
    def figures(self) -> dict[str, Any]:
        """For JSON; ``accuracy`` and ``f1`` are always among them."""


class ClassTally(Tally):
    """Of one label an example."""

    def __init__(self, classes: list[Any]) -> None:
        self.classes = classes
        self.confusion = Confusion()
        self.reliability = Reliability()  # of models that give probabilities

    def count(self, model: Any, X: Any, true: Any) -> None:
        if not hasattr(model, "_probabilities") or not hasattr(model, "predict_proba"):
            super().count(model, X, true)
            return
        predicted, scores = model._predicted(X)
        self.add(X, true, predicted)
        self.reliability.add(self.classes, true, model._probabilities(scores))

    def add(self, X: Any, true: Any, predicted: Any) -> None:
        self.confusion.update(zip(np.asarray(true).tolist(), np.asarray(predicted).tolist(), strict=True))
        self.n += len(predicted)

    def update(self, other: Self) -> None:
        self.confusion.update(other.confusion)
        self.reliability.update(other.reliability)
        self.n += other.n

    def figures(self) -> dict[str, Any]:
        figures = evaluation(self.confusion, self.classes)
        return {**figures, "calibration": self.reliability.figures()} if self.reliability.n.any() else figures


@dataclass(frozen=True)
class Agreement:
    """How far predicted parts of outputs agree with the true ones, by their numbers."""

    n_true: int
    n_predicted: int
    n_correct: int

    _of_nothing: ClassVar[float]  # the share where there is nothing to divide by

    @property
    def precision(self) -> float:
        """The share of what was predicted that is right."""
        return self.n_correct / self.n_predicted if self.n_predicted else self._of_nothing

    @property
    def recall(self) -> float:
        """The share of what is true that was found."""
        return self.n_correct / self.n_true if self.n_true else self._of_nothing

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = self.n_true + self.n_predicted
        return 2 * self.n_correct / total if total else self._of_nothing


def tally_for(model: Any, k_best: int | None = None) -> Tally:
    """An empty tally for the predictions of a fitted model; other classifiers than hedgerow's have classes.

    With ``k_best``, so many outputs of each example are ranked, and counted too.
    """
    tally: Tally = model.tally() if hasattr(model, "tally") else ClassTally(model.classes_.tolist())
    if k_best is None:
        return tally
    if not hasattr(model, "predict_k"):
        raise ValueError(f"k_best is for models with predict_k; {type(model).__name__} ranks no outputs")
    from hedgerow.models.ranked_tally import RankedTally

    return RankedTally(tally, k_best)


class Confusion(Counter[tuple[Label, Label]]):
    """Counts of (true label, predicted label)."""

    @property
    def labels(self) -> list[Label]:
        """All labels that occur, sorted."""
        return sorted({label for pair in self for label in pair})

    def table(self) -> Matrix:
        """One row a true label, one column a predicted one."""
        labels = self.labels
        return np.array([[self[true, predicted] for predicted in labels] for true in labels])


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
