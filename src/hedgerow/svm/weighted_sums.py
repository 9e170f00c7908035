"""Weighted sums of examples in the feature space of a kernel, and their values at other examples.

A sum is collapsed into a native model (of trees: into its distinct subtrees), so that its values cost far less than the
kernel of each pair would.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from hedgerow import _core
from hedgerow.kernels.base import Matrix

CACHE_BYTES = 1 << 28  # of kernel values


class Selectable(Protocol):
    """Examples, some of which can be had as native items."""

    def select(self, numbers: Matrix, /) -> _core.Items: ...


class Sums(Protocol):
    """The functions ``sum_i weight_i K(x_i, .)`` over examples that may be anywhere."""

    def values(self, examples: Matrix, weights: Matrix) -> Matrix:
        """The values of a sum at all examples."""

    def part(self, examples: Matrix) -> Sums:
        """The same over some of the examples only."""

    def here(self, examples: Matrix) -> WeightedSums:
        """The same, with these examples in this process."""


class WeightedSums(Sums):
    """The functions ``sum_i weight_i K(x_i, .)`` over given examples.

    Items are native ones; where nobody asks for values at all of them, a `Selectable` will do.
    """

    def __init__(self, prototype: _core.KernelModel, items: Any, threads: int, single: bool) -> None:
        self._prototype = prototype
        self._items = items
        self.threads = threads
        self._single = single

    def values(self, examples: Matrix, weights: Matrix, at: Matrix | None = None) -> Matrix:
        """The values of a sum at the examples named by ``at``, or at all."""
        batch = self._items if at is None else self._items.select(at)
        if len(examples) == 0 or len(batch) == 0:
            return np.zeros(len(batch))
        model = self._prototype.empty(1)
        slots = np.arange(len(examples), dtype=np.int32)
        model.put_all(self._items.select(examples), slots)
        model.add_weights(slots, 0, np.ascontiguousarray(weights))
        model.freeze(self._single)
        values: Matrix = model.score_batch(batch, self.threads)
        return values

    def svm_kernel(self) -> _core.SvmKernel:
        """Kernel values between all examples, as they are needed."""
        if isinstance(self._items, _core.GramItems):  # which are known
            model, n = self._prototype.empty(1), len(self._items)
            model.put_all(self._items, np.arange(n, dtype=np.int32))
            gram = model.row_batch(self._items, self.threads).reshape(n, n)
            return _core.SvmKernel.from_gram(gram)
        return _core.SvmKernel.from_items(self._prototype, self._items, CACHE_BYTES, self._single)

    def part(self, examples: Matrix) -> WeightedSums:
        """The same over some of the examples only."""
        return WeightedSums(self._prototype, self._items.select(examples), self.threads, self._single)

    here = part

    def changing(self) -> ChangingSum:
        """A sum of nothing yet."""
        return ChangingSum(self._prototype.empty(1), self._items, self.threads)


class ChangingSum:
    """A sum whose examples come and go, and whose weights change."""

    def __init__(self, model: _core.KernelModel, items: Selectable, threads: int) -> None:
        self._model = model
        self._items = items
        self._threads = threads
        self._weights = np.zeros(0)  # by slot
        self._free = np.zeros(0, dtype=np.int32)

    def add(self, examples: Matrix) -> Matrix:
        """Add examples with weight 0; returns the slots where they are kept."""
        reused, self._free = self._free[: len(examples)], self._free[len(examples) :]
        first = len(self._weights)
        fresh = np.arange(first, first + len(examples) - len(reused), dtype=np.int32)
        slots = np.concatenate([reused, fresh])
        self._model.put_all(self._items.select(examples), slots)
        self._weights = np.append(self._weights, np.zeros(len(fresh)))
        return slots

    def remove(self, slots: Matrix) -> None:
        for slot in slots.tolist():
            self._model.erase(slot)
        self._weights[slots] = 0.0
        self._free = np.append(self._free, slots)

    def set_weights(self, slots: Matrix, weights: Matrix) -> None:
        changed = np.flatnonzero(self._weights[slots] != weights)
        deltas = weights[changed] - self._weights[slots[changed]]
        self._model.add_weights(slots[changed], 0, deltas)
        self._weights[slots] = weights

    def values(self, at: Matrix) -> Matrix:
        """Its values at the examples named by ``at``."""
        values: Matrix = self._model.score_batch(self._items.select(at), self._threads)
        return values
