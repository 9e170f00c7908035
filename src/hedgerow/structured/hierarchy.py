"""Classes with links to their parents: trees, and orders in which a class may have several parents."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow.io import read_taxonomy
from hedgerow.kernels.base import Matrix


class Hierarchy:
    """A directed graph without cycles, from classes up to their parents, which are given as for `Taxonomy`."""

    def __init__(self, parents: Any):
        self.parents = _parse(parents)  # of each node
        self.nodes = _sorted_upwards(self.parents)  # all classes that are mentioned, children before parents
        self._height: dict[Any, int] = dict.fromkeys(self.nodes, 0)
        for node in self.nodes:
            for parent in self.parents[node]:
                self._height[parent] = max(self._height[parent], self._height[node] + 1)

    def __contains__(self, node: Any) -> bool:
        return node in self.parents

    def leaves(self) -> list[Any]:
        """Nodes that are nobody's parent."""
        inner = set(chain.from_iterable(self.parents.values()))
        return [node for node in self.nodes if node not in inner]

    def check(self, classes: Sequence[Any]) -> None:
        """A ValueError names classes that are not in the hierarchy."""
        unknown = [label for label in classes if label not in self]
        if unknown:
            more = f" and {len(unknown) - 5} more" if len(unknown) > 5 else ""
            raise ValueError(
                f"the taxonomy has no {', '.join(map(repr, unknown[:5]))}{more}: every class needs a place in parents"
            )

    def height(self, node: Any) -> int:
        """Links on the longest way down from the node; 0 for a leaf."""
        return self._height[node]

    def ascent(self, node: Any) -> dict[Any, int]:
        """The node and its ancestors, with the links on the shortest way up to each."""
        steps = {node: 0}
        frontier = [node]
        while frontier:  # breadth first: the first way found is a shortest one
            above = []
            for lower in frontier:
                for parent in self.parents[lower]:
                    if parent not in steps:
                        steps[parent] = steps[lower] + 1
                        above.append(parent)
            frontier = above
        return steps

    def ancestor_matrix(self, classes: Sequence[Any]) -> tuple[Any, list[Any]]:
        """1 where a node is the class itself or above it: a CSR matrix, and the nodes of its columns."""
        self.check(classes)
        ascents = [self.ascent(label) for label in classes]
        used = set(chain.from_iterable(ascents))
        columns = [node for node in self.nodes if node in used]
        number = {node: column for column, node in enumerate(columns)}
        indices = [sorted(number[node] for node in ascent) for ascent in ascents]
        begins = np.cumsum([0, *map(len, indices)])
        flat = np.array(list(chain.from_iterable(indices)), dtype=np.int32)
        matrix = sparse.csr_array(
            (np.ones(len(flat)), flat, begins.astype(np.int32)), shape=(len(classes), len(columns))
        )
        return matrix, columns

    def tree_losses(self, classes: Sequence[Any]) -> Matrix:
        """For all pairs of classes the height of the first common ancestor; see `Taxonomy`."""
        top = 1 + max(self._height.values(), default=0)
        return self._losses(classes, lambda node, _: self.height(node), top=lambda a, b: top)

    def path_losses(self, classes: Sequence[Any]) -> Matrix:
        """For all pairs of classes the number of links between them, by way of a common ancestor."""

        def over_the_top(a: dict[Any, int], b: dict[Any, int]) -> int:
            return sum(
                1 + min(n for node, n in ascent.items() if not self.parents[node]) for ascent in (a, b)
            )

        return self._losses(classes, lambda _, steps: steps, top=over_the_top)

    def _losses(self, classes: Sequence[Any], measure: Any, top: Any) -> Matrix:
        """The smallest measure(common ancestor, links by way of it), or that of a top above all roots."""
        self.check(classes)
        ascents = [self.ascent(label) for label in classes]
        losses = np.zeros((len(classes), len(classes)))
        for i, a in enumerate(ascents):
            for j, b in enumerate(ascents[:i]):
                common = [measure(node, a[node] + b[node]) for node in a.keys() & b.keys()]
                losses[i, j] = losses[j, i] = min(common) if common else top(a, b)
        return losses


def _parse(parents: Any) -> dict[Any, tuple[Any, ...]]:
    """The parents of every node, each once."""
    if isinstance(parents, str | os.PathLike):
        parents = read_taxonomy(parents)
    links: dict[Any, dict[Any, None]] = {}  # sets that keep their order
    if isinstance(parents, Mapping):
        for child, above in parents.items():
            several = above if isinstance(above, list | tuple | set | frozenset) else [above]
            links.setdefault(child, {}).update((parent, None) for parent in several if parent is not None)
    elif isinstance(parents, Iterable):
        for pair in parents:
            if not isinstance(pair, list | tuple) or len(pair) != 2:
                raise TypeError(
                    f"parents must be a dict, pairs (parent, child) or a file, got a pair {pair!r}"
                )
            links.setdefault(pair[1], {})[pair[0]] = None
    else:
        raise TypeError(f"parents must be a dict, pairs (parent, child) or a file, got {parents!r}")
    for above in list(links.values()):
        for parent in above:
            links.setdefault(parent, {})
    if not links:
        raise ValueError("parents must have at least one link")
    return {node: tuple(above) for node, above in links.items()}


def _sorted_upwards(parents: dict[Any, tuple[Any, ...]]) -> list[Any]:
    """The nodes, each before its parents; a ValueError names a cycle if there is one."""
    sorter: TopologicalSorter[Any] = TopologicalSorter(dict.fromkeys(parents, ()))
    for node, above in parents.items():
        for parent in above:
            sorter.add(parent, node)
    try:
        return list(sorter.static_order())
    except CycleError as error:
        raise ValueError(f"parents has a cycle: {' -> '.join(map(str, error.args[1]))}") from None
