"""The support vector machine as a plain quadratic program, solved by a general solver."""

from __future__ import annotations

from typing import Any

import numpy as np
import piqp

Array = np.ndarray[Any, Any]


def solve_dual(
    gram: Array, y: Array, upper: Array, *, bias: bool = True, squared: bool = False
) -> tuple[Array, float]:
    """Coefficients y_i alpha_i and the objective ``sum alpha - 1/2 alpha'Q alpha``, to 1e-9 or so."""
    n = len(y)
    Q = y[:, None] * y[None, :] * gram
    Q = (Q + Q.T) / 2
    if squared:
        Q = Q + np.diag(1 / (2 * upper))
    solver = piqp.DenseSolver()
    solver.settings.eps_abs = solver.settings.eps_rel = 1e-11
    solver.settings.max_iter = 500
    equality = (y[None, :].astype(float), np.zeros(1)) if bias else (None, None)
    solver.setup(
        Q,
        -np.ones(n),
        *equality,
        None,
        None,
        None,
        np.zeros(n),
        None if squared else np.asarray(upper, float),
    )
    solver.solve()
    alpha = np.clip(solver.result.x, 0, np.inf if squared else upper)
    return y * alpha, float(alpha.sum() - alpha @ Q @ alpha / 2)


def primal(gram: Array, y: Array, costs: Array, coefficients: Array, bias: float = 0.0) -> float:
    """``1/2 |w|^2 + sum costs max(0, 1 - y f)``."""
    values = gram @ coefficients
    return float(coefficients @ values / 2 + costs @ np.maximum(0, 1 - y * (values + bias)))
