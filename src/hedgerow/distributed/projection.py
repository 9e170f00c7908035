"""Functions over many supports brought down to few, as close to what they were as can be.

Orthogonal matching pursuit: of all supports the one is chosen next whose span takes most of what is left of the
functions, all of them together,

    sum over functions c of  r_c(x)^2 / d(x),

r the part of the functions that the chosen ones do not span, d the squared distance of K(x, .) from their span. Columns
of a pivoted Cholesky factor, one for each chosen support, give both for all supports, so the Gram matrix of all of them
is never there, only its columns of those that are chosen. At the end the functions are projected onto the span.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import solve_triangular

from hedgerow.kernels.base import Kernel, Matrix
from hedgerow.models import Expansion

DEPENDENT = 1e-10  # squared distance from the span, relative to K(x, x), that cannot be told from 0


@dataclass
class Projected:
    """What is left of an expansion."""

    chosen: Matrix  # places of the supports that stay, in the order of their choice
    coefficients: Matrix  # theirs, a column for each function
    factor: Matrix  # the lower Cholesky factor of their Gram matrix
    error: float  # |f - projected f| / |f|, all functions together


def project(kernel: Kernel, X: Any, coefficients: Matrix, budget: int | None) -> Projected:
    """At most `budget` of the supports X, or as many as are independent, with the best coefficients for them."""
    n, functions = coefficients.shape
    prepared = kernel._prepare(X)
    f = Expansion(kernel, functions)
    f.add(X, coefficients)
    left = f.decision_function(X)  # of what is left of the functions, at all supports
    distance = kernel._diag(prepared).astype(np.float64)
    least = DEPENDENT * distance
    squared_norm = max(float((coefficients * left).sum()), 0.0)
    most = n if budget is None else min(n, budget)
    columns = np.zeros((most, n))  # of the factor, each a row here
    parts = np.zeros((most, functions))  # of the functions along the orthonormal directions
    chosen: list[int] = []
    for step in range(most):
        free = distance > least
        free[chosen] = False
        gain = np.where(free, (left**2).sum(axis=1) / np.where(free, distance, 1), -1)
        best = int(np.argmax(gain))
        if gain[best] < 0:
            break
        length = np.sqrt(distance[best])
        column = kernel(X, X[best : best + 1])[:, 0]
        column = (column - columns[:step, best] @ columns[:step]) / length
        parts[step] = left[best] / length
        left -= np.outer(column, parts[step])
        distance -= column**2
        columns[step] = column
        chosen.append(best)
    size = len(chosen)
    factor = np.tril(columns[:size, chosen].T)
    found = solve_triangular(factor, parts[:size], lower=True, trans="T")
    error = max(squared_norm - float((parts[:size] ** 2).sum()), 0.0)
    return Projected(
        np.array(chosen, dtype=np.int64),
        np.ascontiguousarray(found),
        factor,
        float(np.sqrt(error / squared_norm)) if squared_norm > 0 else 0.0,
    )
