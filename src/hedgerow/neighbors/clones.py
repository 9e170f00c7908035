"""Groups of trees that are alike: clones, when the trees are functions of a code base."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from hedgerow.data import Forest
from hedgerow.kernels.base import Kernel
from hedgerow.neighbors.tree_index import TreeIndex

_AT_ONCE = 256  # trees that are looked up together


@dataclass(frozen=True)
class CloneGroup:
    """Trees that a chain of similar pairs connects.

    Attributes
    ----------
    members : list of int
        Numbers of trees, in order; equal trees are all there.
    pairs : list of (int, int, float)
        Similar pairs of different trees, the most similar first, each with its similarity. Of equal trees the first
        stands for the others.
    copies : dict from int to list of int
        For each tree that stands for others, those that equal it.
    """

    members: list[int]
    pairs: list[tuple[int, int, float]]
    copies: dict[int, list[int]]

    @property
    def similarity(self) -> float:
        """Of the least similar pair."""
        return min((similarity for _, _, similarity in self.pairs), default=1.0)

    @property
    def example(self) -> tuple[int, int, float]:
        """The pair to look at: two that differ, if there are such, else two copies."""
        if self.pairs:
            return self.pairs[0]
        (first, others) = next(iter(self.copies.items()))
        return first, others[0], 1.0


def find_clones(
    trees: Forest,
    kernel: Kernel,
    similarity: float,
    *,
    n_jobs: int | None = None,
    progress: Callable[[int], Any] = lambda n: None,
) -> list[CloneGroup]:
    """All groups of trees whose similarity is at least this, those with most to gain first.

    What there is to gain is the number of nodes that would be left out if one tree stood for its group.
    """
    copies = _copies(trees)
    firsts = np.array(sorted(copies), dtype=np.int64)
    if not len(firsts):
        return []
    index = TreeIndex(kernel, measure="similarity", n_jobs=n_jobs).fit(trees[firsts])
    left, right, values = _similar_pairs(index, similarity, progress)
    graph = sparse.coo_matrix((np.ones(len(left)), (left, right)), shape=(len(firsts), len(firsts)))
    _, group_of = connected_components(graph, directed=False)
    groups: dict[int, CloneGroup] = {}
    for place, group in enumerate(group_of.tolist()):
        first = int(firsts[place])
        found = groups.setdefault(group, CloneGroup([], [], {}))
        found.members.extend([first, *copies[first]])
        if copies[first]:
            found.copies[first] = copies[first]
    for i, j, value in zip(left.tolist(), right.tolist(), values.tolist(), strict=True):
        groups[group_of[i]].pairs.append((int(firsts[i]), int(firsts[j]), value))
    sizes = trees._native.tree_sizes()
    several = [group for group in groups.values() if len(group.members) > 1]
    for group in several:
        group.members.sort()
        group.pairs.sort(key=lambda pair: (-pair[2], pair[:2]))
    return sorted(several, key=lambda group: (-_gain(group, sizes), group.members))


def _gain(group: CloneGroup, sizes: Any) -> int:
    nodes = sizes[group.members]
    return int(nodes.sum() - nodes.max())


def _copies(trees: Forest) -> dict[int, list[int]]:
    """The first of equal trees, with the others."""
    native = trees._native
    labels, arity = native.label_of_node(), native.arity()
    ends = np.cumsum(native.tree_sizes()).tolist()
    first_of: dict[bytes, int] = {}
    copies: dict[int, list[int]] = {}
    for number, (begin, end) in enumerate(zip([0, *ends], ends, strict=False)):
        first = first_of.setdefault(labels[begin:end].tobytes() + arity[begin:end].tobytes(), number)
        if first == number:
            copies[number] = []
        else:
            copies[first].append(number)
    return copies


def _similar_pairs(index: TreeIndex, similarity: float, progress: Callable[[int], Any]) -> tuple[Any, ...]:
    """Places of two trees of the index each, the first before the second, and similarities."""
    found: list[tuple[Any, ...]] = []
    numbers = index.numbers_
    for begin in range(0, len(numbers), _AT_ONCE):
        some = numbers[begin : begin + _AT_ONCE]
        near = index._near(some, similarity)
        left = np.repeat(some, np.diff(near.begin))
        once = left < near.numbers
        found.append((left[once], near.numbers[once], near.values[once]))
        progress(len(some))
    return tuple(np.concatenate(column) for column in zip(*found, strict=True))
