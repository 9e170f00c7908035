"""The tree kernels that a kernel is a weighted sum of, each with its supports collapsed into distinct subtrees.

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
from hedgerow.data import Forest
from hedgerow.inspection.functions import Functions
from hedgerow.kernels import Kernel, Normalized, PartialTree, SubPath, SubsetTree, SubTree
from hedgerow.kernels.base import Matrix
from hedgerow.kernels.combinations import OnColumn, Sum, Weighted
from hedgerow.kernels.trees import TreeKernel
from hedgerow.threads import resolve

KERNELS = (SubTree, SubsetTree, PartialTree, SubPath)  # whose fragments are known


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
class Item:
    """A tree as a part sees it."""

    forest: Forest  # of this tree only
    trees: _core.CollapsedForest
    of_node: Matrix  # the distinct subtree of each node, in post-order
    factor: float  # of its features
    growth: _core.PartialTreeGrowth | None

    @property
    def counts(self) -> Matrix:
        return self.factor * np.bincount(self.of_node, minlength=len(self.trees))


class TreePart:
    """A tree kernel with supports, by function: weights of fragments.

    Parameters
    ----------
    name : str
        What the part is called: the column that it looks at, or "".
    kernel : TreeKernel
    forest : Forest
        The supports.
    coefficients : array of functions by supports
        With all factors that normalise and weight the kernel.
    """

    def __init__(self, name: str, kernel: TreeKernel, forest: Forest, coefficients: Matrix) -> None:
        self.name = name
        self.kernel = kernel
        native = forest._native.compact()
        self.labels: list[str] = native.labels()
        label, _, begin, child, of_node, _ = native.distinct_subtrees()
        self.trees = _core.CollapsedForest(label, begin, child)
        tree_of_node = np.repeat(np.arange(len(forest)), native.tree_sizes())
        self.weights = np.array(
            [np.bincount(of_node, row[tree_of_node], minlength=len(label)) for row in coefficients]
        ).reshape(len(coefficients), len(label))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {label: number for number, label in enumerate(self.labels)}

    @cached_property
    def _partial(self) -> _core.PartialTree | None:
        """The kernel as one on partial trees, if it can be seen as one."""
        if isinstance(self.kernel, SubPath):  # a path is a fragment without siblings
            return _core.PartialTree(1.0, self.kernel.decay, True, 1, 1.0)
        return self.kernel._native() if isinstance(self.kernel, PartialTree) else None

    @cached_property
    def _growth(self) -> _core.PartialTreeGrowth | None:
        return None if self._partial is None else _core.PartialTreeGrowth(self.trees, self._partial)

    def item(self, forest: Forest, factor: float) -> Item:
        """A tree as this part sees it; its features are multiplied by the factor."""
        native = forest._native.compact()
        numbers = np.array([self._numbers.get(label, -1) for label in native.labels()], dtype=np.int32)
        label, _, begin, child, of_node, _ = native.distinct_subtrees()
        known = numbers[label] if len(label) else label
        # Two labels that the model lacks are two, though no fragment has either.
        trees = _core.CollapsedForest(np.where(known < 0, -2 - label, known), begin, child, self.trees)
        growth = None if self._partial is None else _core.PartialTreeGrowth(trees, self._partial)
        return Item(forest, trees, of_node, factor, growth)

    def search(self, function: int, k: int, signs: list[int], limit: int, item: Item | None = None) -> Found:
        """Lists of the fragments with the largest weights, or of an item those with the largest contributions: with 1
        of positive ones, with -1 of negative ones, with 0 of either sign."""
        weights = self.weights[function]
        example = None if item is None else item.trees
        counts = None if item is None else item.counts
        kernel: Any = self.kernel
        if self._partial is not None and self._growth is not None:
            growth = None if item is None else item.growth
            found = _core.partial_tree_fragments(
                self.trees, weights, self._partial, example, counts, k, signs, limit, self._growth, growth
            )
        elif isinstance(kernel, SubsetTree):
            found = _core.subset_tree_fragments(
                self.trees, weights, kernel._native(), example, counts, k, signs, limit
            )
        else:
            found = _core.subtree_fragments(
                self.trees, weights, kernel.decay, example, counts, k, signs, limit
            )
        return Found(*found)

    def node_values(self, item: Item) -> Matrix:
        """What each node of a tree adds to each function: nodes in post-order by functions."""
        weights = np.ascontiguousarray(self.weights.ravel())
        kernel: Any = self.kernel
        if self._partial is not None:
            values = _core.partial_tree_node_values(self.trees, weights, self._partial, item.trees)
        elif isinstance(kernel, SubsetTree):
            values = _core.subset_tree_node_values(self.trees, weights, kernel._native(), item.trees)
        else:
            values = _core.subtree_node_values(self.trees, weights, kernel.decay, item.trees)
        by_subtree = values.reshape(len(item.trees), len(self.weights))
        by_node: Matrix = item.factor * by_subtree[item.of_node]
        if not np.isfinite(by_node).all():
            raise too_large()
        return by_node


class OtherPart:
    """A part of a kernel that is no sum over fragments."""

    def __init__(self, name: str, kernel: Kernel, supports: _core.Items, coefficients: Matrix) -> None:
        self.name = name
        self.kernel = kernel
        self._model = kernel._model().empty(len(coefficients))
        slots = np.arange(len(supports), dtype=np.int32)
        self._model.put_all(supports, slots)
        for column, row in enumerate(coefficients):
            self._model.add_weights(slots, column, np.ascontiguousarray(row))
        self._n_functions = len(coefficients)

    def values(self, items: _core.Items, factors: Matrix) -> Matrix:
        """What it adds to each function: items by functions."""
        values = self._model.score_batch(items, resolve(None)).reshape(len(items), self._n_functions)
        scaled: Matrix = factors[:, None] * values
        return scaled


Part = TreePart | OtherPart


class Parts:
    """All parts of the functions of a model."""

    def __init__(self, functions: Functions) -> None:
        self.functions = functions
        self.parts: list[Part] = []
        coefficients = functions.coefficients
        kinds = list(_walk(functions.kernel, functions.supports, ""))
        names = _distinct([name or _spoken(kernel) for kernel, _, _, name in kinds])
        for (kernel, items, factors, _), name in zip(kinds, names, strict=True):
            scaled = coefficients * factors
            if isinstance(kernel, KERNELS):
                self.parts.append(TreePart(name, kernel, Forest._wrap(items.forest), scaled))
            else:
                self.parts.append(OtherPart(name, kernel, items, scaled))
        if not self.trees:
            raise TypeError(
                f"the kernel {functions.kernel!r} has no part that is a tree kernel, so there are no fragments; a "
                f"product of kernels is no sum over the fragments of either"
            )

    @property
    def trees(self) -> list[TreePart]:
        return [part for part in self.parts if isinstance(part, TreePart)]

    def seen(self, X: Any) -> Iterator[list[tuple[Part, Item | Matrix]]]:
        """Items one by one, as each part sees them: a tree, or what it adds to each function."""
        kernel = self.functions.kernel
        items = kernel._items(kernel._prepare(X))
        kinds = list(_walk(kernel, items, ""))
        values: dict[Part, Matrix] = {}
        for part, (_, own, factors, _) in zip(self.parts, kinds, strict=True):
            if isinstance(part, OtherPart):
                values[part] = part.values(own, factors)
        for i in range(len(items)):
            view: list[tuple[Part, Item | Matrix]] = []
            for part, (_, own, factors, _) in zip(self.parts, kinds, strict=True):
                if isinstance(part, TreePart):
                    tree = Forest._wrap(own.forest.select(np.array([i], dtype=np.int64)))
                    view.append((part, part.item(tree, float(factors[i]))))
                else:
                    view.append((part, values[part][i]))
            yield view


_known: WeakKeyDictionary[Functions, Parts] = WeakKeyDictionary()


def parts_of(functions: Functions) -> Parts:
    """The parts of functions, kept for as long as these are."""
    if functions not in _known:
        _known[functions] = Parts(functions)
    return _known[functions]


def _walk(kernel: Kernel, items: Any, name: str) -> Iterator[tuple[Kernel, Any, Matrix, str]]:
    """The terms of a sum of kernels, with their items and a factor for each item; the product of the factors of two
    items times the term is what it adds to the kernel."""
    if isinstance(kernel, Sum):
        yield from _walk(kernel.left, items.left, name)
        yield from _walk(kernel.right, items.right, name)
    elif isinstance(kernel, OnColumn):
        yield from _walk(kernel.kernel, items, kernel.column)
    elif isinstance(kernel, Weighted):
        yield from _scaled(kernel.kernel, items, name, np.sqrt(kernel.weight) * np.ones(len(items)))
    elif isinstance(kernel, Normalized) and _is_sum(kernel.kernel):
        yield from _scaled(kernel.kernel, items, name, _inverse_norms(kernel.kernel, items))
    else:
        yield kernel, items, np.ones(len(items)), name


def _scaled(kernel: Kernel, items: Any, name: str, by: Matrix) -> Iterator[tuple[Kernel, Any, Matrix, str]]:
    for term, own, factors, its_name in _walk(kernel, items, name):
        yield term, own, by * factors, its_name


def _is_sum(kernel: Kernel) -> bool:
    """Whether some part of a kernel is a tree kernel, so that it is worth taking apart."""
    if isinstance(kernel, Sum):
        return _is_sum(kernel.left) or _is_sum(kernel.right)
    if isinstance(kernel, OnColumn | Weighted | Normalized):
        return _is_sum(kernel.kernel)
    return isinstance(kernel, KERNELS)


def _inverse_norms(kernel: Kernel, items: Any) -> Matrix:
    """1 / sqrt(K(x, x)), or 0 where that is 0, of each item."""
    try:
        squares = kernel._model().self_kernel_batch(items, resolve(None))
    except OverflowError:
        raise too_large() from None
    ones = Normalized(kernel)._model().self_kernel_batch(items, resolve(None))
    if (squares[ones > 0] == 0).any():
        raise too_large()
    roots = np.sqrt(squares)
    return np.divide(1.0, roots, out=np.zeros_like(roots), where=roots > 0)


def too_large() -> OverflowError:
    return OverflowError(
        "kernel values of these trees are beyond the range of doubles, so that no fragment of them can be told from "
        "nothing; another decay brings them back"
    )


def _spoken(kernel: Kernel) -> str:
    return type(kernel).__name__


def _distinct(names: list[str]) -> list[str]:
    """Names with a number from the second of a name on."""
    return [
        name if names.index(name) == i else f"{name} ({names[:i].count(name) + 1})"
        for i, name in enumerate(names)
    ]
