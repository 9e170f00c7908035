"""To and from ``nltk.Tree``, without recursion and without importing nltk before it is needed."""

from __future__ import annotations

import sys
from typing import Any

from hedgerow import _core
from hedgerow.data.errors import check_label
from hedgerow.data.postorder import native_forest


def is_nltk(item: Any) -> bool:
    """Whether the item is an nltk.Tree; nobody has one who has not imported nltk."""
    nltk_tree = sys.modules.get("nltk.tree")
    return nltk_tree is not None and isinstance(item, nltk_tree.Tree)


def from_nltk(trees: list[Any], first: int = 0) -> _core.Forest:
    """A native forest from nltk.Tree objects; their numbers in messages count from ``first``."""
    names: dict[str, int] = {}
    ids: list[int] = []
    arity: list[int] = []
    sizes: list[int] = []

    for number, tree in enumerate(trees):
        before = len(ids)
        # Reversed pre-order with the children from the right is post-order.
        walk: list[tuple[str, int]] = []
        stack = [tree]
        while stack:
            node = stack.pop()
            is_tree = is_nltk(node)
            label = str(node.label()) if is_tree else str(node)
            check_label(label, first + number)
            walk.append((label, len(node) if is_tree else 0))
            if is_tree:
                stack.extend(node)
        for label, k in reversed(walk):
            ids.append(names.setdefault(label, len(names)))
            arity.append(k)
        sizes.append(len(ids) - before)
    return native_forest(names, ids, arity, sizes, first)


def to_nltk(native: _core.Forest) -> list[Any]:
    try:
        from nltk.tree import Tree
    except ImportError:
        raise ImportError("to_nltk needs nltk: pip install 'hedgerow[nlp]'") from None
    labels = native.labels()
    ids, arity, sizes = native.label_of_node().tolist(), native.arity().tolist(), native.tree_sizes().tolist()
    trees: list[Any] = []
    at = 0
    for size in sizes:
        if size == 0:
            raise ValueError("an empty tree has no counterpart in nltk")
        done: list[Any] = []
        for node in range(at, at + size):
            label, k = labels[ids[node]], arity[node]
            if k:
                done[-k:] = [Tree(label, done[-k:])]
            else:
                done.append(label)
        at += size
        root = done[0]
        trees.append(root if isinstance(root, Tree) else Tree(root, []))
    return trees
