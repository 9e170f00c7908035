"""Kernels of tokens: distinct training tokens stand for their own features."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

from hedgerow import _core
from hedgerow.kernels.base import Kernel, Matrix

_CACHE_BYTES = 1000 * 2**20  # of kernel values between training tokens
_BLOCK = 2**24  # kernel values that prediction holds at once


class KernelTokens:
    """The distinct tokens of a training set under a kernel.

    Parameters
    ----------
    kernel : Kernel of vectors
    rows : CSR array of the distinct tokens
    """

    def __init__(self, kernel: Kernel, rows: Any):
        self.kernel: Kernel = clone(kernel)
        self.rows = rows

    def __len__(self) -> int:
        return int(self.rows.shape[0])

    def space(self, plain: int, n_labels: int) -> _core.Space:
        """Weights of labels as they are, then for each token one coordinate a label."""
        items = self.kernel._items(self.kernel._prepare(self.rows))
        products = _core.SvmKernel.from_items(self.kernel._model(), items, _CACHE_BYTES, False)
        return _core.Space.kernel(products, plain, n_labels)

    def scores(self, rows: Any, coefficients: Matrix, threads: int) -> Matrix:
        """Scores of new tokens, tokens by labels, from the training tokens that have coefficients."""
        used = np.flatnonzero(coefficients.any(axis=1))
        scores = np.zeros((rows.shape[0], coefficients.shape[1]))
        if not len(used):
            return scores
        supports, weights = self.rows[used], coefficients[used]
        step = max(1, _BLOCK // len(used))
        for begin in range(0, rows.shape[0], step):
            block = rows[begin : begin + step]
            scores[begin : begin + step] = self.kernel(block, supports, n_jobs=threads) @ weights
        return scores

    def to_arrays(self) -> dict[str, Matrix]:
        rows = self.rows
        return {
            "tokens.indptr": rows.indptr.astype(np.int64),
            "tokens.indices": rows.indices.astype(np.int32),
            "tokens.data": rows.data,
            "tokens.shape": np.array(rows.shape, dtype=np.int64),
        }

    @classmethod
    def from_arrays(cls, kernel: Kernel, arrays: dict[str, Matrix]) -> KernelTokens:
        parts = tuple(arrays[f"tokens.{name}"] for name in ("data", "indices", "indptr"))
        return cls(kernel, canonical(sparse.csr_array(parts, shape=tuple(arrays["tokens.shape"].tolist()))))


def distinct(rows: Any) -> tuple[Matrix, Any]:
    """The number of each row among the distinct ones, and these."""
    numbers, first = _core.distinct_rows(
        rows.indptr.astype(np.int64), rows.indices.astype(np.int32), rows.data.astype(np.float64)
    )
    return numbers, canonical(rows[first])


def canonical(rows: Any) -> Any:
    """With indices as kernels take them."""
    arrays = (rows.data.astype(np.float64), rows.indices.astype(np.int32), rows.indptr.astype(np.int32))
    return sparse.csr_array(arrays, shape=rows.shape)
