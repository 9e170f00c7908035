"""Kernels of vectors: linear, polynomial, radial basis functions, sigmoid."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow import _core
from hedgerow.checks import Count, NotNegative, Number, Positive
from hedgerow.kernels.base import Kernel, Matrix, check_finite
from hedgerow.kernels.rows import (
    as_rows,
    dots,
    in_one_form,
    rows_from_items,
    rows_to_items,
    scale_rows,
    sparse_rows,
    square_norms,
    to_unit_length,
)


class _VectorKernel(Kernel):
    """A kernel of the rows of dense or sparse matrices."""

    data_kind = "vector"

    def _prepare(self, X: Any) -> Any:
        return as_rows(X, type(self).__name__)

    def _items(self, X: Any) -> _core.Items:
        return rows_to_items(X)

    def _from_items(self, items: Any) -> Any:
        return rows_from_items(items)


class _DotKernel(_VectorKernel):
    """A kernel that is a function of the dot product."""

    _ignores_unseen = True

    @abstractmethod
    def _of_dots(self, values: Matrix) -> Matrix:
        """The kernel from dot products, which may be overwritten."""

    def _gram(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int) -> Matrix:
        with np.errstate(all="ignore"):  # an overflow shows in the result
            return check_finite(self._of_dots(dots(X, Y, n_jobs)).astype(dtype, copy=False))

    def _diag(self, X: Any) -> Matrix:
        with np.errstate(all="ignore"):
            return self._of_dots(square_norms(X))


class Linear(_DotKernel):
    """The dot product ``x.z`` of vectors.

    Kernels of vectors take two-dimensional arrays, lists of rows, scipy sparse matrices, dense and sparse
    ones together, and `Records` with one such column.

    Examples
    --------
    >>> from hedgerow.kernels import Linear
    >>> Linear()([[1, 2], [0, 3]], [[1, 1]])
    array([[3.],
           [3.]])
    """

    @property
    def _has_features(self) -> bool:
        return True

    def _of_dots(self, values: Matrix) -> Matrix:
        return values

    def _normalized_gram(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int) -> Matrix:
        return _normalized_powers(X, Y, 1.0, 0.0, 1, n_jobs).astype(dtype, copy=False)

    def _normalized_diag(self, X: Any) -> Matrix:
        return _normalized_powers_diag(X, 0.0)

    def _model(self, normalized: bool = False) -> _core.KernelModel:
        return _core.LinearModel(normalized=normalized)


@dataclass(eq=False, repr=False)
class Polynomial(_DotKernel):
    """``(scale x.z + offset)^degree``: all products of up to ``degree`` features.

    Parameters
    ----------
    degree : int, default=3
        The power, at least 1.
    scale : float, default=1.0
        Multiplies the dot product; above 0.
    offset : float, default=1.0
        Is added to it, at least 0; with 0 only products of exactly ``degree`` features count.

    Examples
    --------
    >>> from hedgerow.kernels import Polynomial
    >>> Polynomial(degree=2)([[1, 2], [0, 3]])
    array([[ 36.,  49.],
           [ 49., 100.]])
    """

    degree: Count = 3
    scale: Positive = 1.0
    offset: NotNegative = 1.0

    def _of_dots(self, values: Matrix) -> Matrix:
        values *= float(self.scale)
        values += float(self.offset)
        return _power(values, self.degree)

    def _normalized_gram(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int) -> Matrix:
        K = _normalized_powers(X, Y, float(self.scale), float(self.offset), self.degree, n_jobs)
        return K.astype(dtype, copy=False)

    def _normalized_diag(self, X: Any) -> Matrix:
        return _normalized_powers_diag(X, self.offset)

    def _model(self, normalized: bool = False) -> _core.KernelModel:
        return _core.PolynomialModel(self.degree, self.scale, self.offset, normalized=normalized)


@dataclass(eq=False, repr=False)
class RBF(_VectorKernel):
    """The radial basis function, or Gaussian, ``exp(-gamma |x - z|^2)``.

    Values have a relative error below 1e-12, also for vectors close together and far from the origin.

    Parameters
    ----------
    gamma : float, default=1.0
        How fast the kernel falls with the distance; above 0.

    Examples
    --------
    >>> from hedgerow.kernels import RBF
    >>> RBF(gamma=0.5)([[0, 0], [1, 1]]).round(3)
    array([[1.   , 0.368],
           [0.368, 1.   ]])
    """

    gamma: Positive = 1.0

    def _gram(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int) -> Matrix:
        X, Y = in_one_form(X, Y)
        symmetric, gamma = Y is None, float(self.gamma)
        shape = (X.shape[0], X.shape[0] if symmetric else Y.shape[0])
        if isinstance(X, np.ndarray):
            K: Matrix = np.empty(shape, dtype)
            _core.dense_rbf(X, X if symmetric else Y, symmetric, gamma, n_jobs, K)
            return K
        K = np.empty(shape)
        sparse_rows(X, Y).rbf(X.shape[0], symmetric, gamma, n_jobs, K)
        return K.astype(dtype, copy=False)

    def _diag(self, X: Any) -> Matrix:
        return np.ones(X.shape[0])

    # Every vector has length 1 already.
    _normalized_gram = _gram
    _normalized_diag = _diag

    def _model(self, normalized: bool = False) -> _core.KernelModel:
        return _core.RBFModel(self.gamma)


@dataclass(eq=False, repr=False)
class Sigmoid(_DotKernel):
    """``tanh(scale x.z + offset)``: widely used, though not positive semi-definite in general.

    Parameters
    ----------
    scale : float, default=1.0
        Multiplies the dot product.
    offset : float, default=0.0
        Is added to it.

    Examples
    --------
    >>> from hedgerow.kernels import Sigmoid
    >>> Sigmoid(scale=0.5)([[1, 0], [1, 1]]).round(3)
    array([[0.462, 0.462],
           [0.462, 0.762]])
    """

    scale: Number = 1.0
    offset: Number = 0.0

    def _of_dots(self, values: Matrix) -> Matrix:
        values *= float(self.scale)
        values += float(self.offset)
        return np.tanh(values, out=values)

    def _normalized_gram(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int) -> Matrix:
        for items in (X,) if Y is None else (X, Y):
            self._check_diag(items)
        return super()._normalized_gram(X, Y, dtype, n_jobs)

    def _normalized_diag(self, X: Any) -> Matrix:
        self._check_diag(X)
        return super()._normalized_diag(X)

    def _native_model(self) -> _core.KernelModel:
        return _core.SigmoidModel(self.scale, self.offset)

    def _check_diag(self, X: Any) -> None:
        if (self._diag(X) < 0).any():
            raise ValueError(
                "Sigmoid cannot be normalised here: tanh(scale x.x + offset) is negative for some x; use a "
                f"larger scale or offset, got scale={self.scale!r}, offset={self.offset!r}"
            )


def _power(values: Matrix, degree: int) -> Matrix:
    if degree > 8:
        return np.power(values, float(degree), out=values)
    base = values.copy() if degree > 1 else values
    for _ in range(degree - 1):  # several times faster than numpy's power
        values *= base
    return values


def _normalized_powers(X: Any, Y: Any, scale: float, offset: float, degree: int, n_jobs: int) -> Matrix:
    """Normalised ``(scale x.z + offset)^degree``, without the large numbers that would cancel.

    With x = |x| u, the base of the power divided by the norms is (a_x u_x).(a_z u_z) + b_x b_z, where (a, b)
    is (sqrt(scale) |x|, sqrt(offset)) of length 1.
    """
    left, left_rest = _unit_parts(X, scale, offset)
    right, right_rest = (None, left_rest) if Y is None else _unit_parts(Y, scale, offset)
    K = dots(left, right, n_jobs)
    if offset > 0:
        K += np.outer(left_rest, right_rest)
    K = _power(K, degree)
    if Y is None:
        np.fill_diagonal(K, _normalized_powers_diag(X, offset))
    return K


def _normalized_powers_diag(X: Any, offset: float) -> Matrix:
    return ((to_unit_length(X)[1] > 0) | (offset > 0)).astype(np.float64)


def _unit_parts(X: Any, scale: float, offset: float) -> tuple[Any, Matrix]:
    """a u and b of each row."""
    units, norms = to_unit_length(X)
    with np.errstate(over="ignore"):
        along = np.minimum(np.sqrt(scale) * norms, np.finfo(np.float64).max / 2)
    total = np.hypot(along, np.sqrt(offset))
    total[total == 0] = 1.0
    return scale_rows(units, along / total), np.sqrt(offset) / total
