"""Kernel matrices of outputs as products of features: exact features for any similarity."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg
from scipy import sparse

from hedgerow.kernels.base import Matrix

# Eigenvalues below this share of the largest are what rounding makes of 0.
_ROUNDING = 1e-12


class Factor:
    """Features of outputs whose products are the values of a kernel: L = Lambda Lambda'.

    Parameters
    ----------
    gram : the kernel between known outputs
    name : what it is called in messages

    Attributes
    ----------
    features : Lambda, a row for each known output and as many columns as the gram has rank
    """

    def __init__(self, gram: Any, name: str):
        values, vectors = _eigen(gram, name)
        self.features: Matrix = vectors * np.sqrt(values)
        self._whiten: Matrix = vectors / np.sqrt(values)

    def features_of(self, products: Matrix) -> Matrix:
        """Features of new outputs, by their kernel values with the known ones (columns).

        Exact for all that is learned: their products with known outputs are right, and weights lie in the span of
        these.
        """
        return products @ self._whiten


def _eigen(gram: Any, name: str) -> tuple[Matrix, Matrix]:
    """Positive eigenvalues and their vectors."""
    matrix = gram.toarray() if sparse.issparse(gram) else np.asarray(gram, dtype=np.float64)
    if not np.allclose(matrix, matrix.T, rtol=1e-8, atol=0):
        i, j = np.argwhere(~np.isclose(matrix, matrix.T, rtol=1e-8, atol=0))[0]
        raise ValueError(f"{name} must be symmetric, but has {matrix[i, j]} and {matrix[j, i]} at {(i, j)}")
    values, vectors = scipy.linalg.eigh((matrix + matrix.T) / 2)
    largest = max(float(values[-1]), 0.0)
    if largest == 0.0:
        raise ValueError(f"{name} must not be zero everywhere")
    if values[0] < -1e-8 * largest:
        raise ValueError(f"{name} must be positive semi-definite, but has the eigenvalue {values[0]:.3g}")
    kept = values > _ROUNDING * len(values) * largest
    return values[kept], vectors[:, kept]
