"""Joint kernels: coordinates for pairs of an input and an output that are known by their products only.

Pairs that are met in training get coordinates by a Cholesky factor of their Gram matrix, K = L L', which grows by a row
for a pair that is not in the span of those before it. Weights are sums of such pairs, so the product of weights w with
any pair p, met or not, is exact: F(p) = sum_j b_j K(p_j, p), where L'b = w.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from scipy.linalg import solve_triangular

from hedgerow.kernels.base import Matrix
from hedgerow.structured.answers import checked_product

if TYPE_CHECKING:
    from hedgerow.structured.problem import Problem

Scores: TypeAlias = Callable[[Any, Any], float]  # F(x, y)
DEPENDENT = 1e-10  # of a squared length: less than that outside the span is rounding
ROUNDING = 1e-13  # of the largest coefficient
NEGATIVE = -1e-6  # less than that is not rounding: the kernel has no feature space


class KnownPairs:
    """Pairs that span the space so far, and their Cholesky factor."""

    def __init__(self) -> None:
        self.pairs: list[tuple[Any, Any]] = []
        self._factor = np.zeros((0, 0))  # with rows to spare

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def factor(self) -> Matrix:
        """L, lower triangular."""
        n = len(self.pairs)
        return self._factor[:n, :n]

    def coordinates(self, x: Any, y: Any, products: Matrix, squared_norm: float) -> Matrix:
        """Of a pair with these products with the pairs so far; it may add a dimension."""
        inside: Matrix = solve_triangular(self.factor, products, lower=True, check_finite=False)
        left = squared_norm - float(inside @ inside)
        if not left > NEGATIVE * max(squared_norm, 0.0) or not squared_norm >= 0:
            raise ValueError(
                f"joint_kernel is not positive semi-definite: the pair ({x!r}, {y!r}) has a squared length of "
                f"{left:.3g} outside the span of {len(self)} others (its own kernel value is {squared_norm:.3g})"
            )
        if left <= DEPENDENT * squared_norm:
            return inside
        n = len(self.pairs)
        if n == len(self._factor):
            grown = np.zeros((2 * n + 16, 2 * n + 16))
            grown[:n, :n] = self._factor
            self._factor = grown
        self._factor[n, :n] = inside
        self._factor[n, n] = left**0.5
        self.pairs.append((x, y))
        return self._factor[n, : n + 1].copy()

    def coefficients(self, weights: Matrix) -> Matrix:
        """b: of the pairs in the sum that the weights are."""
        n = min(len(weights), len(self.pairs))
        found: Matrix = solve_triangular(
            self._factor[:n, :n], weights[:n], lower=True, trans="T", check_finite=False
        )
        found[np.abs(found) <= ROUNDING * np.abs(found).max(initial=0.0)] = 0.0
        return found


def expansion(problem: Problem, weights: Matrix) -> Scores:
    """F as a sum of kernel values."""
    known = problem.pairs_
    coefficients = known.coefficients(weights)
    support = [(x, y, b) for (x, y), b in zip(known.pairs, coefficients, strict=False) if b != 0]
    return lambda x, y: float(sum(b * problem.joint_kernel(x2, y2, x, y) for x2, y2, b in support))


class TrainingPairs:
    """Products of training inputs' pairs with the known ones, which are computed once."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._kept: dict[Any, list[float]] = {}

    def scores(self, weights: Matrix) -> Scores:
        """F, for pairs of training inputs."""
        coefficients = self._problem.pairs_.coefficients(weights)
        return lambda x, y: float(coefficients @ self._products(x, y, len(coefficients)))

    def coordinates(self, x: Any, y: Any) -> Matrix:
        """Of a pair, which may add a dimension."""
        known = self._problem.pairs_
        norm = checked_product(self._problem.joint_kernel(x, y, x, y), x, y)
        return known.coordinates(x, y, self._products(x, y, len(known)), norm)

    def _products(self, x: Any, y: Any, n: int) -> Matrix:
        """With the first n known pairs."""
        values: list[float] = []
        # Training inputs live as long as this does, so that their ids are their own. Outputs that cannot be hashed
        # are computed again.
        with suppress(TypeError):
            values = self._kept.setdefault((id(x), y), values)
        for x2, y2 in self._problem.pairs_.pairs[len(values) : n]:
            values.append(checked_product(self._problem.joint_kernel(x2, y2, x, y), x, y))
        return np.array(values[:n])
