"""Tallies: what is counted of predictions, so that counts of parts of a data set add up to the figures of all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any, Self

import numpy as np

from hedgerow.models.confusion import Confusion, evaluation


class Tally(ABC):
    """Counts of predictions."""

    n: int = 0  # examples

    @abstractmethod
    def add(self, X: Any, true: Any, predicted: Any) -> None:
        """Some more examples, with their true outputs and what was predicted."""

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

    def add(self, X: Any, true: Any, predicted: Any) -> None:
        self.confusion.add(np.asarray(true), np.asarray(predicted))
        self.n += len(predicted)

    def update(self, other: Self) -> None:
        self.confusion.update(other.confusion)
        self.n += other.n

    def figures(self) -> dict[str, Any]:
        return evaluation(self.confusion, self.classes)


class ListTally(Tally):
    """Of the best of listed candidates; a choice that is graded as high as the best one is right."""

    def __init__(self) -> None:
        self.right = 0
        # Of those chosen, of the first and of the best ones: exact sums, which do not depend on the order of parts.
        self.grades = [Fraction(0)] * 3

    def add(self, X: Any, true: Any, predicted: Any) -> None:
        if X.grades is None:
            raise ValueError("candidates must have grades to evaluate what was chosen")
        begins = X.begins[:-1]
        ours, first, best = (X.grades[begins + place] for place in (predicted, 0, X.oracles()))
        self.right += int(np.count_nonzero(ours == best))
        sums = (sum(map(Fraction, column.tolist()), Fraction(0)) for column in (ours, first, best))
        self.grades = [old + more for old, more in zip(self.grades, sums, strict=True)]
        self.n += len(X)

    def update(self, other: Self) -> None:
        self.right += other.right
        self.grades = [old + more for old, more in zip(self.grades, other.grades, strict=True)]
        self.n += other.n

    def figures(self) -> dict[str, Any]:
        accuracy = self.right / self.n
        ours, first, best = (float(total / self.n) for total in self.grades)
        return {
            "lists": self.n,
            "accuracy": accuracy,
            "f1": accuracy,  # one candidate is chosen and one is wanted
            "grade": ours,
            "first_grade": first,
            "best_grade": best,
        }


def tally_for(model: Any) -> Tally:
    """An empty tally for the predictions of a fitted model; other classifiers than hedgerow's have classes."""
    tally: Tally = model.tally() if hasattr(model, "tally") else ClassTally(model.classes_.tolist())
    return tally
