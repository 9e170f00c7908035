"""Linear online learners in slow, readable Python on dense rows, as their papers print them.

A learner here is a function of ``(X, y, ...)`` that goes through the rows in order and returns a `Run`, which has
every predictor, so that averages and votes are computed by their definitions. For a bias, append a column of ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import exp, inf, sqrt
from typing import Any

import numpy as np

Vector = np.ndarray[Any, Any]
Step = Callable[[Vector, Vector], Vector]


@dataclass
class Run:
    """The predictor after each example, and the mistakes with the predictors and gradients that made them."""

    predictors: list[Vector] = field(default_factory=list)
    mistakes: list[int] = field(default_factory=list)
    wrong: list[Vector] = field(default_factory=list)
    gradients: list[Vector] = field(default_factory=list)

    @property
    def last(self) -> Vector:
        return self.predictors[-1]

    def average(self) -> Vector:
        return np.mean(self.predictors, axis=0)

    def votes(self, X: Vector) -> Vector:
        return np.mean([np.sign(X @ w) for w in self.predictors], axis=0)


def slope(loss: str, margin: float) -> float:
    """The derivative of the loss."""
    if loss == "hinge":
        return -1.0 if margin < 1 else 0.0
    if loss == "logistic":
        return -1 / (1 + exp(margin))
    return -exp(-margin)


def shrink(values: Vector, threshold: Any) -> Vector:
    return np.sign(values) * np.maximum(np.abs(values) - threshold, 0)


def run(
    X: Vector,
    y: Vector,
    loss: str,
    update: str,
    weight: Vector | None,
    step: Callable[[Vector, Vector], Vector],
) -> Run:
    """``step(w, gradient)`` is the next predictor."""
    result = Run()
    w = np.zeros(X.shape[1])
    for t, x in enumerate(X):
        importance = 1.0 if weight is None else weight[t]
        if importance == 0:
            continue
        margin = y[t] * float(w @ x)
        gradient = importance * slope(loss, margin) * y[t] * x
        if margin <= 0:
            result.mistakes.append(t)
            result.wrong.append(w)
            result.gradients.append(gradient)
        if update == "all" or margin <= 0:
            w = step(w, gradient)
        result.predictors.append(w)
    return result


def rda(
    X: Vector,
    y: Vector,
    loss: str = "hinge",
    l1: float = 0.0,
    l2: float = 0.0,
    learning_rate: float | None = 1.0,
    update: str = "all",
    weight: Vector | None = None,
) -> Run:
    s, k = np.zeros(X.shape[1]), 0

    def step(_: Vector, gradient: Vector) -> Vector:
        nonlocal s, k
        s, k = s + gradient, k + 1
        if learning_rate is None:
            return -shrink(s / k, l1) / l2
        rate = learning_rate * sqrt(k)
        return -rate * shrink(s / k, l1) / (1 + l2 * rate)

    return run(X, y, loss, update, weight, step)


def adagrad_rda(
    X: Vector,
    y: Vector,
    loss: str = "hinge",
    l1: float = 0.0,
    l2: float = 0.0,
    learning_rate: float = 1.0,
    update: str = "all",
    weight: Vector | None = None,
) -> Run:
    s, squares, k = np.zeros(X.shape[1]), np.zeros(X.shape[1]), 0

    def step(_: Vector, gradient: Vector) -> Vector:
        nonlocal s, squares, k
        s, squares, k = s + gradient, squares + gradient**2, k + 1
        rate = learning_rate * k / (1e-8 + np.sqrt(squares))
        return -rate * shrink(s / k, l1) / (1 + l2 * rate)

    return run(X, y, loss, update, weight, step)


def fobos(
    X: Vector,
    y: Vector,
    loss: str = "hinge",
    l1: float = 0.0,
    l2: float = 0.0,
    learning_rate: float = 1.0,
    update: str = "all",
    weight: Vector | None = None,
) -> Run:
    t = 0

    def step(w: Vector, gradient: Vector) -> Vector:
        nonlocal t
        t += 1
        eta = learning_rate / sqrt(t)
        return shrink(w - eta * gradient, eta * l1) / (1 + eta * l2)

    return run(X, y, loss, update, weight, step)


def truncated_gradient(
    X: Vector,
    y: Vector,
    loss: str = "hinge",
    l1: float = 0.0,
    learning_rate: float = 0.1,
    schedule: str = "constant",
    truncate_every: int = 1,
    threshold: float = inf,
    weight: Vector | None = None,
) -> Run:
    rates: list[float] = []

    def step(w: Vector, gradient: Vector) -> Vector:
        t = len(rates) + 1
        rates.append(learning_rate if schedule == "constant" else learning_rate / sqrt(t))
        w = w - rates[-1] * gradient
        if t % truncate_every:
            return w
        gravity = l1 * sum(rates[-truncate_every:])
        return np.where(np.abs(w) <= threshold, shrink(w, gravity), w)

    return run(X, y, loss, "all", weight, step)
