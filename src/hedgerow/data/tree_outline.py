"""A tree as it is to be drawn: cut where it is too large, with what each node is and is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from hedgerow.data.tree import Tree

Kind = Literal["expanded", "word", "open"]


class TreeOutline:
    """The nodes of a tree that are drawn, each before its children, made of all nodes in post-order.

    "open" nodes have children that are left out on purpose, as in fragments; by default nodes without children are
    words. What is beyond ``max_nodes`` or ``max_depth`` is left out: what is nearest to the root stays.
    """

    def __init__(
        self,
        labels: Sequence[str],
        arity: Sequence[int],
        kinds: Sequence[Kind] | None = None,
        values: Sequence[float] | None = None,
        max_nodes: int = 300,
        max_depth: int = 40,
    ) -> None:
        if max_nodes < 1 or max_depth < 0:
            raise ValueError(
                f"max_nodes must be at least 1 and max_depth at least 0, got {max_nodes}, {max_depth}"
            )
        below = _children(arity)
        # The nearest to the root first; then in the order in which they are read.
        kept: list[int] = [len(labels) - 1] if len(labels) else []
        depth = dict.fromkeys(kept, 0)
        for node in kept:  # which grows
            if depth[node] == max_depth or len(kept) + len(below[node]) > max_nodes:
                continue
            kept.extend(below[node])
            depth.update(dict.fromkeys(below[node], depth[node] + 1))
        order = _preorder(kept[0], below, depth) if kept else []
        number = {node: i for i, node in enumerate(order)}
        self.labels = [labels[node] for node in order]
        self.kinds: list[Kind] = [
            kinds[node] if kinds is not None else "expanded" if arity[node] else "word" for node in order
        ]
        self.values = None if values is None else [float(values[node]) for node in order]
        self.depths = [depth[node] for node in order]
        # Numbers of the children that are drawn; how many are not; how many nodes are not.
        self.children = [[number[child] for child in below[node] if child in number] for node in order]
        self.hidden = [
            len(below[node]) - len(shown) for node, shown in zip(order, self.children, strict=True)
        ]
        self.left_out = len(labels) - len(order)

    @classmethod
    def of(cls, tree: Any, values: Sequence[float] | None = None, **limits: int) -> TreeOutline:
        """Of a fragment or of anything that `Tree` takes; values go by node in post-order."""
        if hasattr(tree, "_outline"):
            outline: TreeOutline = tree._outline(values, **limits)
            return outline
        tree = tree if isinstance(tree, Tree) else Tree(tree)
        arity = tree._native.arity()
        if values is not None and len(values) != len(arity):
            raise ValueError(f"there must be one value for each of the {len(arity)} nodes, got {len(values)}")
        return cls(tree._names(), arity.tolist(), None, values, **limits)

    def __len__(self) -> int:
        return len(self.labels)

    def shares(self) -> list[float]:
        """The values between -1 and 1, as parts of the largest."""
        if self.values is None:
            return [0.0] * len(self)
        largest = float(np.abs(self.values).max(initial=0.0))
        return [value / largest if largest > 0 else 0.0 for value in self.values]


def _children(arity: Sequence[int]) -> list[list[int]]:
    """The children of each node in post-order."""
    done: list[int] = []
    below: list[list[int]] = []
    for node, n in enumerate(arity):
        below.append(done[len(done) - n :])
        del done[len(done) - n :]
        done.append(node)
    return below


def _preorder(root: int, below: list[list[int]], kept: dict[int, int]) -> list[int]:
    order, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting.extend(child for child in reversed(below[node]) if child in kept)
    return order
