"""Tallies: what is counted of predictions, so that counts of parts of a data set add up to the figures of all."""

from __future__ import annotations

from abc import ABC, abstractmethod
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


def tally_for(model: Any) -> Tally:
    """An empty tally for the predictions of a fitted model; other classifiers than hedgerow's have classes."""
    tally: Tally = model.tally() if hasattr(model, "tally") else ClassTally(model.classes_.tolist())
    return tally
