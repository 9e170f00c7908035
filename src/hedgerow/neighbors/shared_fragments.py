"""The fragments that two trees share, with their places in both."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hedgerow.data import Forest
from hedgerow.inspection.fragments import Fragment, best_fragments
from hedgerow.inspection.tree_parts import Parts
from hedgerow.kernels.base import Kernel
from hedgerow.models.functions import KernelFunctions

_LIMIT = 100_000  # partial fragments to look at


@dataclass(frozen=True)
class SharedFragment:
    """A fragment that two trees have in common.

    Attributes
    ----------
    tree : str
        In brackets; see `hedgerow.inspection.Fragment`.
    weight : float
        What it adds to the kernel's value of the two trees.
    places : pair of tuples
        The nodes of either tree that the fragment begins at, numbered in post-order.
    fragment : Fragment

    Examples
    --------
    >>> from hedgerow.kernels import SubsetTree
    >>> from hedgerow.neighbors import TreeIndex
    >>> index = TreeIndex(SubsetTree(decay=0.5)).fit(["(S (NP Mary) (VP sings))"])
    >>> index.explain_pair(0, "(VP sings)")[0].places
    ((3,), (1,))
    """

    fragment: Fragment
    weight: float
    places: tuple[tuple[int, ...], tuple[int, ...]]

    @property
    def tree(self) -> str:
        """The fragment in brackets."""
        return self.fragment.tree

    def __str__(self) -> str:
        return self.tree


def shared_fragments(kernel: Kernel, a: Forest, b: Forest, n_largest: int) -> list[SharedFragment]:
    """The heaviest fragments that two forests of one tree each share."""
    items = kernel._items(kernel._prepare(a))
    functions = KernelFunctions(
        kernel, items, np.ones((1, 1)), np.zeros(1), ["shared"], (), lambda X: ([], None)
    )
    parts = Parts(functions)
    (view,) = parts.views(b, {})
    found, _ = best_fragments(parts, 0, n_largest, [1], _LIMIT, view.trees)
    skips = kernel._skips_children
    trees = _Nodes.of(a), _Nodes.of(b)
    return [
        SharedFragment(one, one.contribution, (trees[0].places(one, skips), trees[1].places(one, skips)))
        for one in found
    ]


@dataclass(frozen=True)
class _Nodes:
    """A tree, or a fragment, node by node."""

    labels: tuple[str, ...]
    children: tuple[tuple[int, ...], ...]

    @classmethod
    def made(cls, labels: tuple[str, ...], arity: tuple[int, ...]) -> _Nodes:
        children, stack = [], list[int]()
        for node, n in enumerate(arity):
            children.append(tuple(stack[len(stack) - n :]))
            del stack[len(stack) - n :]
            stack.append(node)
        return cls(labels, tuple(children))

    @classmethod
    def of(cls, forest: Forest) -> _Nodes:
        native = forest._native
        names = native.labels()
        return cls.made(
            tuple(names[i] for i in native.label_of_node().tolist()), tuple(native.arity().tolist())
        )

    @cached_property
    def by_label(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for node, label in enumerate(self.labels):
            found.setdefault(label, []).append(node)
        return found

    def places(self, fragment: Fragment, skips: bool) -> tuple[int, ...]:
        """The nodes that the fragment begins at; ``skips``: it may leave out children."""
        wanted = _Nodes.made(fragment.labels, fragment.arity)
        # Nodes of this tree that match each node of the fragment, whose children come before it.
        matching: list[set[int]] = []
        for part, (label, kind) in enumerate(zip(wanted.labels, fragment.kinds, strict=True)):
            below = [matching[child] for child in wanted.children[part]]
            matching.append(
                {
                    node
                    for node in self.by_label.get(label, ())
                    if (kind == "open" or skips or bool(below) == bool(self.children[node]))
                    and self._holds(node, below, kind == "open", skips)
                }
            )
        return tuple(sorted(matching[-1]))

    def _holds(self, node: int, below: list[set[int]], is_open: bool, skips: bool) -> bool:
        """Whether the children of a node match those of the fragment, which are sets of nodes that match."""
        children = self.children[node]
        if skips:  # in order, the first that fits each
            rest = iter(children)
            return all(any(child in fitting for child in rest) for fitting in below)
        if is_open:
            return True
        return len(children) == len(below) and all(
            child in fitting for child, fitting in zip(children, below, strict=True)
        )
