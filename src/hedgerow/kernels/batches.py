"""Items of kernels that are written in Python, and what native models ask of such a kernel."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow.data import CandidateLists, Forest, Records
from hedgerow.io.examples import join
from hedgerow.kernels.base import Kernel, Matrix


def as_collection(X: Any) -> Any:
    """X as an array, a CSR matrix, a Forest or Records; as a list if it is none of these."""
    if isinstance(X, np.ndarray | Forest | Records | CandidateLists):
        return X
    if sparse.issparse(X):
        return sparse.csr_array(X)
    if isinstance(X, str | bytes) or not hasattr(X, "__len__"):
        raise TypeError(f"kernels take collections of items, got a {type(X).__name__}")
    return np.asarray(X) if hasattr(X, "__array__") else list(X)


def number_of(collection: Any) -> int:
    """How many items a collection has."""
    return int(collection.shape[0]) if hasattr(collection, "shape") else len(collection)


class Batch:
    """A collection of items, to select from and to join with others."""

    def __init__(self, items: Any) -> None:
        self.items = items

    def __len__(self) -> int:
        return number_of(self.items)

    def select(self, numbers: Matrix) -> Batch:
        if isinstance(self.items, list):
            return Batch([self.items[number] for number in numbers.tolist()])
        return Batch(self.items[numbers])

    def join(self, other: Batch) -> Batch:
        self.check_kind(other)
        return Batch(join([self.items, other.items]))

    def check_kind(self, other: Batch) -> None:
        kinds = [type(batch.items).__name__ for batch in (self, other)]
        if kinds[0] != kinds[1]:
            raise TypeError(f"a kernel takes items in one kind of collection, got {kinds[0]} and {kinds[1]}")


class BatchKernel:
    """A kernel as native models call it."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def values(self, X: Batch, Y: Batch) -> Matrix:
        """Kernel values of all pairs, one row after the other."""
        X.check_kind(Y)
        return self._kernel._gram(X.items, Y.items, np.dtype(np.float64), 1).ravel()

    def self_kernels(self, X: Batch) -> Matrix:
        return self._kernel._diag(X.items)

    @staticmethod
    def nothing() -> Batch:
        return Batch([])

    @staticmethod
    def to_bytes(batch: Batch) -> bytes:
        return pickle.dumps(batch.items)

    @staticmethod
    def from_bytes(content: bytes) -> Batch:
        return Batch(pickle.loads(content))
