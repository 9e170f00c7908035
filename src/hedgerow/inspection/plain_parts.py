"""The terms of a kernel that are not tree kernels, as parts of the functions of a model.

A dot product is a sum over features, each with a weight: that of the supports' values. Of any other term (radial basis
functions, strings, products) there is only what each support adds: its coefficient times the kernel value.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from hedgerow.kernels.base import Matrix, Term
from hedgerow.models.functions import KernelFunctions, LinearFunctions, Name, Score, support_name
from hedgerow.threads import resolve


class PlainPart(ABC):
    """A term with supports, by function."""

    what: ClassVar[str]  # what it is a sum over

    def __init__(self, name: str, column: str) -> None:
        self.name = name
        self.column = column  # that it looks at, if it was told

    @abstractmethod
    def items(self, term: Term, name: Name) -> Iterator[list[Score]]:
        """Of every item what the part adds to each function; ``name`` is what features are called."""


class LinearPart(PlainPart):
    """A dot product, which is a sum over features."""

    what = "features"

    def __init__(self, name: str, term: Term, functions: KernelFunctions) -> None:
        super().__init__(name, term.column)
        rows = sparse.csr_array(term.kernel._from_items(term.items))
        weights = sparse.csr_array(functions.coefficients * term.factors) @ rows
        self.linear = LinearFunctions(
            functions.labels, weights, np.zeros(len(functions.labels)), lambda X: X, lambda X: X
        )

    def items(self, term: Term, name: Name) -> Iterator[list[Score]]:
        rows = sparse.csr_array(term.kernel._from_items(term.items))
        for i, factor in enumerate(term.factors.tolist()):
            features, values = self.linear.row(rows, i)
            yield [
                self.linear.score(f, features, factor * values, name) for f in range(len(self.linear.labels))
            ]


class SupportPart(PlainPart):
    """A sum over supports, which nothing else is known of."""

    what = "supports"

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
    kind: Any = LinearPart if term.kernel._has_features else SupportPart
    part: PlainPart = kind(name, term, functions)
    return part
