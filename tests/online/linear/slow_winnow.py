"""The Winnows in slow, readable Python, on dense examples and with every predictor kept: the oracle of the native ones.

Section 2.2 of Carvalho and Cohen (2006), line by line. The always-on feature is the last.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

Vector = np.ndarray[Any, Any]
Kind = Literal["positive", "balanced", "modified", "regret"]


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
        averaging: str | None = None,
        counting: str = "examples",
        half_life: float | None = None,
        only_mistakes: bool = True,
    ) -> None:
        self.kind, self.promotion, self.demotion = kind, promotion, demotion
        self.threshold, self.margin = threshold, margin
        self.counting, self.half_life, self.only_mistakes = counting, half_life, only_mistakes
        self.initial = initial if kind in ("balanced", "modified") else (initial[0], 0.0)
        self.max_features, self.top, self.averaging = max_features, top, averaging
        self.u = np.full(width + 1, self.initial[0])
        self.v = np.full(width + 1, self.initial[1])
        self.in_model = np.zeros(width, dtype=bool)
        self.examples = np.zeros(width)  # that had the feature since it came
        self.predictors: list[Vector] = []  # u - v after each example
        self.changed: list[bool] = []  # by the example
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
        self.examples += x > 0
        changed = y * score <= self.margin
        if self.kind == "regret":
            changed = self.lower_regret(np.append(x, 1.0) > 0, y, y * score <= 0, weight)
        elif y * score <= self.margin:
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
        if self.max_features is not None and self.in_model.sum() > 16 * self.max_features:
            self.make_room(8 * self.max_features)
        self.predictors.append(self.u - self.v)
        self.changed.append(changed)

    def lower_regret(self, there: Vector, y: float, mistake: bool, weight: float) -> bool:
        exponent = (
            float(y < 0) - self.demotion * mistake
        )  # Blum and Mansour: w = decay^-R, R += decay l - l_j
        if exponent == 0 or (self.only_mistakes and not mistake):
            return False
        self.u[there] *= self.demotion ** (weight * exponent)
        return True

    def make_room(self, k: int) -> None:
        features, sizes = np.flatnonzero(self.in_model), np.abs(self.final_weights())
        from_top = int(np.floor(self.top * k + 0.5))
        frequent = brute_force_selection(features, (sizes * self.examples)[features], from_top, 1.0)
        others = np.setdiff1d(features, frequent)
        small = brute_force_selection(others, sizes[others] / self.examples[others], k - from_top, 0.0)
        self.keep_only(np.concatenate([frequent, small]))

    def keep_only(self, kept: Vector) -> None:
        gone = np.setdiff1d(np.flatnonzero(self.in_model), kept)
        self.in_model[gone] = False
        self.examples[gone] = 0
        self.u[gone], self.v[gone] = self.initial
        for predictor in self.predictors:  # forgotten as if it had never come
            predictor[gone] = self.initial[0] - self.initial[1]

    def final_weights(self) -> Vector:
        """Of the features, as predictions use them; for votes, those of the last predictor."""
        mean = self.averaging == "average" and self.predictors
        return (self.averaged(np.array(self.predictors)) if mean else self.u - self.v)[:-1]

    def averaged(self, values: Vector) -> Vector:
        """Of what all predictors have, by what they count."""
        count = counts_of(self.changed, self.counting, self.half_life)
        mean: Vector = count @ values / count.sum()
        return mean

    def chosen(self, k: int, top: float) -> Vector:
        features = np.flatnonzero(self.in_model)
        return brute_force_selection(features, np.abs(self.final_weights())[features], k, top)

    def decisions(self, X: Vector) -> Vector:
        seen = np.zeros_like(self.in_model)
        seen[self.chosen(self.max_features or len(seen), self.top)] = True
        known = np.where(seen, X, 0.0)
        if self.averaging is None:
            return np.array([self.score(x, self.u - self.v) for x in known])
        values = np.array([[self.score(x, w) for x in known] for w in self.predictors])
        return self.averaged(values if self.averaging == "average" else np.sign(values))


def counts_of(changed: list[bool], counting: str, half_life: float | None = None) -> Vector:
    """What the predictor after each example counts: as in table 1, or 1 more for the example that made it."""
    count = np.array([float(counting == "examples" or not new) for new in changed])
    if half_life is not None:
        count *= 0.5 ** (np.arange(len(count))[::-1] / half_life)
    if count.sum() == 0:
        count[-1] = 1
    return count


def brute_force_selection(features: Vector, scores: Vector, k: int, top: float) -> Vector:
    """Features in the order of their scores, the larger first: so many from its begin, the rest of k from its end."""
    order = sorted(range(len(features)), key=lambda i: (-scores[i], features[i]))
    if len(order) > k:
        from_top = int(np.floor(top * k + 0.5))
        order = order[:from_top] + order[len(order) - (k - from_top) :]
    return np.array(sorted(features[i] for i in order), dtype=np.int64)
