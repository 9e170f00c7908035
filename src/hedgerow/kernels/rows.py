"""Vectors as kernels take them: rows of dense or CSR matrices of float64, and their dot products."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils import check_array

from hedgerow import _core
from hedgerow.data import Forest, Records
from hedgerow.kernels.base import Matrix
from hedgerow.kernels.combinations import only_column


def as_rows(X: Any, kernel: str) -> Any:
    """A C-contiguous float64 array, or a CSR array with sorted and distinct indices; X is never changed.

    The one place that looks at indices: native code relies on them.
    """
    if type(X) is list and X and type(X[0]) is list:
        X = _as_numbers(X)
    if _is_ready(X):
        return X
    if _is_ready_sparse(X):
        return X if isinstance(X, sparse.csr_array) else _csr(X)
    if isinstance(X, Records):
        X = only_column(X, "matrix", _is_matrix)
    if isinstance(X, Forest):
        raise TypeError(f"{kernel} takes vectors: a two-dimensional array or sparse matrix, got a Forest")
    if sparse.issparse(X) and X.ndim != 2:
        raise ValueError(f"{kernel} takes a two-dimensional matrix, got one of shape {X.shape}")
    if sparse.issparse(X) and hasattr(X, "check_format"):
        X.check_format(full_check=True)  # scipy builds matrices without a look at their indices
    X = check_array(
        X, accept_sparse="csr", dtype=np.float64, order="C", ensure_min_samples=0, ensure_min_features=0
    )
    if not sparse.issparse(X):
        return np.ascontiguousarray(X)
    rows = _csr(X)  # which finds out for itself whether the indices are in order
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    return rows


def _is_ready(X: Any) -> bool:
    """Whether X needs no conversion; streams of single rows would spend their time on the general checks."""
    return (
        type(X) is np.ndarray
        and X.dtype == np.float64
        and X.ndim == 2
        and bool(X.flags.c_contiguous)
        and bool(np.isfinite(X).all())
    )


def _is_ready_sparse(X: Any) -> bool:
    return (
        isinstance(X, sparse.csr_matrix | sparse.csr_array)
        and X.ndim == 2
        and X.data.dtype == np.float64
        and X.indices.dtype == X.indptr.dtype == np.int32
        and _core.is_canonical(X.indptr, X.indices, X.data, X.shape[1])
    )


def _csr(X: Any) -> Any:
    """A new object over the same arrays."""
    return sparse.csr_array((X.data, X.indices, X.indptr), shape=X.shape)


def _as_numbers(rows: list[Any]) -> Any:
    """Rows of numbers as an array; anything else as it is, for the general checks to complain about."""
    try:
        array = np.array(rows)
    except ValueError:
        return rows
    return array.astype(np.float64) if array.ndim == 2 and array.dtype.kind in "fiu" else rows


def in_one_form(X: Any, Y: Any) -> tuple[Any, Any]:
    """Both dense or both sparse: dense unless that takes more memory."""
    both = [X] if Y is None else [X, Y]
    if Y is not None and X.shape[1] != Y.shape[1]:
        raise ValueError(f"X and Y must have the same number of features, got {X.shape[1]} and {Y.shape[1]}")
    cells = sum(rows.shape[0] * rows.shape[1] for rows in both)
    stored = sum(rows.nnz if sparse.issparse(rows) else rows.size for rows in both)
    dense = cells <= 2 * stored or not any(sparse.issparse(rows) for rows in both)
    form = _dense if dense else sparse.csr_array
    return form(X), None if Y is None else form(Y)


def sparse_rows(X: Any, Y: Any) -> _core.SparseRows:
    """The rows of X, then those of Y."""
    rows = X if Y is None else sparse.vstack([X, Y], format="csr")
    index, width = rows.indices, rows.shape[1]
    if width > rows.nnz:  # number the features that occur
        used, index = np.unique(index, return_inverse=True)
        width = len(used)
    return _core.SparseRows(
        rows.indptr.astype(np.int64), index.astype(np.int32), rows.data.astype(np.float64), width
    )


def rows_to_items(X: Any) -> _core.Items:
    """Rows that `as_rows` has checked, as native models take them."""
    return _core.DenseItems(X) if isinstance(X, np.ndarray) else sparse_to_items(X)


def sparse_to_items(X: Any, width: int | None = None) -> _core.SparseItems:
    """CSR rows that `as_rows` has checked, as native models take them; they may count as wider than they are."""
    arrays = (X.indptr.astype(np.int64, copy=False), X.indices.astype(np.int32, copy=False), X.data)
    return _core.SparseItems(*arrays, X.shape[1] if width is None else width)


def fold_columns(X: Any, width: int) -> Any:
    """Rows with feature j in column j modulo the width, a power of two; features that meet add up."""
    if X.shape[1] <= width and sparse.issparse(X):
        return sparse.csr_array((X.data, X.indices, X.indptr), shape=(X.shape[0], width))
    X = sparse.csr_array(X)
    begin, index, value = _core.fold_rows(
        X.indptr.astype(np.int64), X.indices.astype(np.int64), X.data, width
    )
    return sparse.csr_array((value, index, begin), shape=(X.shape[0], width))


def rows_from_items(items: Any) -> Any:
    """A dense or CSR matrix of the rows."""
    if isinstance(items, _core.DenseItems):
        return np.array(items.rows)
    arrays = (np.array(items.data), np.array(items.indices), np.array(items.indptr))
    return sparse.csr_matrix(arrays, shape=(len(items), items.width))


def dots(X: Any, Y: Any, n_jobs: int) -> Matrix:
    """Dot products of all rows of X with those of Y (of X when it is None), in a new matrix."""
    X, Y = in_one_form(X, Y)
    if isinstance(X, np.ndarray):
        product: Matrix = X @ (X if Y is None else Y).T
        return product
    K = np.empty((X.shape[0], X.shape[0] if Y is None else Y.shape[0]))
    sparse_rows(X, Y).dots(X.shape[0], Y is None, n_jobs, K)
    return K


def square_norms(X: Any) -> Matrix:
    """The dot product of each row with itself."""
    if isinstance(X, np.ndarray):
        squares: Matrix = np.einsum("ij,ij->i", X, X)
        return squares
    # Without entries the counts would be whole numbers.
    return np.bincount(_row_of_entry(X), X.data * X.data, minlength=X.shape[0]).astype(np.float64)


def to_unit_length(X: Any) -> tuple[Any, Matrix]:
    """The rows divided by their lengths, and the lengths; no square overflows or underflows on the way."""
    if isinstance(X, np.ndarray):
        largest = np.abs(X).max(axis=1, initial=0.0)
    else:
        largest = np.zeros(X.shape[0])
        np.maximum.at(largest, _row_of_entry(X), np.abs(X.data))
    # A power of two brings the largest value near 1 without any rounding.
    factor = np.ldexp(1.0, np.minimum(-np.frexp(largest)[1], 1023))
    scaled = scale_rows(X, factor)
    norms = np.sqrt(square_norms(scaled))
    with np.errstate(over="ignore"):
        return scale_rows(scaled, 1 / np.where(norms > 0, norms, 1.0)), norms / factor


def scale_rows(X: Any, factor: Matrix) -> Any:
    if isinstance(X, np.ndarray):
        return X * factor[:, None]
    return sparse.csr_array((X.data * factor[_row_of_entry(X)], X.indices, X.indptr), shape=X.shape)


def _row_of_entry(X: Any) -> Matrix:
    return np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))


def _is_matrix(column: Any) -> bool:
    return sparse.issparse(column) or (isinstance(column, np.ndarray) and column.ndim == 2)


def _dense(X: Any) -> Any:
    return X.toarray() if sparse.issparse(X) else X
