"""Measures of predictions, example by example, so that differences between two candidates have a standard error."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from hedgerow.kernels.base import Matrix


class Measure(Protocol):
    """What is compared; 1 is the best there is."""

    def values(self, model: Any, y: Any, predicted: Any) -> Matrix:
        """What each prediction contributes, one row per example."""

    def combine(self, values: Matrix) -> tuple[float, Matrix]:
        """The score, and how far each example moves it: the mean of these is 0."""


class Accuracy:
    """The share of right predictions."""

    def values(self, model: Any, y: Any, predicted: Any) -> Matrix:
        return np.asarray(predicted == y, dtype=float)[:, None]

    def combine(self, values: Matrix) -> tuple[float, Matrix]:
        score = float(values.mean())
        return score, values[:, 0] - score


class OutputAccuracy(Accuracy):
    """What the problem of a structured learner calls so, of each example: the share of tokens, the F1 of brackets."""

    def values(self, model: Any, y: Any, predicted: Any) -> Matrix:
        accuracy = model.problem_.accuracy
        return np.array([[accuracy([true], [found])] for true, found in zip(y, predicted, strict=True)])


class F1:
    """That of the second class when there are two, else the mean over classes."""

    def __init__(self, y: Any) -> None:
        classes = np.unique(y)
        self.classes = classes[1:] if len(classes) == 2 else classes

    def values(self, model: Any, y: Any, predicted: Any) -> Matrix:
        true, found = (np.asarray(labels)[:, None] == self.classes for labels in (y, predicted))
        return np.hstack([2.0 * (true & found), true.astype(float) + found])

    def combine(self, values: Matrix) -> tuple[float, Matrix]:
        doubled, total = np.hsplit(values, 2)
        mean = np.maximum(total.mean(0), 1 / len(values))  # a class that is neither there nor found has F1 0
        by_class = doubled.mean(0) / mean
        # A ratio of means moves as its linear part does.
        return float(by_class.mean()), ((doubled - by_class * total) / mean).mean(1)
