"""What kernels become in structured problems: functions that are sums over training items, and features of outputs."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import scipy.linalg
from scipy import sparse

from hedgerow import _core
from hedgerow.kernels.base import Kernel, Matrix
from hedgerow.kernels.precomputed import check_square, is_precomputed, kernel_from
from hedgerow.models.stored import stored_whole
from hedgerow.threads import resolve

# For kernel values between training items: all of them if they fit, else as many rows as do.
_CACHE_BYTES = 1000 * 2**20
# Eigenvalues below this share of the largest are what rounding makes of 0.
_ROUNDING = 1e-12


class KernelItems:
    """Items that stand for their own features: f(x) = sum_i coefficients[i] K(item_i, x)."""

    def __init__(self, kernel: Any, X: Any):
        self.kernel: Kernel = kernel_from(kernel)
        prepared = self.kernel._prepare(X)
        if is_precomputed(kernel):
            check_square(prepared)
        self._prepared = prepared  # until the products are computed
        self.items = self.kernel._items(prepared)
        self.width = prepared.shape[1] if getattr(prepared, "ndim", 1) == 2 else None
        self._latest: tuple[Matrix, _core.Expansion] | None = None

    def __len__(self) -> int:
        return len(self.items)

    def products(self) -> _core.SvmKernel:
        """The kernel values between the items, in memory or computed when they are needed."""
        n = len(self)
        prepared, self._prepared = self._prepared, None
        if prepared is not None and n * n * 8 <= _CACHE_BYTES:
            gram = self.kernel._gram(prepared, None, np.dtype(np.float64), resolve(None))
            return _core.SvmKernel.from_gram(np.ascontiguousarray(gram))
        return _core.SvmKernel.from_items(self.kernel._model(), self.items, _CACHE_BYTES, False)

    def one_hot(self) -> _core.SparseItems:
        """The items as vectors, each with one feature of its own."""
        n = len(self)
        return _core.SparseItems(np.arange(n + 1), np.arange(n, dtype=np.int32), np.ones(n), n)

    def functions(self, X: Any, coefficients: Matrix, threads: int) -> Matrix:
        """Values of functions, given by the columns of the coefficients: a row for each new item."""
        items = self._new_items(X)
        values: Matrix = self._expansion(coefficients).decisions(items, threads, False)
        return values.reshape(len(items), coefficients.shape[1])

    def rows(self, X: Any, used: Matrix, threads: int) -> Matrix:
        """Kernel values between new items (rows) and some of these, by their numbers."""
        items = self._new_items(X)
        model = self.kernel._model().empty(1)
        model.put_all(self.items.select(used), np.arange(len(used), dtype=np.int32))
        values: Matrix = model.row_batch(items, threads)
        return values.reshape(len(items), len(used))

    def _new_items(self, X: Any) -> Any:
        prepared = self.kernel._prepare(X)
        width = prepared.shape[1] if getattr(prepared, "ndim", 1) == 2 else None
        if width != self.width:
            raise ValueError(f"X has {width} features, but {self.width} are expected")
        return self.kernel._items(prepared)

    def _expansion(self, coefficients: Matrix) -> _core.Expansion:
        """The functions, made again when the coefficients are others than the last time."""
        if self._latest is None or not np.array_equal(self._latest[0], coefficients):
            used = np.flatnonzero(coefficients.any(axis=1))
            expansion = _core.Expansion(self.kernel._model(), coefficients.shape[1])
            expansion.add_supports(self.items.select(used), np.ascontiguousarray(coefficients[used]), used)
            self._latest = (coefficients.copy(), expansion)
        return self._latest[1]

    # -- copies ---------------------------------------------------------------------------------------------

    def to_arrays(self) -> dict[str, Matrix]:
        """The items as arrays for a model file."""
        n = len(self)
        expansion = _core.Expansion(self.kernel._model(), 1)
        expansion.add_supports(self.items, np.ones((n, 1)), np.arange(n))
        arrays: dict[str, Matrix] = expansion.save()
        return arrays

    @classmethod
    def from_arrays(cls, kernel: Any, width: int | None, arrays: dict[str, Matrix]) -> Self:
        """What `to_arrays` has written."""
        if width is not None:
            stored_whole({"width": width}, "width", 1, 2**31)
        self = cls.__new__(cls)
        self.__setstate__({"kernel": kernel_from(kernel), "width": width, "arrays": arrays})
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {"kernel": self.kernel, "width": self.width, "arrays": self.to_arrays()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.kernel, self.width = state["kernel"], state["width"]
        expansion = _core.Expansion(self.kernel._model(), 1)
        expansion.load(state["arrays"])
        self.items = expansion.supports()
        self._prepared = None
        self._latest = None


class Factor:
    """Features of outputs whose products are the values of a kernel: L = Lambda Lambda'.

    ``features`` is Lambda, with a row for each known output and as many columns as the gram between these has rank.
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


def check_gram(gram: Matrix, name: str) -> None:
    """Raise a ValueError unless it is a kernel matrix, without finding its features."""
    largest = float(np.abs(gram).max(initial=0.0))
    try:
        scipy.linalg.cholesky(gram + 1e-8 * largest * np.eye(len(gram)), overwrite_a=True, check_finite=False)
        fits = largest > 0 and np.array_equal(gram, gram.T)
    except np.linalg.LinAlgError:
        fits = False
    if not fits:
        _eigen(gram, name)  # which knows better, and says what is wrong


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
