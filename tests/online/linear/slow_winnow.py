"""The Winnows in slow, readable Python, on dense examples and with every predictor kept: the oracle of the native ones.

Section 2.2 of Carvalho and Cohen (2006), line by line. The always-on feature is the last.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

Vector = np.ndarray[Any, Any]
Kind = Literal["positive", "balanced", "modified"]


class SlowWinnow:
    def __init__(
        self,
        kind: Kind,
        width: int,
        promotion: float = 1.5,
        demotion: float = 0.5,
        threshold: float = 1.0,
        margin: float = 0.0,
        initial: tuple[float, float] = (2.0, 1.0),
        max_features: int | None = None,
        top: float = 0.9,
    ) -> None:
        self.kind, self.promotion, self.demotion = kind, promotion, demotion
        self.threshold, self.margin = threshold, margin
        self.initial = (initial[0], 0.0) if kind == "positive" else initial
        self.max_features, self.top = max_features, top
        self.u = np.full(width + 1, self.initial[0])
        self.v = np.full(width + 1, self.initial[1])
        self.in_model = np.zeros(width, dtype=bool)
        self.predictors: list[Vector] = []  # u - v after each example
        self.scores: list[float] = []  # of each example before it was learned from
        self.mistakes = 0

    def score(self, x: Vector, w: Vector) -> float:
        """w.z - threshold for x scaled to z of sum 1; the threshold inside the sum, so that ties are exact."""
        augmented = np.append(x, 1.0)
        return float(augmented @ (w - self.threshold)) / float(augmented.sum())

    def learn(self, x: Vector, y: float, weight: float = 1.0) -> None:
        score = self.score(x, self.u - self.v)
        self.scores.append(score)
        self.mistakes += y * score <= 0
        self.in_model |= x > 0
        if y * score <= self.margin:
            augmented = np.append(x, 1.0)
            z = augmented / augmented.sum()
            there = z > 0
            z = z if self.kind == "modified" else np.zeros_like(z)
            up = ((self.promotion * (1 + z)) ** weight)[there]
            down = ((self.demotion * (1 - z)) ** weight)[there]
            self.u[there] *= up if y > 0 else down
            self.v[there] *= down if y > 0 else up
            np.clip(self.u, 1e-100, 1e100, out=self.u)
            if self.kind != "positive":
                np.clip(self.v, 1e-100, 1e100, out=self.v)
        self.predictors.append(self.u - self.v)
        if self.max_features is not None and self.in_model.sum() > 2 * self.max_features:
            self.select()

    def select(self) -> None:
        assert self.max_features is not None
        features = np.flatnonzero(self.in_model)
        kept = brute_force_selection(features, np.abs(self.u - self.v)[features], self.max_features, self.top)
        gone = np.setdiff1d(features, kept)
        self.in_model[gone] = False
        self.u[gone], self.v[gone] = self.initial
        for predictor in self.predictors:  # forgotten as if it had never come
            predictor[gone] = self.initial[0] - self.initial[1]

    def decisions(self, X: Vector, averaging: str | None) -> Vector:
        known = np.where(self.in_model, X, 0.0)
        if averaging is None:
            return np.array([self.score(x, self.u - self.v) for x in known])
        values = np.array([[self.score(x, w) for w in self.predictors] for x in known])
        return np.mean(values if averaging == "average" else np.sign(values), axis=1)


def brute_force_selection(features: Vector, scores: Vector, k: int, top: float) -> Vector:
    """Features in the order of their scores, the larger first: so many from its begin, the rest of k from its end."""
    order = sorted(range(len(features)), key=lambda i: (-scores[i], features[i]))
    if len(order) > k:
        from_top = int(np.floor(top * k + 0.5))
        order = order[:from_top] + order[len(order) - (k - from_top) :]
    return np.array(sorted(features[i] for i in order), dtype=np.int64)
