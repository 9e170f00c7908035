"""Probabilities of classes from scores, by what scores of held-out examples turned out to mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from scipy.special import expit, logsumexp

from hedgerow.kernels.base import Matrix
from hedgerow.models.stored import stored

N_PARTS = 5  # of cross-validation
MOST_HELD_OUT = 10_000  # more scores hardly make a better map of scores to probabilities
LEAST_HELD_OUT = 200  # of a stream


@dataclass(frozen=True)
class HeldOut:
    """Scores of examples by predictors that had not learned from them, and the numbers of their classes.

    Each class against the rest has a map from its score to its probability: ``1 / (1 + exp(a score + b))`` for
    "sigmoid" (Platt's, with his smoothed targets), the best increasing step function for "isotonic". Of more than two
    classes these are raised to the power that makes the held-out labels most likely, and divided by their sum: without
    the power, many small probabilities make the largest too small.
    """

    kind: str
    scores: Matrix  # examples by outputs, one output if there are two classes
    labels: Matrix

    @classmethod
    def of(cls, kind: str, scores: Matrix, labels: Matrix) -> Self:
        """Those of examples in any order; of very many every few are kept."""
        step = -(-len(labels) // MOST_HELD_OUT) or 1
        return cls(kind, _columns(scores)[::step], labels[::step].astype(np.int32))

    def then(self, scores: Matrix, labels: Matrix, n_seen: int) -> Self:
        """With those of further examples of a stream of so many; the first half of the stream is forgotten."""
        n = min(max(LEAST_HELD_OUT, n_seen // 2), MOST_HELD_OUT)
        scores = np.concatenate([self.scores, _columns(scores)])[-n:]
        return type(self)(self.kind, scores, np.append(self.labels, labels).astype(np.int32)[-n:])

    def probabilities(self, scores: Matrix) -> Matrix:
        """Of all classes, for items with these scores."""
        chances = self._chances(scores)
        return both(chances[:, 0]) if chances.shape[1] == 1 else normalised(chances**self._power)

    def _chances(self, scores: Matrix) -> Matrix:
        """Of each class against the rest."""
        columns = _columns(scores).T
        chances = np.stack([one(column) for one, column in zip(self._maps, columns, strict=True)], axis=1)
        # Steps may be 0, which no further class would change.
        return chances if chances.shape[1] == 1 else np.maximum(chances, 0.1 / (len(self.labels) + 1))

    @cached_property
    def _power(self) -> float:
        logs = np.log(self._chances(self.scores))
        of_true = logs[np.arange(len(logs)), self.labels]

        def loss(power: float) -> float:
            return float((logsumexp(power * logs, axis=1) - power * of_true).sum())

        from scipy.optimize import minimize_scalar  # which predictions need not wait for

        found = minimize_scalar(loss, bounds=(0.1, 10.0), method="bounded")
        return float(found.x)

    @cached_property
    def _maps(self) -> list[Callable[[Matrix], Matrix]]:
        of_two = self.scores.shape[1] == 1
        kind = _Sigmoid if self.kind == "sigmoid" else _Isotonic
        return [
            kind(column, self.labels == (1 if of_two else output))
            for output, column in enumerate(self.scores.T)
        ]

    # -- files ----------------------------------------------------------------------------------------------

    def arrays(self) -> dict[str, Matrix]:
        return {"scores": self.scores, "labels": self.labels}

    @classmethod
    def from_arrays(cls, kind: str, arrays: dict[str, Matrix], n_classes: int) -> Self:
        """What `arrays` gave; a ValueError when that cannot be."""
        scores = stored(arrays, "scores", np.float64, None, 1 if n_classes == 2 else n_classes)
        labels = stored(arrays, "labels", np.int32, len(scores))
        if len(labels) == 0:
            raise ValueError("there must be at least one held-out example")
        if (labels < 0).any() or (labels >= n_classes).any():
            raise ValueError("labels of held-out examples must be numbers of classes")
        return cls(kind, scores, labels)


def cross_validated(
    kind: str, labels: Matrix, counted: Matrix, score: Callable[[Matrix, Matrix], Matrix]
) -> HeldOut:
    """Scores of the examples that count, each by a predictor that has learned from the other parts.

    ``score(learned, held)`` gives the scores of the examples ``held``, in one array, after learning from ``learned``.
    """
    scores: dict[int, Matrix] = {}
    for learned, held in parts(labels):
        scores.update(zip(held.tolist(), score(learned, held).reshape(len(held), -1), strict=True))
    examples = [number for number in sorted(scores) if counted[number]]
    if not examples:
        raise ValueError("probability needs examples to hold out: at least two of each class")
    return HeldOut.of(kind, np.stack([scores[number] for number in examples]), labels[examples])


def parts(labels: Matrix) -> list[tuple[Matrix, Matrix]]:
    """Numbers of the examples to learn from and of those to hold out, part by part.

    Every class has its share of each part; the only example of a class is never held out.
    """
    order = np.random.RandomState(0).permutation(len(labels))
    order = order[np.argsort(labels[order], kind="stable")]  # class by class
    part_of = np.empty(len(labels), dtype=np.int64)
    part_of[order] = np.arange(len(labels)) % N_PARTS
    part_of[np.bincount(labels)[labels] == 1] = -1
    found = [(np.flatnonzero(part_of != part), np.flatnonzero(part_of == part)) for part in range(N_PARTS)]
    return [(learned, held) for learned, held in found if len(held)]


def logistic(scores: Matrix) -> Matrix:
    """Probabilities of classes, for scores that were learned with the logistic loss, each class against the rest."""
    chances = expit(scores)
    return both(chances) if scores.ndim == 1 else normalised(chances)


def both(second: Matrix) -> Matrix:
    """Of two classes, given that of the second."""
    return np.stack([1 - second, second], axis=1)


def normalised(values: Matrix) -> Matrix:
    """Rows that add up to 1; all classes alike where nothing speaks for any."""
    sums = values.sum(axis=1, keepdims=True)
    return np.where(sums > 0, values / np.where(sums > 0, sums, 1.0), 1 / values.shape[1])


def _columns(scores: Matrix) -> Matrix:
    return scores[:, None] if scores.ndim == 1 else scores


class _Sigmoid:
    """``1 / (1 + exp(-(slope score + offset)))`` of greatest likelihood, by Newton's method.

    Targets are ``(n+ + 1) / (n+ + 2)`` and ``1 / (n- + 2)`` instead of 1 and 0: J. Platt: Probabilistic outputs for
    support vector machines, 1999; H.-T. Lin, C.-J. Lin, R. C. Weng: A note on Platt's probabilistic outputs, 2007.
    """

    def __init__(self, scores: Matrix, positive: Matrix) -> None:
        n_positive = int(positive.sum())
        n_negative = len(positive) - n_positive
        targets = np.where(positive, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))
        self.scale = float(np.abs(scores).max(initial=0.0)) or 1.0  # scores may be of any size
        rows = np.stack([scores / self.scale, np.ones(len(scores))], axis=1)
        self.weights = np.array([0.0, np.log((n_positive + 1) / (n_negative + 1))])
        loss = self._loss(rows, targets, self.weights)
        for _ in range(100):
            chances = expit(rows @ self.weights)
            gradient = rows.T @ (chances - targets)
            curvature = (rows.T * (chances * (1 - chances))) @ rows + 1e-12 * np.eye(2)
            step, size = np.linalg.solve(curvature, gradient), 1.0
            if float(gradient @ step) <= 1e-12 * max(loss, 1e-300):
                break
            while size > 1e-10:
                tried = self.weights - size * step
                tried_loss = self._loss(rows, targets, tried)
                if tried_loss < loss - 1e-4 * size * float(gradient @ step):
                    self.weights, loss = tried, tried_loss
                    break
                size /= 2
            else:
                break  # rounding is all that is left

    @staticmethod
    def _loss(rows: Matrix, targets: Matrix, weights: Matrix) -> float:
        values = rows @ weights
        return float((np.logaddexp(0.0, values) - targets * values).sum())

    def __call__(self, scores: Matrix) -> Matrix:
        slope, offset = self.weights
        chances: Matrix = expit(slope * (scores / self.scale) + offset)
        return chances


class _Isotonic:
    def __init__(self, scores: Matrix, positive: Matrix) -> None:
        from sklearn.isotonic import IsotonicRegression  # which loads much of scipy

        self.map = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip")
        self.map.fit(scores, positive.astype(np.float64))

    def __call__(self, scores: Matrix) -> Matrix:
        chances: Matrix = self.map.predict(scores)
        return chances
