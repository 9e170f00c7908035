"""Learners of all classes at once in slow, readable Python: the oracle of ``multiclass="direct"``.

Labels are numbers of classes. An example changes the function of its class and that of the wrong class with the highest
score, the first of equal ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np

Vector = np.ndarray[Any, Any]


@dataclass
class Run:
    """Coefficients (classes by examples, or by features) and biases after each example, and the mistakes."""

    coefficients: Vector
    biases: Vector
    mistakes: int = 0
    radius: float = 0.0  # the largest K(x, x) so far
    history: list[tuple[Vector, Vector]] = field(default_factory=list)
    changed: list[bool] = field(default_factory=list)

    def values(self, K: Vector) -> Vector:
        return (self.coefficients @ K + self.biases[:, None]).T

    def averaged(self, K: Vector, counting: str = "examples") -> Vector:
        counted = [
            (beta @ K + bias[:, None]).T
            for (beta, bias), changed in zip(self.history, self.changed, strict=True)
            if counting == "examples" or not changed
        ]
        return np.mean(counted, axis=0) if counted else self.values(K)


Step = Callable[
    [Run, int, int, int, float], bool
]  # example, right class, rival, margin: whether it has changed


def run(K: Vector, y: Vector, n_classes: int, step: Step, width: int | None = None) -> Run:
    """K: a column for each example, which coefficients are multiplied with."""
    state = Run(np.zeros((n_classes, len(K) if width is None else width)), np.zeros(n_classes))
    for t, right in enumerate(y):
        scores = state.coefficients @ K[:, t] + state.biases
        rival = max((k for k in range(n_classes) if k != right), key=lambda k: scores[k])
        margin = scores[right] - scores[rival]
        state.mistakes += margin <= 0
        state.changed.append(step(state, t, right, rival, margin))
        state.history.append((state.coefficients.copy(), state.biases.copy()))
    return state


def perceptron(K: Vector, y: Vector, n_classes: int, bias: bool = False, weight: Vector | None = None) -> Run:
    def step(state: Run, t: int, right: int, rival: int, margin: float) -> bool:
        state.radius = max(state.radius, K[t, t])
        if margin > 0:
            return False
        w = 1.0 if weight is None else weight[t]
        for k, sign in ((right, 1), (rival, -1)):
            state.coefficients[k, t] += sign * w
            if bias:
                state.biases[k] += sign * w * state.radius
        return True

    return run(K, y, n_classes, step)


def passive_aggressive(
    K: Vector,
    y: Vector,
    n_classes: int,
    variant: str = "PA-I",
    C: float = 1.0,
    dynamic: bool = False,
    weight: Vector | None = None,
) -> Run:
    mistakes = 0

    def step(state: Run, t: int, right: int, rival: int, margin: float) -> bool:
        nonlocal mistakes
        loss, squared = 1 - margin, 2 * K[t, t]
        if loss <= 0:
            return False
        c = C * (1.0 if weight is None else weight[t]) / (sqrt(1 + mistakes) if dynamic else 1)
        mistakes += loss >= 1
        if squared == 0:
            return False
        tau = {"PA": loss / squared, "PA-I": min(c, loss / squared), "PA-II": loss / (squared + 1 / (2 * c))}[
            variant
        ]
        state.coefficients[right, t] += tau
        state.coefficients[rival, t] -= tau
        return True

    return run(K, y, n_classes, step)


def arow(
    X: Vector, y: Vector, n_classes: int, r: float = 1.0, bias: bool = False, weight: Vector | None = None
) -> Run:
    """On weights: coefficients are those of features, the last that of the bias, if there is one."""
    if bias:
        X = np.hstack([X, np.ones((len(X), 1))])
    variances = np.ones((n_classes, X.shape[1]))

    def step(state: Run, t: int, right: int, rival: int, margin: float) -> bool:
        x, loss = X[t], 1 - margin
        v = variances[right] @ x**2 + variances[rival] @ x**2
        if loss <= 0 or v == 0:
            return False
        beta = 1 / (v + r / (1.0 if weight is None else weight[t]))
        for k, sign in ((right, 1), (rival, -1)):
            state.coefficients[k] += sign * loss * beta * variances[k] * x
            variances[k] -= beta * (variances[k] * x) ** 2
        return True

    return run(X.T, y, n_classes, step, X.shape[1])
