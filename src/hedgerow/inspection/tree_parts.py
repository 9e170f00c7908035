"""The terms of a kernel as parts of the functions of a model: tree kernels, whose fragments have weights, and others.

A decision function under a sum of kernels is a sum over its parts. A part that is a tree kernel, whatever
normalises or weights it, is a sum over fragments: ``sum_t weight_t * feature_t(x)``. See plain_parts for the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from hedgerow import _core
from hedgerow.data import Forest, Tree
from hedgerow.inspection.plain_parts import PlainPart, plain_part
from hedgerow.kernels.base import Matrix, Term, out_of_range
from hedgerow.models.functions import FeatureNames, KernelFunctions, Name, Score, WeightColumn


class Found(NamedTuple):
    """Fragments as the native search returns them: all nodes in post-order, then a value for each fragment."""

    label: Matrix
    arity: Matrix
    kind: Matrix
    size: Matrix
    weight: Matrix
    feature: Matrix
    exact: bool
    bound: float


@dataclass(frozen=True)
class SeenTree:
    """A tree as a part sees it."""

    tree: Tree
    trees: _core.CollapsedForest
    factor: float  # of its features
    bounds: Any  # for the search

    @property
    def counts(self) -> Matrix:
        return self.factor * np.bincount(self.trees.of_node(), minlength=len(self.trees))


class TreePart:
    """A tree kernel with supports, by function: weights of fragments. Coefficients are functions by supports."""

    def __init__(self, name: str, term: Term, coefficients: Matrix) -> None:
        self.name = name
        self._how = term.kernel._fragment_search()
        native = term.items.forest.compact()
        self.labels: list[str] = native.labels()
        self.trees = _core.CollapsedForest(native)
        of_node, n = self.trees.of_node(), len(self.trees)
        tree_of_node = np.repeat(np.arange(len(native)), native.tree_sizes())
        scaled = coefficients * term.factors
        self.weights = np.array(
            [np.bincount(of_node, row[tree_of_node], minlength=n) for row in scaled]
        ).reshape(len(scaled), n)

    @cached_property
    def _bounds(self) -> Any:
        return self._bounds_of(self.trees)

    def _bounds_of(self, trees: _core.CollapsedForest) -> Any:
        return None if self._how.bounds is None else self._how.bounds(trees, self._how.kernel)

    def items(self, term: Term) -> Iterator[SeenTree]:
        """Trees as this part sees them."""
        for i, factor in enumerate(term.factors.tolist()):
            tree = Forest._wrap(term.items.forest.select(np.array([i], dtype=np.int64)))
            trees = _core.CollapsedForest(tree._native, self.trees)
            yield SeenTree(tree[0], trees, factor, self._bounds_of(trees))

    def search(
        self, function: int, k: int, signs: list[int], limit: int, item: SeenTree | None = None
    ) -> Found:
        """Lists of the fragments with the largest weights, or of an item those with the largest contributions: with 1
        of positive ones, with -1 of negative ones, with 0 of either sign."""
        example, counts, bounds = (
            (None, None, None) if item is None else (item.trees, item.counts, item.bounds)
        )
        known = () if self._how.bounds is None else (self._bounds, bounds)
        weights = self.weights[function]
        found = self._how.best(
            self.trees, weights, self._how.kernel, example, counts, k, signs, limit, *known
        )
        return Found(*found)

    def node_values(self, item: SeenTree) -> Matrix:
        """What each node of a tree adds to each function: nodes in post-order by functions."""
        weights = np.ascontiguousarray(self.weights.ravel())
        values = self._how.node_values(self.trees, weights, self._how.kernel, item.trees)
        by_subtree = values.reshape(len(item.trees), len(self.weights))
        by_node: Matrix = item.factor * by_subtree[item.trees.of_node()]
        if not np.isfinite(by_node).all():
            raise out_of_range()
        return by_node


class View(NamedTuple):
    """An item as the parts see it."""

    trees: list[SeenTree]
    plain: list[list[Score]]  # of each part that is not a tree kernel, what it adds to each function


class Parts:
    """All parts of the functions of a model."""

    def __init__(self, functions: KernelFunctions) -> None:
        self.functions = functions
        self.trees: list[TreePart] = []
        self.plain: list[PlainPart] = []
        terms = list(functions.kernel._terms(functions.supports))
        names = _distinct([term.column or type(term.kernel).__name__ for term in terms])
        for term, name in zip(terms, names, strict=True):
            if term.kernel._has_fragments:
                self.trees.append(TreePart(name, term, functions.coefficients))
            else:
                self.plain.append(plain_part(name, term, functions))
        self.several = len(terms) > 1

    def weight_columns(self, names: FeatureNames) -> Iterator[WeightColumn]:
        """The weights of features, by function; of several parts that have some with their names."""
        found = [part for part in self.plain if part.has_weights]
        for part in found:
            for column in part.weight_columns(names):
                yield column if len(found) == 1 else column._replace(label=f"{column.label}, {part.name}")

    def views(self, X: Any, names: Mapping[str, Name]) -> Iterator[View]:
        """Items one by one: trees as the parts that are tree kernels see them, and what each other part adds to each
        function."""
        kernel = self.functions.kernel
        items = kernel._items(kernel._prepare(X))
        terms = list(kernel._terms(items))
        of_trees = [term for term in terms if term.kernel._has_fragments]
        others = [term for term in terms if not term.kernel._has_fragments]
        seen = [part.items(term) for part, term in zip(self.trees, of_trees, strict=True)]
        plain = [part.items(term, names[part.name]) for part, term in zip(self.plain, others, strict=True)]
        for _ in range(len(items)):
            yield View([next(trees) for trees in seen], [next(scores) for scores in plain])


_known: WeakKeyDictionary[Any, Parts] = WeakKeyDictionary()


def parts_of(model: Any, functions: KernelFunctions) -> Parts:
    """The parts of a model's functions; the same object again while the model does not change."""
    known = _known.get(model)
    pairs = () if known is None else zip(known.functions.version, functions.version, strict=True)
    if known is None or not all(a is b or a == b for a, b in pairs):
        known = _known[model] = Parts(functions)
    return known


def _distinct(names: list[str]) -> list[str]:
    """Names with a number from the second of a name on."""
    return [
        name if names.index(name) == i else f"{name} ({names[:i].count(name) + 1})"
        for i, name in enumerate(names)
    ]
