"""FTRL, AROW and SCW in slow, readable Python on dense rows, as their papers print them.

A learner here is a function of ``(X, y, ...)`` that returns the predictor after each example. For a bias, append a
column of ones.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Any

import numpy as np

Vector = np.ndarray[Any, Any]


def ftrl(
    X: Vector, y: Vector, loss: str, alpha: float, beta: float, l1: float, l2: float, weight: Vector
) -> list[Vector]:
    z, n, w = np.zeros(X.shape[1]), np.zeros(X.shape[1]), np.zeros(X.shape[1])
    predictors = []
    for x, label, c in zip(X, y, weight, strict=True):
        if c == 0:
            continue
        margin = label * float(w @ x)
        slope = {
            "hinge": -1.0 if margin < 1 else 0.0,
            "logistic": -1 / (1 + exp(margin)),
            "exponential": -exp(-margin),
        }[loss]
        g = c * slope * label * x
        sigma = (np.sqrt(n + g**2) - np.sqrt(n)) / alpha
        z, n = z + g - sigma * w, n + g**2
        w = np.where(np.abs(z) <= l1, 0.0, -(z - np.sign(z) * l1) / ((beta + np.sqrt(n)) / alpha + l2))
        predictors.append(w)
    return predictors


def arow(X: Vector, y: Vector, r: float, weight: Vector) -> list[Vector]:
    mean, variance = np.zeros(X.shape[1]), np.ones(X.shape[1])
    predictors = []
    for x, label, c in zip(X, y, weight, strict=True):
        if c == 0:
            continue
        loss = 1 - label * float(mean @ x)
        if loss > 0 and x.any():
            beta = 1 / (float(variance @ x**2) + r / c)
            mean = mean + beta * loss * label * variance * x
            variance = variance - beta * variance**2 * x**2
        predictors.append(mean)
    return predictors


def scw(X: Vector, y: Vector, variant: str, C: float, phi: float, weight: Vector) -> list[Vector]:
    mean, variance = np.zeros(X.shape[1]), np.ones(X.shape[1])
    psi, zeta = 1 + phi**2 / 2, 1 + phi**2
    predictors = []
    for x, label, c in zip(X, y, weight, strict=True):
        if c == 0:
            continue
        v, m = float(variance @ x**2), label * float(mean @ x)
        if phi * sqrt(v) - m > 0:
            if variant == "SCW-I":
                root = sqrt(m**2 * phi**4 / 4 + v * phi**2 * zeta)
                alpha = min(c * C, max(0.0, (-m * psi + root) / (v * zeta)))
            else:
                n = v + 1 / (2 * c * C)
                gamma = phi * sqrt(phi**2 * m**2 * v**2 + 4 * n * v * (n + v * phi**2))
                alpha = max(0.0, (-(2 * m * n + phi**2 * m * v) + gamma) / (2 * (n**2 + n * v * phi**2)))
            u = (-alpha * v * phi + sqrt(alpha**2 * v**2 * phi**2 + 4 * v)) ** 2 / 4
            beta = alpha * phi / (sqrt(u) + v * alpha * phi)
            mean = mean + alpha * label * variance * x
            variance = variance - beta * variance**2 * x**2
        predictors.append(mean)
    return predictors
