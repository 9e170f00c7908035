"""The terms of a kernel that are not tree kernels, as parts of the functions of a model.

A dot product is a sum over features, each with a weight: that of the supports' values. So is a kernel over pieces of
trees, whose features have names. Of any other term (radial basis functions, strings, products) there is only what each
support adds: its coefficient times the kernel value.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from hedgerow import _core
from hedgerow.kernels.base import Matrix, Term
from hedgerow.models.functions import (
    FeatureNames,
    KernelFunctions,
    LinearFunctions,
    Name,
    Score,
    WeightColumn,
    support_name,
)
from hedgerow.threads import resolve


class PlainPart(ABC):
    """A term with supports, by function."""

    what: ClassVar[str]  # what it is a sum over
    has_weights: ClassVar[bool] = True  # whether that are features with weights

    def __init__(self, name: str, column: str) -> None:
        self.name = name
        self.column = column  # that it looks at, if it was told

    @abstractmethod
    def items(self, term: Term, name: Name) -> Iterator[list[Score]]:
        """Of every item what the part adds to each function; ``name`` is what features are called."""

    def weight_columns(self, names: FeatureNames) -> Iterator[WeightColumn]:
        """The weights of all features, by function, if there are any."""
        return iter(())


class LinearPart(PlainPart):
    """A dot product, which is a sum over features."""

    what = "features"

    def __init__(self, name: str, term: Term, functions: KernelFunctions) -> None:
        super().__init__(name, term.column)
        rows = sparse.csr_array(term.kernel._from_items(term.items))
        weights = _product(functions.coefficients * term.factors, rows)
        self.linear = LinearFunctions(
            functions.labels, weights, np.zeros(len(functions.labels)), lambda X: X, lambda X: X
        )

    def weight_columns(self, names: FeatureNames) -> Iterator[WeightColumn]:
        return self.linear.columns(names)

    def items(self, term: Term, name: Name) -> Iterator[list[Score]]:
        rows = sparse.csr_array(term.kernel._from_items(term.items))
        for i, factor in enumerate(term.factors.tolist()):
            features, values = self.linear.row(rows, i)
            yield [
                self.linear.score(f, features, factor * values, name) for f in range(len(self.linear.labels))
            ]


class PiecePart(PlainPart):
    """A kernel over pieces of trees, each of which is a feature that counts once."""

    what = "fragments"

    def __init__(self, name: str, term: Term, functions: KernelFunctions) -> None:
        super().__init__(name, term.column)
        self._pieces, self._supports = term.kernel._pieces, term.items.forest
        self._labels, self._weights = functions.labels, functions.coefficients * term.factors

    def weight_columns(self, names: FeatureNames) -> Iterator[WeightColumn]:
        rows = _piece_rows(self._pieces.features(self._supports, None))
        place = np.full(rows.shape[1], -1)  # where each piece comes first
        place[rows.indices[::-1]] = np.arange(len(rows.indices))[::-1]

        def name(piece: int) -> str:
            tree = int(np.searchsorted(rows.indptr, place[piece], side="right")) - 1
            return str(self._pieces.names(self._supports, tree)[place[piece] - rows.indptr[tree]])

        for label, weights in zip(self._labels, self._weights, strict=True):
            yield WeightColumn(label, weights @ rows, name)

    def items(self, term: Term, name: Name) -> Iterator[list[Score]]:
        trees, n = term.items.forest, len(self._supports)
        rows = _piece_rows(self._pieces.features(self._supports, trees))
        of_supports = rows[:n].tocsc()
        for i, factor in enumerate(term.factors.tolist()):
            features = rows.indices[rows.indptr[n + i] : rows.indptr[n + i + 1]]
            weights = self._weights @ of_supports[:, features]
            values, own = np.full(len(features), factor), partial(self._pieces.names, trees, i)
            yield [
                Score(label, row, values, partial(_nth, own))
                for label, row in zip(self._labels, weights, strict=True)
            ]


def _product(coefficients: Matrix, rows: Any) -> Any:
    """Sums of rows, in memory for the features that they have; scipy takes some for every column."""
    used, place = np.unique(rows.indices, return_inverse=True)
    narrow = sparse.csr_array((rows.data, place, rows.indptr), shape=(rows.shape[0], len(used)))
    sums = sparse.csr_array(coefficients) @ narrow
    return sparse.csr_array(
        (sums.data, used[sums.indices], sums.indptr), shape=(len(coefficients), rows.shape[1])
    )


def _piece_rows(table: _core.FeatureTable) -> Any:
    begins, features = table.rows()
    shape = (len(begins) - 1, int(features.max(initial=-1)) + 1)
    return sparse.csr_array((np.ones(len(features)), features, begins), shape=shape)


def _nth(names: Callable[[], list[str]], i: int) -> str:
    return names()[i]


class SupportPart(PlainPart):
    """A sum over supports, which nothing else is known of."""

    what = "supports"
    has_weights = False

    def __init__(self, name: str, term: Term, functions: KernelFunctions) -> None:
        super().__init__(name, term.column)
        self._functions, self._term = functions, term
        self._model = term.kernel._model().empty(0)
        self._model.put_all(term.items, np.arange(len(term.items), dtype=np.int32))

    def items(self, term: Term, name: Name) -> Iterator[list[Score]]:
        supports = self._term.kernel._from_items(self._term.items)
        rows = self._model.row_batch(term.items, resolve(None)).reshape(len(term.items), -1)
        values: Matrix = term.factors[:, None] * rows * self._term.factors
        for row in values:
            yield [
                Score(label, weights, row, lambda i: support_name(supports, i))
                for label, weights in zip(self._functions.labels, self._functions.coefficients, strict=True)
            ]


def plain_part(name: str, term: Term, functions: KernelFunctions) -> PlainPart:
    """The part of a term that is not a tree kernel."""
    kind: Any = SupportPart
    if term.kernel._has_features:
        kind = LinearPart if term.kernel._pieces is None else PiecePart
    part: PlainPart = kind(name, term, functions)
    return part
