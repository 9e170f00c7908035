"""The terms of a kernel as parts of the functions of a model: tree kernels, whose fragments have weights, and others.

A decision function under a sum of kernels is a sum over its parts. A part that is a tree kernel, whatever
normalises or weights it, is a sum over fragments: ``sum_t weight_t * feature_t(x)``. Other parts (vectors, strings,
products) add a number each, which nothing takes apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from hedgerow import _core
from hedgerow.data import Forest, Tree
from hedgerow.kernels.base import Matrix, Term, out_of_range
from hedgerow.models.functions import KernelFunctions
from hedgerow.threads import resolve


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
    of_node: Matrix  # the distinct subtree of each node, in post-order
    factor: float  # of its features
    bounds: Any  # for the search

    @property
    def counts(self) -> Matrix:
        return self.factor * np.bincount(self.of_node, minlength=len(self.trees))


class TreePart:
    """A tree kernel with supports, by function: weights of fragments. Coefficients are functions by supports."""

    def __init__(self, name: str, term: Term, coefficients: Matrix) -> None:
        self.name = name
        self._how = term.kernel._fragment_search()
        native = term.items.forest.compact()
        self.labels: list[str] = native.labels()
        label, _, begin, child, of_node, _ = native.distinct_subtrees()
        self.trees = _core.CollapsedForest(label, begin, child)
        tree_of_node = np.repeat(np.arange(len(native)), native.tree_sizes())
        scaled = coefficients * term.factors
        self.weights = np.array(
            [np.bincount(of_node, row[tree_of_node], minlength=len(label)) for row in scaled]
        ).reshape(len(scaled), len(label))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {label: number for number, label in enumerate(self.labels)}

    @cached_property
    def _bounds(self) -> Any:
        return self._bounds_of(self.trees)

    def _bounds_of(self, trees: _core.CollapsedForest) -> Any:
        return None if self._how.bounds is None else self._how.bounds(trees, self._how.kernel)

    def items(self, term: Term) -> Iterator[SeenTree]:
        """Trees as this part sees them."""
        for i, factor in enumerate(term.factors.tolist()):
            tree = Forest._wrap(term.items.forest.select(np.array([i], dtype=np.int64)))
            native = tree._native.compact()
            numbers = np.array([self._numbers.get(label, -1) for label in native.labels()], dtype=np.int32)
            label, _, begin, child, of_node, _ = native.distinct_subtrees()
            known = numbers[label] if len(label) else label
            # Two labels that the model lacks are two, though no fragment has either.
            trees = _core.CollapsedForest(np.where(known < 0, -2 - label, known), begin, child, self.trees)
            yield SeenTree(tree[0], trees, of_node, factor, self._bounds_of(trees))

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
        by_node: Matrix = item.factor * by_subtree[item.of_node]
        if not np.isfinite(by_node).all():
            raise out_of_range()
        return by_node


class OtherPart:
    """A part of a kernel that is not a sum over fragments."""

    def __init__(self, name: str, term: Term, coefficients: Matrix) -> None:
        self.name = name
        self._model = term.kernel._model().empty(len(coefficients))
        slots = np.arange(len(term.items), dtype=np.int32)
        self._model.put_all(term.items, slots)
        for column, row in enumerate(coefficients * term.factors):
            self._model.add_weights(slots, column, np.ascontiguousarray(row))
        self._n_functions = len(coefficients)

    def values(self, term: Term) -> Matrix:
        """What it adds to each function: items by functions."""
        n = len(term.items)
        values = self._model.score_batch(term.items, resolve(None)).reshape(n, self._n_functions)
        scaled: Matrix = term.factors[:, None] * values
        return scaled


class Parts:
    """All parts of the functions of a model."""

    def __init__(self, functions: KernelFunctions) -> None:
        self.functions = functions
        self.trees: list[TreePart] = []
        self.others: list[OtherPart] = []
        if not functions.kernel._has_fragments:
            raise TypeError(
                f"the kernel {functions.kernel!r} has no part that is a tree kernel, so there are no fragments; a "
                f"product of kernels is not a sum over the fragments of either"
            )
        terms = list(functions.kernel._terms(functions.supports))
        names = _distinct([term.column or type(term.kernel).__name__ for term in terms])
        for term, name in zip(terms, names, strict=True):
            if term.kernel._has_fragments:
                self.trees.append(TreePart(name, term, functions.coefficients))
            else:
                self.others.append(OtherPart(name, term, functions.coefficients))
        self.several = len(terms) > 1

    def views(self, X: Any) -> Iterator[tuple[list[SeenTree], dict[str, Matrix]]]:
        """Items one by one: trees as the parts that are tree kernels see them, and what each other part adds to each
        function."""
        kernel = self.functions.kernel
        items = kernel._items(kernel._prepare(X))
        terms = list(kernel._terms(items))
        of_trees = [term for term in terms if term.kernel._has_fragments]
        of_others = [term for term in terms if not term.kernel._has_fragments]
        seen = [part.items(term) for part, term in zip(self.trees, of_trees, strict=True)]
        values = {part.name: part.values(term) for part, term in zip(self.others, of_others, strict=True)}
        for i in range(len(items)):
            yield [next(trees) for trees in seen], {name: mine[i] for name, mine in values.items()}


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
