"""Functions over support vectors that are known only by their kernel values."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_array

from hedgerow.kernels.base import Matrix


class PrecomputedExpansion:
    """What a native expansion is for other kernels: supports are columns of the matrices to be scored."""

    def __init__(self, functions: int) -> None:
        self._numbers = np.zeros(0, dtype=np.int64)
        self._coefficients = np.zeros((0, functions))
        self._biases = np.zeros(functions)

    def add_supports(self, numbers: Matrix, coefficients: Matrix) -> None:
        self._numbers, self._coefficients = numbers, coefficients

    def set_bias(self, function: int, bias: float) -> None:
        self._biases[function] = bias

    def decisions(self, kernel_values: Matrix, threads: int, single: bool) -> Matrix:
        """Row-major, as the native expansion gives them."""
        return (kernel_values[:, self._numbers] @ self._coefficients + self._biases).ravel()

    @property
    def support_count(self) -> int:
        return len(self._numbers)

    def support_numbers(self) -> Matrix:
        return self._numbers.copy()

    def coefficients(self) -> Matrix:
        return self._coefficients.T.ravel()

    def biases(self) -> Matrix:
        return self._biases.copy()

    def save(self) -> dict[str, Matrix]:
        return {
            "numbers": self._numbers,
            "coefficients": self._coefficients.ravel(),
            "biases": self._biases,
        }

    def load(self, arrays: dict[str, Any]) -> None:
        functions = len(self._biases)
        numbers, biases = np.asarray(arrays["numbers"]), np.asarray(arrays["biases"])
        coefficients = np.asarray(arrays["coefficients"])
        if biases.shape != (functions,) or coefficients.shape != (len(numbers) * functions,):
            raise ValueError("the arrays of the model do not fit together")
        self._numbers, self._biases = numbers, biases
        self._coefficients = coefficients.reshape(-1, functions)


def check_gram(X: Any, estimator: str) -> Matrix:
    """Kernel values between all examples: a square, symmetric matrix of finite numbers."""
    gram = _as_matrix(X, estimator)
    if gram.shape[0] != gram.shape[1]:
        raise ValueError(
            f"with kernel='precomputed' X must be a square matrix of kernel values, got the shape {gram.shape}"
        )
    # Row by row, so that a large matrix is not copied.
    largest = float(np.abs(gram).max(initial=0.0))
    for i in range(len(gram)):
        if not np.allclose(gram[i], gram[:, i], rtol=1e-5, atol=1e-6 * largest):
            raise ValueError(f"with kernel='precomputed' X must be symmetric; row {i} and column {i} differ")
    return gram


def check_kernel_values(X: Any, n_columns: int, estimator: str) -> Matrix:
    """Kernel values between items to be scored (rows) and the examples of the fit (columns)."""
    values = _as_matrix(X, estimator)
    if values.shape[1] != n_columns:
        raise ValueError(
            f"X has {values.shape[1]} features, but {estimator} is expecting {n_columns} features as input: "
            "the kernel values with all examples that it was fitted with"
        )
    return values


def _as_matrix(X: Any, estimator: str) -> Matrix:
    matrix: Matrix = check_array(
        X, dtype=[np.float64, np.float32], order="C", input_name="X", estimator=estimator
    )
    return matrix
